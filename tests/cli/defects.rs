//! Programs that are hard to check correctly, each with all diagnostics of `psl check`.
//!
//! The tests of the machines run the other programs of the folder.

use std::fs;

use serde_json::Value;

use crate::binary::{code, out, psl, psl_with, repository};

fn program(name: &str) -> String {
    fs::read_to_string(repository().join(format!("tests/defects/{name}.psl"))).expect("the program")
}

/// The line and code of each diagnostic of a text.
fn found(text: &str) -> Vec<String> {
    let output = psl_with(&["check", "--format", "json", "-"], text.as_bytes());
    let lines = out(&output);
    let found = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("an object per line"));
    found.map(|found| format!("{} {}", found["start"]["line"], found["code"].as_str().expect("a code"))).collect()
}

/// Checks the diagnostics, except for constants that a small program does not use.
fn check(text: &str, expected: &[&str]) {
    let found: Vec<String> = found(text).into_iter().filter(|found| !found.ends_with("unused-constant")).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn null_on_the_right_of_an_inequality_makes_a_production_non_causal() {
    check(&program("looks_ahead_null"), &["6 non-causal", "6 read-before-write"]);
    check(&program("looks_ahead_always"), &["4 non-causal", "4 read-before-write"]);
}

#[test]
fn a_function_of_a_symbol_makes_a_production_non_causal() {
    check(&program("looks_ahead_function_ne"), &["4 non-causal", "4 not-a-position"]);
    check(&program("looks_ahead_function_eq"), &["4 non-causal", "4 not-a-position"]);
}

#[test]
fn denying_non_causal_fails() {
    for name in ["looks_ahead_null", "looks_ahead_always", "looks_ahead_function_ne", "looks_ahead_function_eq"] {
        let file = format!("tests/defects/{name}.psl");
        assert_eq!(code(&psl(&["check", "--deny", "non-causal", &file])), 1, "{name}");
    }
}

#[test]
fn null_is_explained_for_both_sides() {
    check(&program("null_on_the_right"), &["3 read-before-write"]);
    for code in ["read-before-write", "ill-typed-condition"] {
        let text = out(&psl(&["explain", code]));
        assert!(text.contains("Null on the right fails `==` and satisfies `!=`"), "{text}");
    }
}

#[test]
fn claims_hold_for_the_prompts_that_a_program_declares() {
    let text = program("structured_prompt");
    check(&text, &["5 dead-assignment", "8 ill-typed-condition", "10 always-true"]);
    check(&format!("//@ input symbol\n{text}"), &[]);
    for code in ["dead-assignment", "ill-typed-condition", "always-true", "never-fires"] {
        let text = out(&psl(&["explain", code]));
        assert!(text.contains("plain prompts") && text.contains("//@ input"), "{text}");
    }
}

#[test]
fn nothing_in_a_block_makes_its_condition_true() {
    check(&program("until_unaffected"), &["4 may-not-terminate"]);
}

#[test]
fn a_stray_until_is_the_only_error() {
    let text = "\
registers: {symbol: 's', position: 'p', m: 'm'}
constants: {A, B}
repeat:
    where symbol[N] == A: until
        m[N] = B
until NO_CHANGE
";
    check(text, &["4 syntax"]);
}

#[test]
fn a_block_that_waits_for_a_register_that_is_always_null_never_ends() {
    check(&program("may_not_terminate"), &["6 read-before-write", "7 may-not-terminate"]);
}

#[test]
fn a_register_named_not_has_a_role_and_is_watched() {
    check(&program("not_system"), &[]);
}
