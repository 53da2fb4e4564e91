//! The programs in `examples/rows`, which answer in the cells of the prompt, on random prompts.

use serde_json::Value;

use crate::{
    binary::{code, err, out, psl, psl_with},
    example_tasks::{brackets, double_histogram, histogram, most_frequent, parity, reverse, sort},
    examples::MACHINES,
};

/// The number of prompts of each program that the machine of matrix arithmetic runs.
const FULL_DAT: usize = 30;

/// Checks that a program answers 1,000 prompts, given with their rows.
fn check(program: &str, rows: impl Iterator<Item = (String, String)>) {
    let data: Vec<String> = rows.map(|(prompt, row)| format!("{prompt}\t{row}\n")).collect();
    assert_eq!(data.len(), 1000, "{program}");
    for machine in MACHINES {
        check_on(program, machine, &data);
    }
    check_on(program, "full-dat", &data[..FULL_DAT]);
}

fn check_on(program: &str, machine: &str, data: &[String]) {
    let file = format!("examples/rows/{program}.psl");
    let args = ["eval", &file, "-", "--row", "--machine", machine, "--show", "none", "--format", "json"];
    let output = psl_with(&args, data.concat().as_bytes());
    let score: Value = serde_json::from_str(&out(&output)).expect("JSON");
    let numbers = ["total", "correct"].map(|key| score[key].as_u64());
    assert_eq!(numbers, [Some(data.len() as u64); 2], "{program} on {machine}: {}", err(&output));
}

#[test]
fn the_programs_pass_their_tests() {
    let output = psl(&["test", "examples/rows"]);
    assert_eq!(code(&output), 0, "{}", out(&output));
}

#[test]
fn the_programs_have_no_warnings_and_are_formatted() {
    for args in [&["check", "--deny", "warnings"][..], &["fmt", "--check"]] {
        let output = psl(&[args, &["examples/rows"]].concat());
        assert_eq!(code(&output), 0, "{}{}", out(&output), err(&output));
    }
}

#[test]
fn reverse_answers_in_place() {
    check("reverse", reverse::rows());
}

#[test]
fn histogram_answers_in_place() {
    check("histogram", histogram::rows());
}

#[test]
fn double_histogram_answers_in_place() {
    check("double_histogram", double_histogram::rows());
}

#[test]
fn sort_answers_in_place() {
    check("sort", sort::rows());
}

#[test]
fn most_frequent_answers_in_place() {
    check("most_frequent", most_frequent::rows());
}

#[test]
fn dyck1_answers_in_place() {
    check("dyck1", brackets::rows(&[["(", ")"]]));
}

#[test]
fn dyck2_answers_in_place() {
    check("dyck2", brackets::rows(&[["(", ")"], ["{", "}"]]));
}

#[test]
fn parity_answers_in_place() {
    check("parity", parity::rows());
}
