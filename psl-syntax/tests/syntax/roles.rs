//! Registers that have the name of a role, but not the role.

use psl_syntax::{Code, check as check_text, diagnostic::Edit};

use crate::common::check;

#[test]
fn consequences_are_not_reported() {
    check(
        r#"
        registers: {symbol: 's', position: 'p', parse: 'q', eop: 'e', out: 'o'}
                                               #^^^^^ role-not-taken: registers `parse` and `eop` do not have the roles of the same names
        constants: {A, 0, 1, EOP}
        system: {symbol: symbol, position: position, output: out}
        where symbol[n] == A and parse[N] == 0:
            out[N] = symbol[n]
        where eop[N] == EOP and parse[N] == 1:
            out[N] = A
            parse[N] = 0
"#,
    );
}

#[test]
fn ways_to_take_a_role() {
    check(
        r#"
        registers: {symbol: 's', position: 'p', parse: 'a', eop: 'z', output: 'o'}
                                                                     #^^^^^^ role-not-taken: register `output` does not have the role `output`
        constants: {A, 1, EOP}
        watch: [output]
        where eop[N] == EOP and parse[N] == 1:
            output[N] = A
"#,
    );
    check(
        r#"
        registers: {symbol: 's', place: 'p', position: 'q', flag: 'a', parse: 'f'}
                                            #^^^^^^^^ role-not-taken: registers `position` and `parse` do not have the roles of the same names
        constants: {A, 1}
        watch: [position, parse]
        where symbol[N] == A and flag[N] == 1 and place[N] == 1:
                                #^^^^ read-before-write: `flag` is read but never written
                                                 #^^^^^ read-before-write: `place` is read but never written
            symbol[N] = A
"#,
    );
    check(
        r#"
        registers: {symbol: 's', position: 'p', phase: 'f', parse: 'q', output: 'o'}
        constants: {A, 1}
        system: {symbol: symbol, position: position, output: symbol, parse: phase}
        watch: [parse, output]
        where symbol[N] == A and phase[N] == 1:
            symbol[N] = A
"#,
    );
}

/// Checks the results of the fixes of the warning, each with its title.
fn check_fixes(text: &str, expected: &[(&str, &str)]) {
    let found = check_text(text).diagnostics;
    let found = found.iter().find(|found| found.code == Code::RoleNotTaken).expect("the warning");
    let fixes: Vec<(String, String)> = found
        .fixes
        .iter()
        .map(|fix| (fix.title.clone(), Edit::apply(&fix.edits, text).expect("the edits fit the text")))
        .collect();
    let fixes: Vec<(&str, &str)> = fixes.iter().map(|(title, text)| (title.as_str(), text.as_str())).collect();
    assert_eq!(fixes, expected);
    for (_, text) in fixes {
        let left: Vec<Code> = check_text(text).diagnostics.iter().map(|found| found.code).collect();
        assert!(!left.contains(&Code::RoleNotTaken), "{left:?} in {text}");
    }
}

#[test]
fn both_ways_to_give_a_role() {
    let rule = "where symbol[N] == A and parse[N] == 1:\n    symbol[N] = A\n";
    check_fixes(
        &format!("registers: {{symbol: 's', position: 'p', parse: 'q'}}\nconstants: {{A, 1}}\n{rule}"),
        &[
            (
                "Use the short name `a`",
                &format!("registers: {{symbol: 's', position: 'p', parse: 'a'}}\nconstants: {{A, 1}}\n{rule}"),
            ),
            (
                "Declare `system`",
                &format!(
                    "registers: {{symbol: 's', position: 'p', parse: 'q'}}\nconstants: {{A, 1}}\n\
                     system: {{symbol: symbol, position: position, output: symbol, parse: parse}}\n{rule}"
                ),
            ),
        ],
    );
    let with_system = |entries: &str| {
        format!(
            "registers: {{symbol: 's', position: 'p', parse: 'q'}}\nconstants: {{A, 1}}\nsystem: {{{entries}}}\n{rule}"
        )
    };
    check_fixes(
        &with_system("symbol: symbol, position: position, output: symbol"),
        &[("Add to `system`", &with_system("symbol: symbol, position: position, output: symbol, parse: parse"))],
    );
}
