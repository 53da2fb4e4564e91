//! `psl fill` and `psl repair`.

use std::{
    fs,
    process::{Command, Output, Stdio},
    thread::sleep,
    time::Duration,
};

use serde_json::{Value, json};

use crate::{
    binary::{code, err, folder, out, psl_in},
    command::psl,
};

/// The start of a program. `A` should become `B`, and `B` should become `C`.
const HEAD: &str = "//@ max-new 1\n//@ test \"C A\" => \"B\"\n//@ test \"A B\" => \"C\"\n\
                    registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B, C}\n\
                    system: {symbol: symbol, position: position, output: mark}\n";

/// A program with these two assignments.
fn program(of_a: &str, of_b: &str) -> String {
    format!("{HEAD}where symbol[N] == A:\n    {of_a}\nwhere symbol[N] == B:\n    {of_b}\n")
}

/// A program whose last assignment is wrong.
fn broken() -> String {
    program("mark[N] = B", "mark[N] = A")
}

/// The first result for the broken program.
const REPAIR: &str = "1. line 10: Replace `A` with `C`\n   -    mark[N] = A\n   +    mark[N] = C\n";

/// Checks why a search does not start or finds no result.
#[track_caller]
fn check_none(args: &str, program: &str, mentions: &str) {
    psl(args).input(program).code(1).mentions(mentions).prints("");
}

#[test]
fn one_hole_is_filled() {
    psl("fill -")
        .input(program("mark[N] = B", "mark[N] = ?"))
        .mentions("1 filling: ")
        .prints("1. line 10: `C`\n   -    mark[N] = ?\n   +    mark[N] = C\n");
}

#[test]
fn two_holes_are_filled_together() {
    psl("fill -").input(program("mark[N] = ?", "mark[N] = ?")).mentions("1 filling: ").prints(
        "1. line 8: `B`\n   line 10: `C`\n   -    mark[N] = ?\n   +    mark[N] = B\n   -    mark[N] = ?\n   +    mark[N] = C\n",
    );
}

#[test]
fn a_prompt_tells_fillings_apart() {
    let program = "//@ max-new 1\n//@ test \"A\" => \"A\"\nregisters: {symbol: 's', position: 'p', mark: 'm'}\n\
                   constants: {A, B}\nsystem: {symbol: symbol, position: position, output: mark}\n\
                   where symbol[N] == symbol[N]:\n    mark[N] = ?\n";
    let folder = folder(&[("a.psl", program), ("more.tsv", "B\tB\n")]);
    let found = psl_in(folder.path(), &["fill", "a.psl"], b"");
    assert_eq!(code(&found), 0);
    assert!(out(&found).starts_with("1. line 7: `"), "{}", out(&found));
    assert!(out(&found).contains("\nthey differ on the prompt `"), "{}", out(&found));
    let decided = psl_in(folder.path(), &["fill", "a.psl", "more.tsv"], b"");
    let shown = out(&decided);
    assert!(shown.starts_with("1. line 7: `symbol[N"), "{shown}");
    assert!(!shown.contains("mark[N] = A\n"), "{shown}");
}

#[test]
fn a_repair_is_a_change_with_which_the_tests_pass() {
    psl("repair -").input(broken()).mentions("1 repair: ").prints(REPAIR);
}

#[test]
fn two_changes_are_one_repair() {
    let tests = "//@ test \"C B\" => \"C\"\n//@ test \"B A\" => \"B\"\n";
    let program = format!("{tests}{}", program("mark[N] = C", "mark[N] = A"));
    psl("repair - --show 1").input(program).mentions("1 repair: ").prints(
        "1. line 10: Replace `C` with `B`\n   line 12: Replace `A` with `C`\n\
         \x20  -    mark[N] = C\n   +    mark[N] = B\n   -    mark[N] = A\n   +    mark[N] = C\n",
    );
}

#[test]
fn data_ranks_repairs() {
    let shown = format!("{REPAIR}   1 of 2 lines of the data right\n");
    psl("repair a.psl d.tsv")
        .file("a.psl", broken())
        .file("d.tsv", "B B\tC\nC C\tA\n")
        .mentions("1 repair")
        .prints(&shown);
    let shown = format!("{REPAIR}   1 of 1 line of the data right\n");
    psl("repair a.psl - --limit 1")
        .file("a.psl", broken())
        .input("B B\tC\nC C\tA\n")
        .mentions("1 repair")
        .prints(&shown);
}

#[test]
fn apply_writes_the_program() {
    let ran = psl("repair a.psl --apply 1").file("a.psl", broken()).mentions("1 repair").prints(REPAIR);
    assert_eq!(ran.read("a.psl"), program("mark[N] = B", "mark[N] = C"));
    ran.psl("repair a.psl").complains("a.psl: all tests pass\n").prints("");
}

#[test]
fn apply_makes_a_filter_of_standard_input() {
    let fixed = program("mark[N] = B", "mark[N] = C");
    psl("repair - --apply 1").input(broken()).mentions("1 repair").prints(&fixed);
    let lines = |text: &str| text.replace('\n', "\r\n");
    psl("repair - --apply 1").input(lines(&broken())).mentions("1 repair").prints(&lines(&fixed));
}

