//! Answers in the cells of the prompt: rows.

use serde_json::{Value, json};

use crate::{
    binary::{code, err, folder, out, psl_in, psl_with},
    command::psl,
};

/// A program that answers with the symbol to the right, except for `A`.
const NEXT: &str = "//@ answer next\n//@ test row \"a A b\" => \"∅ b ∅\"\nregisters: {symbol: 's', position: 'p', next: 'x'}\n\
    constants: {A}\nsystem: {symbol: symbol, position: position}\n\n# the symbol to the right\n\
    where position[n] == position[N]@pos_increment and symbol[n] != A:\n    next[N] = symbol[n]\n";

/// A version that also generates a symbol: that of the last cell.
fn generating() -> String {
    let output = NEXT.replace("position: position}", "position: position, output: symbol}");
    output.replace("//@ answer", "//@ max-new 1\n//@ allow-file non-causal\n//@ test \"c\" => \"c\"\n//@ answer")
}

/// Checks what `psl test` prints about the first line of the program with this line before it.
fn check(line: &str, expected: &str) {
    let done = psl_with(&["test", "-"], format!("{line}\n{NEXT}").as_bytes());
    let found = out(&done);
    assert_eq!(found.split("ok <stdin>:3:1").next(), Some(expected), "{}", err(&done));
    assert_eq!(code(&done), i32::from(expected.starts_with("FAILED")), "{}", err(&done));
}

#[test]
fn a_program_without_output_answers_with_rows() {
    let checked = psl_with(&["check", "-"], NEXT.as_bytes());
    assert_eq!((out(&checked).as_str(), code(&checked)), ("", 0), "{}", err(&checked));
    let folder = folder(&[("a.psl", NEXT), ("both.psl", &generating())]);
    let run = |program: &str, options: &[&str]| {
        let arguments = [&["run", program, "--prompt", "c A d"], options].concat();
        out(&psl_in(folder.path(), &arguments, b""))
    };
    assert_eq!(run("a.psl", &[]), "∅ d ∅\n");
    assert_eq!(run("a.psl", &["--verify"]), "∅ d ∅\n");
    assert_eq!(run("both.psl", &[]), "d\n");
    for machine in ["psm", "qkvm", "dat", "full-dat"] {
        assert_eq!(run("both.psl", &["--row", "--machine", machine]), "∅ d ∅\n");
    }
    let json: Value = serde_json::from_str(&run("a.psl", &["--format", "json"])).expect("JSON");
    assert_eq!(json, json!({"prompt": "c A d", "continuation": "∅ d ∅", "stopped": "prompt-pass"}));
}

