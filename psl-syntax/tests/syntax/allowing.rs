//! `//@ allow`, `//@ allow-file` and configured levels, with the remaining diagnostics marked in the text.

use psl_syntax::{
    Code, Diagnostic, Levels, Severity, Span, allow_here, apply_levels, check as check_text, diagnostic::Edit,
};

use crate::common::mark_found;

const DECLARATIONS: &str = "\
registers: {symbol: 's', position: 'p', mark: 'm', copy: 'c'}
constants: {\"A\", \"B\"}
";

/// The diagnostics of a text, and an `unknown-directive` for each `tset` in its code. Unlike the warnings of the
/// front end, these never change.
fn found(text: &str) -> Vec<Diagnostic> {
    let mut found = check_text(text).diagnostics;
    found.retain(|diagnostic| matches!(diagnostic.code, Code::UnknownDirective));
    for (start, word) in text.match_indices("tset").filter(|(start, _)| !text[..*start].ends_with("@ ")) {
        let span = Span::from(start..start + word.len());
        found.push(Diagnostic::new(Code::UnknownDirective, span, "tset in code"));
    }
    found
}

/// Checks that the remaining diagnostics of a text are exactly the ones marked in it: carets below a place, its code
/// and message.
fn check_with(levels: &Levels, text: &str) {
    let unmarked: String = text.split_inclusive('\n').filter(|line| !line.trim_start().starts_with("#^")).collect();
    let whole = format!("{DECLARATIONS}{unmarked}");
    let shown = apply_levels(&check_text(&whole).tree, found(&whole), &[], levels);
    let marked = mark_found(&whole, &shown, |found| {
        format!("{} {}: {}", found.severity.as_str(), found.code.as_str(), found.message)
    });
    let marked = marked.strip_prefix(DECLARATIONS).expect("it starts the text");
    assert!(marked == text, "the marks should be:\n{marked}");
}

fn check(text: &str) {
    check_with(&Levels::default(), text);
}

#[test]
fn an_allow_covers_the_statement_below() {
    check(
        r#"
        //@ allow unknown-directive: a reason
        where symbol[N] == tset:
            mark[N] = tset
            copy[N] = tset
        where symbol[N] == tset:
                          #^^^^ warning unknown-directive: tset in code
            mark[N] = A
"#,
    );
    check(
        r#"
        //@ allow unknown-directive
        repeat:
            where symbol[N] == tset:
                mark[N] = A
            repeat:
                where symbol[N] == A:
                    mark[N] = tset
            until mark[N] == tset
        until NO_CHANGE
        causal_attn: tset
                    #^^^^ warning unknown-directive: tset in code
"#,
    );
}

#[test]
fn comments_and_directives_in_between_are_skipped_but_not_blank_lines() {
    check(
        r#"
        //@ allow unknown-directive
        # a label
        //@ test "A" => "B"
        # another
        where symbol[N] == tset:
            mark[N] = A
"#,
    );
    check(
        r#"
        //@ allow unknown-directive
                 #^^^^^^^^^^^^^^^^^ warning unused-allow: unused `allow`: there is no `unknown-directive` here

        where symbol[N] == tset:
                          #^^^^ warning unknown-directive: tset in code
            mark[N] = A
"#,
    );
    check(
        r#"
        where symbol[N] == A:
            mark[N] = tset
                     #^^^^ warning unknown-directive: tset in code
        //@ allow unknown-directive
                 #^^^^^^^^^^^^^^^^^ warning unused-allow: unused `allow`: there is no `unknown-directive` here
"#,
    );
}

#[test]
fn inside_a_declaration_it_covers_the_next_entry() {
    check(
        r#"
        constants: { //@ allow unknown-directive

            C: "tset", "tset",
                       #^^^^ warning unknown-directive: tset in code
            D: "tset", //@ allow unknown-directive
               #^^^^ warning unknown-directive: tset in code
            E: //@ allow unknown-directive
                "tset", F:
            "tset", "tset"
                    #^^^^ warning unknown-directive: tset in code
            //@ allow unknown-directive
                     #^^^^^^^^^^^^^^^^^ warning unused-allow: unused `allow`: there is no `unknown-directive` here
        } constants: {"tset"}
                      #^^^^ warning unknown-directive: tset in code
        //@ allow unknown-directive
        constants: {
            C: "tset",
            "tset"
        }
"#,
    );
}

#[test]
fn inside_a_production_it_covers_the_next_condition_or_assignment() {
    check(
        r#"
        where symbol[N] == tset and
                          #^^^^ warning unknown-directive: tset in code
            //@ allow unknown-directive
            (mark[N] ==
                tset) and symbol[N] == tset: //@ allow unknown-directive
                                      #^^^^ warning unknown-directive: tset in code
            mark[N] = tset copy[N] = tset
                                    #^^^^ warning unknown-directive: tset in code
        repeat:
            where symbol[N] == A:
                mark[N] = tset
                         #^^^^ warning unknown-directive: tset in code
        //@ allow unknown-directive
        until symbol[N] == tset and
            mark[N] == tset
"#,
    );
}

#[test]
fn of_several_statements_on_a_line_it_covers_the_first() {
    check(
        r#"
        //@ allow unknown-directive
        where symbol[N] == tset: mark[N] = tset where symbol[N] == tset: mark[N] = A
                                                                  #^^^^ warning unknown-directive: tset in code
"#,
    );
}

#[test]
fn in_the_last_clause_it_covers_nothing() {
    check(
        r#"
        where symbol[N] == A:
            mark[N] = //@ allow unknown-directive
                               #^^^^^^^^^^^^^^^^^ warning unused-allow: unused `allow`: there is no `unknown-directive` here
                tset
               #^^^^ warning unknown-directive: tset in code
        where symbol[N] == tset:
                          #^^^^ warning unknown-directive: tset in code
            mark[N] = A
"#,
    );
}

#[test]
fn it_covers_the_first_directive_below_too() {
    check(
        r#"
        //@ allow unknown-directive
        # whatever
        //@ tset "A" => "B"
        //@ tset "A" => "B"
           #^^^^ warning unknown-directive: unknown directive `tset`
        where symbol[N] == A:
            mark[N] = A
"#,
    );
}

#[test]
fn allows_stack_and_the_second_of_two_is_unused() {
    check(
        r#"
        //@ allow unknown-directive
        //@ allow failing-test
                 #^^^^^^^^^^^^ warning unused-allow: unused `allow`: there is no `failing-test` here
        //@ allow unknown-directive
                 #^^^^^^^^^^^^^^^^^ warning unused-allow: unused `allow`: there is no `unknown-directive` here
        where symbol[N] == tset:
            mark[N] = A
"#,
    );
}

#[test]
fn the_innermost_accepts() {
    check(
        r#"
        //@ allow-file unknown-directive
        repeat:
            //@ allow unknown-directive
            where symbol[N] == tset:
                mark[N] = A
            where symbol[N] == tset:
                mark[N] = A
        until NO_CHANGE
        //@ allow-file unknown-directive
                      #^^^^^^^^^^^^^^^^^ warning unused-allow: unused `allow-file`: this file has no `unknown-directive`
"#,
    );
}

#[test]
fn errors_and_unknown_codes_cannot_be_allowed() {
    check(
        r#"
        //@ allow syntax: never
                 #^^^^^^ warning unused-allow: cannot allow `syntax`: it is an error
        //@ allow unknown-directiv
                 #^^^^^^^^^^^^^^^^ warning unused-allow: unknown diagnostic `unknown-directiv`
        //@ allow-file allow
                      #^^^^^ warning unused-allow: unknown diagnostic `allow`
        where symbol[N] == A:
            mark[N] = A
"#,
    );
}

#[test]
fn an_unused_allow_can_be_allowed_but_not_by_another_unused_one() {
    check(
        r#"
        //@ allow unused-allow: other tools find it
        //@ allow failing-test
        where symbol[N] == A:
            mark[N] = A
        //@ allow unused-allow
                 #^^^^^^^^^^^^ warning unused-allow: unused `allow`: there is no `unused-allow` here
        where symbol[N] == A:
            mark[N] = A
"#,
    );
    check(
        r#"
        //@ allow-file unused-allow
        //@ allow failing-test
        //@ allow nonsense
        where symbol[N] == A:
            mark[N] = A
"#,
    );
}

#[test]
fn levels_raise_lower_and_switch_off_all_but_errors() {
    let mut levels = Levels::default();
    let text = r#"
        //@ allow unknown-directive
        //@ allow failing-test
                 #^^^^^^^^^^^^ hint unused-allow: unused `allow`: there is no `failing-test` here
        where symbol[N] == tset:
            mark[N] = tset
            causal_attn: tset
                        #^^^^ error unknown-directive: tset in code
"#;
    levels.set(Code::UnusedAllow, Some(Severity::Hint));
    levels.set(Code::UnknownDirective, Some(Severity::Error));
    check_with(&levels, text);
    levels.set(Code::UnknownDirective, None);
    levels.set(Code::FailingTest, None);
    let off = text.lines().filter(|line| !line.contains("#^")).fold(String::new(), |text, line| text + line + "\n");
    check_with(&levels, &off);
    let text = "where";
    levels.set(Code::Syntax, None);
    levels.set(Code::MissingRole, Some(Severity::Hint));
    let checked = check_text(text);
    assert_eq!(apply_levels(&checked.tree, checked.diagnostics.clone(), &[], &levels), checked.diagnostics);
    assert!(!levels.is_off(Code::Syntax));
}

#[test]
fn pending_codes_are_not_unused() {
    let shown = |text: &str, pending: &[Code]| {
        let checked = check_text(text);
        let shown = apply_levels(&checked.tree, checked.diagnostics, pending, &Levels::default());
        shown.iter().map(|diagnostic| diagnostic.code).collect::<Vec<_>>()
    };
    let declarations = "registers: {symbol: 's', position: 'p'}\nconstants: {A}\n";
    let text = format!("{declarations}//@ allow failing-test\nwhere symbol[N] == A:\n    symbol[N] = A\n");
    assert_eq!(shown(&text, &[]), [Code::UnusedAllow]);
    assert_eq!(shown(&text, &[Code::FailingTest]), []);
    assert_eq!(shown(&text.replace("A:", "C:"), &[]), [Code::UnknownConstant]);
}

#[test]
fn denied_warnings_are_errors_and_hints_stay() {
    let mut levels = Levels::default();
    levels.deny_warnings();
    levels.set(Code::UnusedAllow, Some(Severity::Hint));
    check_with(
        &levels,
        r#"
        //@ allow failing-test
                 #^^^^^^^^^^^^ hint unused-allow: unused `allow`: there is no `failing-test` here
        where symbol[N] == tset:
                          #^^^^ error unknown-directive: tset in code
            mark[N] = A
"#,
    );
}

#[test]
fn the_fix_of_an_unused_allow_removes_its_line() {
    let check = |text: &str, fixed: &str| {
        let tree = check_text(text).tree;
        let shown = apply_levels(&tree, Vec::new(), &[], &Levels::default());
        let edit = &shown[0].fixes[0].edits[0];
        let span = edit.span.range();
        assert_eq!(format!("{}{}{}", &text[..span.start], edit.text, &text[span.end..]), fixed);
    };
    check("# a\n  //@ allow failing-test: why\nwhere", "# a\nwhere");
    check("# a\r\n\t#@ allow failing-test\r\nwhere", "# a\r\nwhere");
    check("//@ allow failing-test\rwhere", "where");
    check("where  //@ allow failing-test\nuntil", "where\nuntil");
    check("where\n//@ allow failing-test", "where\n");
    check("\u{feff}//@ allow failing-test\nwhere", "\u{feff}where");
}

#[test]
fn a_hundred_thousand_allows() {
    let statement = "where symbol[N] == tset: mark[N] = A ";
    let stacked = "//@ allow unknown-directive\n".repeat(100_000);
    let one_line = statement.repeat(10_000);
    let nested = "//@ allow unknown-directive\nrepeat:\n".repeat(200);
    for (text, left) in [
        (format!("{DECLARATIONS}{stacked}{one_line}"), 9_999),
        (format!("{DECLARATIONS}{nested}{one_line}\n{}", "until NO_CHANGE\n".repeat(200)), 0),
        (format!("{DECLARATIONS}{}", format!("//@ allow unknown-directive\n{statement}\n").repeat(50_000)), 0),
    ] {
        let found = found(&text);
        let shown = apply_levels(&check_text(&text).tree, found, &[], &Levels::default());
        let shown = shown.iter().filter(|diagnostic| diagnostic.code != Code::UnusedAllow).count();
        assert_eq!(shown, left);
    }
}

#[test]
fn an_offered_allow_covers_its_diagnostic() {
    let declarations = DECLARATIONS;
    for statements in [
        "where symbol[N] == A: mark[N] = tset where symbol[N] == A:\n    mark[N] = tset",
        "repeat: where symbol[N] == tset: mark[N] = A until symbol[N] == tset and\n    mark[N] == tset",
        "repeat:\n  where symbol[N] == tset:\n    mark[N] = A\n  //@ tset\nuntil symbol[N] == tset and\n    mark[N] == tset",
        "constants: {C, tset} constants: {\r\n  D: 'tset'}",
    ] {
        let text = format!("{declarations}{statements}");
        let found = found(&text);
        for one in &found {
            let fix = allow_here(&check_text(&text).tree, one).expect("an allow");
            let allowed = Edit::apply(&fix.edits, &text).expect("edits");
            let inserted = allowed.len() - text.len();
            let start = if fix.edits[0].span.start <= one.span.start { inserted } else { 0 };
            let span = Span::from(one.span.start as usize + start..one.span.end as usize + start);
            let moved = Diagnostic { span, ..one.clone() };
            let shown = apply_levels(&check_text(&allowed).tree, vec![moved], &[], &Levels::default());
            assert_eq!(shown, [], "{allowed}");
        }
    }
}
