//! Applying certain fixes: those of the front end, and artificial ones.

use psl_syntax::{Code, Diagnostic, Levels, Span, apply_levels, check, diagnostic::Edit, fix};

const DECLARATIONS: &str = "\
registers: {symbol: 's', position: 'p', mark: 'm', copy: 'c'}
constants: {\"A\", \"B\"}
";

/// The diagnostics to fix, except the ones whose fixes would empty these small programs.
fn diagnose(text: &str) -> Vec<Diagnostic> {
    let mut levels = Levels::default();
    for code in [Code::UnusedRegister, Code::UnusedConstant, Code::DuplicateProduction] {
        levels.set(code, None);
    }
    let checked = check(text);
    apply_levels(&checked.tree, checked.diagnostics, &[], &levels)
}

/// Checks the result of fixing a program, and that fixing it again changes nothing. Returns the fixed codes.
fn fixes_to(text: &str, fixed: &str) -> Vec<&'static str> {
    let got = fix(&format!("{DECLARATIONS}{text}"), diagnose);
    assert_eq!(got.text, format!("{DECLARATIONS}{fixed}"));
    assert_eq!(got.left, diagnose(&got.text));
    assert_eq!(fix(&got.text, diagnose).text, got.text);
    got.applied.iter().map(|code| code.as_str()).collect()
}

#[test]
fn an_equals_sign_in_a_condition_becomes_two() {
    let applied = fixes_to(
        "where symbol[N] = A and (mark[N]=B):\n    mark[N] = B\nrepeat:\n    where copy[N] != B:\n        copy[N] = B\nuntil copy[N] = B\n",
        "where symbol[N] == A and (mark[N]==B):\n    mark[N] = B\nrepeat:\n    where copy[N] != B:\n        copy[N] = B\nuntil copy[N] == B\n",
    );
    assert_eq!(applied, ["syntax"; 3]);
}

#[test]
fn certain_fixes_are_applied() {
    let applied = fixes_to(
        "//@ allow unknown-directive\n//@ allow syntax\n//@ allow failing-test\nwhere symbol[N] == A:\n    mark[N] = B\n",
        "where symbol[N] == A:\n    mark[N] = B\n",
    );
    assert_eq!(applied, ["unused-allow"; 3]);
    let applied = fixes_to(
        "where position[n]@pos_increment == position[N] and symbol[n] not == A:\n    mark[N] = symbol[n]\n",
        "where position[N] == position[n]@pos_increment and symbol[n] != A:\n    mark[N] = symbol[n]\n",
    );
    assert_eq!(applied, ["function-on-left", "syntax"]);
}

#[test]
fn suggestions_are_not_applied() {
    let misspelled = "//@ tset\nwhere symbl[N] == A:\n    mark[n] = B\n";
    assert_eq!(fixes_to(misspelled, misspelled), [""; 0]);
}

/// Fixes that replace every match of a word in turn.
fn replacing(text: &str, replacements: &[(&str, &str)]) -> Vec<Diagnostic> {
    let mut found = diagnose(text);
    for (word, by) in replacements {
        found.extend(text.match_indices(word).map(|(start, word)| {
            let span = Span::from(start..start + word.len());
            Diagnostic::new(Code::UnknownDirective, span, "a word").fix("replace", span, *by)
        }));
    }
    found
}

#[test]
fn a_fix_that_adds_an_error_is_dropped_alone() {
    let production = "where symbol[N] == A:\n    mark[N] = B\n";
    let text = format!("{DECLARATIONS}{}", production.repeat(50));
    let diagnose = |text: &str| replacing(text, &[("= A:", "= C:"), ("= B", "= A")]);
    let fixed = fix(&text, diagnose);
    assert_eq!(fixed.text, text.replace("= B", "= A"));
    assert_eq!(fixed.applied.len(), 50);
    assert_eq!(fix(&fixed.text, diagnose).text, fixed.text);
}

#[test]
fn overlapping_fixes_are_applied_one_after_the_other() {
    let text = format!("{DECLARATIONS}# ab b\nwhere symbol[N] == A:\n    mark[N] = B\n");
    let fixed = fix(&text, |text| replacing(text, &[(" ab", " b"), ("b ", "c ")]));
    assert!(fixed.text.contains("# c b"), "{}", fixed.text);
}

#[test]
fn fixes_that_undo_each_other_change_nothing() {
    let text = format!("{DECLARATIONS}# a\nwhere symbol[N] == A:\n    mark[N] = B\n");
    let fixed = fix(&text, |text| replacing(text, &[("# a", "# b"), ("# b", "# a")]));
    assert_eq!((fixed.text, fixed.applied.len()), (text, 0));
}

#[test]
fn edits_outside_of_the_text_are_dropped() {
    let beyond = |text: &str| {
        let span = Span::new(1, text.len() as u32 + 9);
        vec![Diagnostic::new(Code::UnknownDirective, span, "beyond").fix("replace", span, "")]
    };
    assert_eq!(fix("é", beyond).text, "é");
    let inside = |_: &str| {
        let mut found = Diagnostic::new(Code::UnknownDirective, Span::new(0, 1), "inside").fix("", Span::new(0, 1), "");
        found.fixes[0].edits.push(Edit { span: Span::new(0, 2), text: String::new() });
        vec![found]
    };
    assert_eq!(fix("é", inside).text, "é");
}
