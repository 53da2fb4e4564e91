//! `psl mutate`.

use std::fs;

use serde_json::Value;

use crate::{
    binary::{err, folder, out, psl_in, psl_with},
    command::psl,
};

/// A program that answers the last symbol, but `B` for `A`.
const PROGRAM: &str = "//@ max-new 1\n//@ test \"A\" => \"B\"\nregisters: {symbol: 's', position: 'p'}\nconstants: {A, B}\n\
                       system: {symbol: symbol, position: position, output: symbol}\n\
                       where symbol[N] == A:\n    symbol[N] = B\n";

fn json(args: &[&str], program: &str) -> Value {
    let args = [&["mutate", "-", "--format", "json"], args].concat();
    let done = psl_with(&args, program.as_bytes());
    serde_json::from_str(&out(&done)).unwrap_or_else(|error| panic!("{error}: {}{}", out(&done), err(&done)))
}

#[test]
fn mutants_that_no_test_notices_are_listed_with_a_test() {
    psl("mutate -").input(PROGRAM).prints(
        "1. line 6: Replace `N` with `n`\n   -where symbol[N] == A:\n   +where symbol[n] == A:\n  \
         prompt    A .\n  expected  .\n  got       B …\n  \
         differs   on 28 of 94 prompts like those of the tests\n  //@ test \"A .\" => \".\"\n\
         <stdin>: the tests notice 4 of 5 mutants: 80 %\n      \
         1 not noticed, and told apart by a prompt that no test has\n      \
         1 equal, as the text shows\n      1 with errors\n",
    );
}

/// Checks the first line of the summary, the exit code and standard error.
#[track_caller]
fn check_score(args: &str, expected: &str, code: i32, error: &str) {
    let done = psl_with(
        &[&["mutate", "-", "--show", "0"], &*args.split(' ').collect::<Vec<_>>()].concat(),
        PROGRAM.as_bytes(),
    );
    let summary = out(&done);
    let first = summary.lines().find(|line| line.starts_with("<stdin>")).unwrap_or_default();
    assert_eq!((first, done.status.code(), &*err(&done)), (expected, Some(code), error), "{summary}");
}

#[test]
fn the_score_decides_with_a_minimum() {
    let score = "<stdin>: the tests notice 4 of 5 mutants: 80 %";
    check_score("--minimum-score 80", score, 0, "");
    check_score("--minimum-score 95", score, 1, "the score is below 95 %\n");
    let none = "<stdin>: the tests could notice no mutant";
    check_score("--minimum-score 1 --seconds 0", none, 1, "the score is not known: not all mutants were tried\n");
    psl("mutate - --minimum-score 101").input(PROGRAM).code(2).mentions("expected a number from 0 to 100").prints("");
}

#[test]
fn a_new_test_notices_a_mutant() {
    let done = psl_with(&["mutate", "-", "--apply", "1"], PROGRAM.as_bytes());
    let better = out(&done);
    assert_eq!(better.lines().filter(|line| line.starts_with("//@ test")).count(), 2, "{better}");
    assert!(json(&[], &better)["told_apart"].as_u64() < json(&[], PROGRAM)["told_apart"].as_u64(), "{better}");
    let done = psl_with(&["mutate", "-", "--apply", "100"], PROGRAM.as_bytes());
    assert_eq!((done.status.code(), &*err(&done)), (Some(2), "psl: cannot apply mutant 100: the list has 1\n"));
}

#[test]
fn data_counts_as_tests() {
    let folder = folder(&[("p.psl", PROGRAM), ("data.tsv", "B A\tB\nA C\tC\n")]);
    let done = psl_in(folder.path(), &["mutate", "p.psl", "data.tsv", "--show", "0"], b"");
    assert!(out(&done).starts_with("p.psl: the tests notice 5 of 5 mutants: 100 %\n"), "{}", out(&done));
    psl("mutate p.psl data.tsv")
        .file("p.psl", PROGRAM)
        .file("data.tsv", "A\tB\nB\tA\n")
        .code(1)
        .complains("p.psl: line 2 of the data fails: mutants need tests that pass\n")
        .prints("");
}