#[test]
fn a_number_without_a_result_is_wrong_usage() {
    let why = "psl: cannot apply repair 2: the search found 1 repair\n";
    let ran = psl("repair a.psl --apply 2").file("a.psl", broken()).code(2).mentions(why).prints(REPAIR);
    assert_eq!(ran.read("a.psl"), broken());
    psl("repair a.psl --apply 0").file("a.psl", broken()).code(2).mentions("0 is not in 1..").prints("");
    // Without any result, the code is that of a search without results.
    check_none("fill - --apply 1", &program("mark[N] = A", "mark[N] = ?"), "no filling: ");
}

#[test]
fn json_is_one_object() {
    let output = psl_in(folder(&[]).path(), &["repair", "-", "--format", "json"], broken().as_bytes());
    let mut found: Value = serde_json::from_str(&out(&output)).expect("an object");
    let seconds = found["seconds"].take();
    assert!(seconds.is_f64() && found["tried"].take().is_u64());
    let (start, end) =
        (json!({"line": 10, "column": 15, "offset": 263}), json!({"line": 10, "column": 16, "offset": 264}));
    let result = json!({
        "changes": [{"message": "Replace `A` with `C`", "start": start, "end": end}],
        "edits": [{"text": "C", "start": start, "end": end}],
        "warnings": [],
        "data": null,
        "same": [],
    });
    let all = json!({
        "file": "<stdin>", "found": [result], "differ": null, "compared_on": null, "tried": null, "cut_off": false, "seconds": null,
    });
    assert_eq!((found, err(&output).as_str()), (all, ""));
}

#[test]
fn a_search_that_cannot_start_names_the_reason() {
    let without_tests = |program: String| program.replace("//@ test", "//");
    check_none("fill -", &broken(), "<stdin>: the program has no holes: write `?` for a part that is missing\n");
    check_none("fill -", &without_tests(program("mark[N] = B", "mark[N] = ?")), "<stdin>: the program has no tests: ");
    check_none("repair -", &without_tests(broken()), "<stdin>: the program has no tests: ");
    check_none("repair -", &program("mark[N] = B", "mark[N] = ?"), "error[hole]: ");
    check_none("repair -", &program("mark[N] = B", "mrk[N] = A"), "error[unknown-register]: ");
    check_none("fill -", &program("mrk[N] = B", "mark[N] = ?"), "<stdin>: the program has errors\n");
    let gone = broken().replacen("\"C A\"", "json \"gone.json\"", 1);
    check_none("repair -", &gone, "<stdin>: a test cannot run: the prompt in gone.json: cannot read it: ");
}

#[test]
fn structured_prompts_are_examples() {
    let with_file = broken().replacen("\"A B\"", "json \"cells.json\"", 1);
    psl("repair a.psl")
        .file("a.psl", with_file)
        .file("cells.json", r#"[{"symbol": "A"}, {"symbol": "B"}]"#)
        .mentions("1 repair")
        .prints(REPAIR);
}

#[test]
fn data_that_cannot_be_read_is_wrong_usage() {
    for (data, why) in
        [("", "psl: d.tsv has no examples\n"), ("B B\n", "psl: cannot read line 1 of d.tsv: expected PROMPT<TAB>GOLD")]
    {
        psl("repair a.psl d.tsv").file("a.psl", broken()).file("d.tsv", data).code(2).mentions(why).prints("");
    }
    let both = "the program and the data cannot both come from standard input";
    psl("repair - -").input(broken()).code(2).mentions(both).prints("");
}

#[test]
fn a_search_without_time_is_cut_off() {
    let why = ": 0 programs tried in 0.0 s, and the search was cut off\n";
    check_none("repair - --seconds 0", &broken(), &format!("no repair{why}"));
    check_none("fill - --seconds 0", &program("mark[N] = B", "mark[N] = ?"), &format!("no filling{why}"));
}

/// A program whose repeat block never settles, and whose test no change passes soon.
fn endless() -> String {
    let test = "//@ max-new 3\n//@ test \"A B C A B C\" => \"Q R S\"\n";
    format!(
        "{test}{}",
        broken().split_once("\"C\"\n").expect("tests").1.replace(
            "where symbol[N] == B:\n    mark[N] = A\n",
            "repeat:\n    where mark[N] == B: mark[N] = A\n    where mark[N] == A: mark[N] = B\nuntil NO_CHANGE\n"
        )
    )
}

#[test]
fn programs_that_never_end_do_not_hold_up_a_search() {
    let found = psl_in(folder(&[]).path(), &["repair", "-", "--seconds", "1"], endless().as_bytes());
    assert_eq!((code(&found), out(&found).as_str()), (1, ""), "{}", err(&found));
    check_cut_off(&found);
}

#[track_caller]
fn check_cut_off(found: &Output) {
    let summary = err(found);
    assert!(summary.starts_with("no repair: ") && summary.ends_with(", and the search was cut off\n"), "{summary}");
}

#[test]
fn ctrl_c_ends_a_search() {
    let folder = folder(&[("a.psl", &endless())]);
    let child = Command::new("bash")
        .args([
            "-c",
            &format!("exec env --default-signal=INT '{}' repair a.psl --seconds 600", env!("CARGO_BIN_EXE_psl")),
        ])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("psl starts");
    // Long enough to listen to the signal.
    sleep(Duration::from_secs(1));
    let kill = format!("kill -INT {}", child.id());
    let _ = Command::new("bash").args(["-c", &kill]).status().expect("a shell");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(code(&output), 1);
    check_cut_off(&output);
    assert_eq!(fs::read_to_string(folder.path().join("a.psl")).expect("the program"), endless());
}