#[test]
fn a_row_that_fails_is_explained() {
    check(r#"//@ test last row "a b" => "b ∅""#, "ok <stdin>:1:1: last\n");
    check(
        r#"//@ test row "a b c" => "b b ∅""#,
        "FAILED <stdin>:1:1: test 1: value 2 of the row is `c`, not `b`\n  prompt    a b c\n  expected  b b ∅\n  got       b c ∅\n              \
         ^\n  why       layer 1 (the symbol to the right, line 9) wrote it in cell 2, which attends to cell 3\n",
    );
    check(
        r#"//@ test row "a A" => "A a""#,
        "FAILED <stdin>:1:1: test 1: value 1 of the row is `∅`, not `A`\n  prompt    a A\n  expected  A a\n  got       ∅ ∅\n            \
         ^\n  why       no layer wrote `next` of cell 1\n",
    );
}

#[test]
fn a_law_is_about_rows() {
    check(
        r#"//@ law shifts row "$a $b $c" => "$b $c ∅""#,
        "ok <stdin>:1:1: shifts: holds for all different symbols but `A`\n",
    );
    check(
        r#"//@ law any row "$a $b" => "$b ∅""#,
        "FAILED <stdin>:1:1: test 1: value 1 of the row is `∅`, not `A`\n  prompt    a A\n  expected  A ∅\n  got       ∅ ∅\n            \
         ^\n  breaks    if `$b` is `A`\n  why       no layer wrote `next` of cell 1\n",
    );
}

#[test]
fn rows_run_on_all_machines_and_on_weights() {
    let folder = folder(&[("both.psl", &generating())]);
    let psl = |arguments: &str| psl_in(folder.path(), &arguments.split(' ').collect::<Vec<_>>(), b"");
    let done = psl("test both.psl --machine all");
    assert!(out(&done).ends_with("2 passed, 0 failed\n"), "{}{}", out(&done), err(&done));
    assert_eq!(code(&psl("compile both.psl --emit weights -o both.safetensors")), 0);
    assert_eq!(code(&psl("compile both.psl -o both.json")), 0);
    for form in ["both.safetensors", "both.json"] {
        let done = psl(&format!("test both.psl --weights {form}"));
        assert!(out(&done).ends_with("2 passed, 0 failed\n"), "{form}: {}{}", out(&done), err(&done));
    }
    let refused = psl("run both.json --row --prompt a");
    let reason =
        "error: both.json: no register answers in the cells of the prompt: name one, as in `//@ answer count`\n";
    assert_eq!((err(&refused).as_str(), code(&refused)), (reason, 1));
}

#[test]
fn compiled_forms_of_a_program_without_output_answer_with_rows() {
    let folder = folder(&[("a.psl", NEXT)]);
    let psl = |arguments: &str| psl_in(folder.path(), &arguments.split(' ').collect::<Vec<_>>(), b"");
    assert_eq!(code(&psl("compile a.psl --emit weights -o a.safetensors")), 0);
    assert_eq!(code(&psl("compile a.psl -o a.json")), 0);
    for form in ["a.safetensors", "a.json"] {
        let done = psl_in(folder.path(), &["run", form, "--prompt", "a A b", "--verify"], b"");
        assert_eq!(out(&done), "∅ b ∅\n", "{form}: {}", err(&done));
        let text = out(&psl(&format!("compile {form} --emit psl")));
        assert!(text.starts_with("//@ answer next\n"), "{form}: {text}");
    }
    let refused = psl("compile a.psl --emit hf -o a");
    let reason = "it generates nothing: give the register with the next symbol the role `output`";
    assert!(err(&refused).contains(reason) && code(&refused) == 1, "{}", err(&refused));
}

#[test]
fn rows_are_scored_by_line_and_by_token() {
    let folder =
        folder(&[("a.psl", NEXT), ("both.psl", &generating()), ("rows.tsv", "a b c\tb c ∅\na A\tA a\nb c\tc\n")]);
    let eval = |program: &str| {
        let arguments = ["eval", program, "rows.tsv", "--row", "--show", "none", "--format", "json"];
        let done = psl_in(folder.path(), &arguments, b"");
        assert_eq!(code(&done), 1, "{}", err(&done));
        serde_json::from_slice::<Value>(&done.stdout).expect("JSON")
    };
    for program in ["a.psl", "both.psl"] {
        let found = eval(program);
        let figures = ["total", "correct", "tokens", "correct_tokens"].map(|name| found[name].as_u64());
        assert_eq!(figures, [3, 1, 6, 4].map(Some), "{found}");
        assert!((found["token_accuracy"].as_f64().expect("a number") - 4.0 / 6.0).abs() < 1e-9);
    }
    let human = psl_in(folder.path(), &["eval", "a.psl", "rows.tsv", "--show", "none"], b"");
    assert!(out(&human).starts_with("4 of 6 tokens correct (66.67 %)\n1 of 3 correct (33.33 %), "), "{}", out(&human));
}

#[test]
fn rows_that_cannot_be_compared_are_errors_of_their_lines() {
    let wrong = |text: &str, expected: &str| {
        let done = psl_with(&["test", "-"], text.as_bytes());
        assert!(out(&done).starts_with(&format!("FAILED <stdin>:{expected}\n")), "{}{}", out(&done), err(&done));
        assert_eq!(code(&done), 1);
    };
    let length = "the row has 1 symbol, and the prompt 2 symbols";
    wrong(&format!("//@ test row \"a b\" => \"b\"\n{NEXT}"), &format!("1:23: {length}"));
    let without = generating().replace("//@ answer next\n", "");
    wrong(&without, "4:1: no register answers in the cells of the prompt");
    let misspelled = NEXT.replace("//@ answer next", "//@ answer nxet");
    let done = psl_with(&["check", "-"], misspelled.as_bytes());
    assert!(
        out(&done).contains("unknown register `nxet`") || err(&done).contains("unknown register `nxet`"),
        "{}",
        err(&done)
    );
    let needed = NEXT.replace("row \"a A b\" => \"∅ b ∅\"", "\"a\" => \"a\"");
    let done = psl_with(&["check", "-"], needed.as_bytes());
    assert_eq!(code(&done), 1);
    assert!(format!("{}{}", out(&done), err(&done)).contains("missing-role"), "{}", err(&done));
}

#[test]
fn an_arrow_with_a_minus_has_a_fix() {
    let text = NEXT.replace("\"a A b\" => ", "\"a A b\" -> ");
    let fixed = psl("check --fix a.psl").file("a.psl", text).mentions("fixed").prints("");
    assert_eq!(fixed.read("a.psl"), NEXT);
}

#[test]
fn a_row_is_formatted_like_other_tests() {
    psl("fmt -").input(NEXT.replace("//@", "#@")).prints(NEXT);
}

#[test]
fn a_debugger_catches_a_wrong_value_of_a_row() {
    let folder = folder(&[("a.psl", &NEXT.replace("∅ b ∅", "∅ b b"))]);
    let commands = b"catch wrong\ncontinue\nquit\n";
    let done = psl_in(folder.path(), &["debug", "a.psl", "--test", "1"], commands);
    let end = "breakpoint 1: a continuation that differs from the test's\nthe run is complete: ∅ b ∅\n";
    assert!(out(&done).contains(end), "{}{}", out(&done), err(&done));
}

#[test]
fn searches_compare_rows() {
    let hole = NEXT.replace("next[N] = symbol[n]", "next[N] = ?");
    let faulty = NEXT.replace("@pos_increment", "@pos_decrement");
    let folder = folder(&[("a.psl", NEXT), ("hole.psl", &hole), ("faulty.psl", &faulty)]);
    let found = |arguments: &str, expected: &str| {
        let done = psl_in(folder.path(), &arguments.split(' ').collect::<Vec<_>>(), b"");
        let all = out(&done) + &err(&done);
        assert!(all.contains(expected), "psl {arguments}: {all}");
    };
    found("fill hole.psl", "1. line 9: `symbol[n]`\n");
    found("repair faulty.psl", "1. line 8: Replace `@pos_decrement` with `@pos_increment`\n");
    found("mutate a.psl", "a.psl: the tests notice 16 of 16 mutants: 100 %\n");
    found("test a.psl --coverage", "a.psl: productions 1 of 1, conditions 2 of 2, assignments 1 of 1\n");
    found("minimize faulty.psl --prompt 1", "value 2 of the row is `a`: layer 1");
}