#[test]
fn a_run_that_was_cut_off_is_resumed() {
    let folder = folder(&[("p.psl", PROGRAM)]);
    let run =
        |args: &[&str]| out(&psl_in(folder.path(), &[&["mutate", "p.psl", "--format", "json"], args].concat(), b""));
    let whole: Value = serde_json::from_str(&run(&[])).expect("JSON");
    let mut part = whole.clone();
    for mutant in part["mutants"].as_array_mut().expect("mutants").iter_mut().step_by(2) {
        let fields = mutant.as_object_mut().expect("a mutant");
        fields.retain(|field, _| ["message", "start", "end", "operator", "edits", "number"].contains(&field.as_str()));
    }
    // What was tried is not tried again.
    part["mutants"][1]["status"] = "equal".into();
    fs::write(folder.path().join("part.json"), part.to_string()).expect("a file");
    let resumed: Value = serde_json::from_str(&run(&["--resume", "part.json"])).expect("JSON");
    assert_eq!(resumed["mutants"][1]["status"], "equal");
    for index in (0..whole["mutants"].as_array().expect("mutants").len()).filter(|index| *index != 1) {
        assert_eq!(resumed["mutants"][index]["status"], whole["mutants"][index]["status"], "{index}");
    }
    part["text"] = "another".into();
    fs::write(folder.path().join("part.json"), part.to_string()).expect("a file");
    let other = psl_in(folder.path(), &["mutate", "p.psl", "--resume", "part.json"], b"");
    assert_eq!(err(&other), "error: part.json: it is about another version of p.psl, or other data\n");
}

#[test]
fn stryker_s_report_has_each_mutant() {
    let done = psl_with(&["mutate", "-", "--format", "stryker"], PROGRAM.as_bytes());
    let report: Value = serde_json::from_str(&out(&done)).expect("JSON");
    let file = &report["files"]["<stdin>"];
    assert_eq!(file["source"], PROGRAM);
    let mutants = file["mutants"].as_array().expect("mutants");
    let lines: Vec<&str> = PROGRAM.split('\n').collect();
    for mutant in mutants {
        let [start, end] = ["start", "end"].map(|end| &mutant["location"][end]);
        let place = |at: &Value| {
            let [line, column] = ["line", "column"].map(|it| at[it].as_u64().expect("a number") as usize);
            lines.iter().take(line - 1).map(|line| line.len() + 1).sum::<usize>() + column - 1
        };
        let changed = format!(
            "{}{}{}",
            &PROGRAM[..place(start)],
            mutant["replacement"].as_str().expect("text"),
            &PROGRAM[place(end)..]
        );
        assert_ne!(changed, PROGRAM);
        let test = psl_with(&["test", "-"], changed.as_bytes());
        let is_noticed = !test.status.success();
        let status = mutant["status"].as_str().expect("a status");
        // The schema allows no null.
        assert!(mutant.get("statusReason").is_none_or(Value::is_string), "{mutant}");
        assert_eq!(is_noticed, ["Killed", "Timeout", "CompileError"].contains(&status), "{mutant}");
        if status == "Killed" {
            assert_eq!(mutant["killedBy"][0], "test 1");
        }
    }
    assert_eq!(report["testFiles"]["<stdin>"]["tests"][0]["location"]["start"]["line"], 2);
}

#[test]
fn programs_that_cannot_be_tried() {
    let refused = |program: &str, why: &str| psl("mutate -").input(program).code(1).complains(why).prints("");
    refused(&PROGRAM.replace("=> \"B\"", "=> \"A\""), "<stdin>: test 1 fails: mutants need tests that pass\n");
    refused(
        &PROGRAM.replace("symbol[N] == A", "symbol[N] == ?"),
        "<stdin>: the program has holes: `psl fill` searches for what belongs there\n",
    );
    psl("mutate -")
        .input(PROGRAM.replace("//@ test \"A\" => \"B\"\n", ""))
        .code(1)
        .mentions("the program has no tests")
        .prints("");
    psl("mutate -").input(PROGRAM.replace("== A", "= A")).code(1).mentions("the program has errors").prints("");
}
