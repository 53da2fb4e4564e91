//! Commands give no verdict where nothing was compared.

use crate::binary::{code, err, folder, out, psl_in};

/// A program without tests.
const PROGRAM: &str = "registers: {symbol: 's', position: 'p'}
constants: {A}

# everything becomes an A
where symbol[N] != A:
    symbol[N] = A
";
/// A line of a trace after the prompt pass.
const LATER: &str =
    r#"{"step":1,"layer":1,"pass":[],"cell":3,"attends":2,"production":"x","set":{},"state":{"symbol":"A"}}"#;

/// The command fails with this message and prints no verdict.
#[track_caller]
fn check(args: &[&str], message: &str) {
    let qkvl = r#"{"register_map": {"symbol": "s", "position": "p"}, "constant_map": {"A": "A"}, "watch_list": [], "system_map": {"symbol": "s", "position": "p", "output": "s"}, "weights": []}"#;
    let folder = folder(&[
        ("a.psl", PROGRAM),
        ("empty.json", qkvl),
        ("empty.jsonl", ""),
        ("later.jsonl", LATER),
        ("other.jsonl", &LATER.replace("\"A\"", "\"B\"")),
        ("words.txt", "A B ."),
    ]);
    if args.contains(&"made") {
        let made = ["compile", "a.psl", "--emit", "hf", "--vocabulary", "words.txt", "-o", "made"];
        assert_eq!(code(&psl_in(folder.path(), &made, b"")), 0);
    }
    let output = psl_in(folder.path(), args, b"");
    assert!(err(&output).contains(message), "{args:?}: {}", err(&output));
    assert!(code(&output) != 0 && out(&output).trim().is_empty(), "{args:?}: {}", out(&output));
    assert!(!err(&output).starts_with("verified:"), "{args:?}: {}", err(&output));
}

#[test]
fn traces_without_lines_are_not_compared() {
    let nothing = "have no lines to compare: both are empty";
    check(&["trace", "diff", "empty.jsonl", "empty.jsonl"], nothing);
    check(&["trace", "diff", "later.jsonl", "other.jsonl"], "neither starts with the prompt pass, step 0");
}

#[test]
fn without_prompts_nothing_is_verified() {
    let nothing = "psl: nothing is verified: standard input has no prompts";
    check(&["run", "a.psl", "--verify"], nothing);
    check(&["run", "made", "--verify"], nothing);
}

#[test]
fn data_without_lines_is_not_scored() {
    check(&["eval", "a.psl", "empty.jsonl"], "empty.jsonl has no lines to score");
    check(&["tgt", "--split", "test", "--check", "empty.jsonl"], "empty.jsonl has no lines to check");
    check(&["nfe", "--check", "empty.jsonl"], "empty.jsonl has no lines to check");
}

#[test]
fn a_program_without_layers_is_not_verified() {
    check(&["run", "empty.json", "-p", "A", "--verify"], "the program has no production");
}

#[test]
fn a_checkpoint_without_tests_is_not_called_equal() {
    let folder = folder(&[("a.psl", PROGRAM), ("words.txt", "A B .")]);
    let args = ["compile", "a.psl", "--emit", "hf", "--vocabulary", "words.txt", "-o", "made"];
    let output = psl_in(folder.path(), &args, b"");
    let note = "note: no test was compared with the program: `psl run DIRECTORY --verify` compares a prompt\n";
    assert!(err(&output).ends_with(note) && !err(&output).contains("equal to"), "{}", err(&output));
    // Without generated tokens there is no margin.
    let output = psl_in(folder.path(), &["run", "made", "--verify", "-p", "A B", "--max-new", "0"], b"");
    assert!(err(&output).starts_with("verified: equal to dat on 4 registers\n"), "{}", err(&output));
}
