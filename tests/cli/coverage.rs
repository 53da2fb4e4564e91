//! The coverage of tests: `psl test --coverage`.

use serde_json::{Value, json};

use crate::{
    binary::{folder, out, psl_in},
    command::psl,
};

/// A program whose test fires both productions, and never meets `C`.
const ENDS: &str = "//@ test one \"A\" => \"B .\"\nregisters: {symbol: 's', position: 'p'}\nconstants: {A, B, C, '.'}\n\n\
                    # end after B\nwhere symbol[N] == B:\n    symbol[N] = '.'\nwhere symbol[N] in [A, C]:\n    symbol[N] = B\n";

/// A program whose test fails, and reaches only the end of the block.
const FAILS: &str = "//@ test \"x\" => \"y\"\n//@ max-new 1\nregisters: {symbol: 's', position: 'p', mark: 'm'}\n\
                     constants: {A, B}\nrepeat:\n    # first, then\n    where symbol[N] == A\n          and mark[N] != B:\n        \
                     mark[N] = B\nuntil NO_CHANGE\n";

#[test]
fn the_text_names_what_makes_no_difference() {
    let text = "ok a.psl:1:1: one\n1 passed, 0 failed\n\
                a.psl: productions 2 of 2, conditions 2 of 2, list entries 1 of 2, assignments 2 of 2\n  \
                a.psl:8:24: list entry `C` made no difference\n";
    psl("test --coverage").file("a.psl", ENDS).prints(text);
}

#[test]
fn the_text_follows_the_failures_and_names_what_is_not_reached() {
    let text = "FAILED a.psl:1:1: test 1: symbol 1 is `x`, not `y`\n  prompt    x\n  expected  y\n  got       x\n            \
                ^\n  why       no layer wrote `symbol` of cell 1, which had it in the prompt\n  more      psl run a.psl --prompt x --table\n\
                0 passed, 1 failed\n\
                a.psl: productions 0 of 1, conditions 0 of 2, assignments 0 of 1, sides of until 1 of 2\n  \
                a.psl:7:5: production `first, then` not reached\n  \
                a.psl:7:11: condition `symbol[N] == A` not reached\n  \
                a.psl:8:15: condition `mark[N] != B` not reached\n  \
                a.psl:10:1: another pass after `until NO_CHANGE` not reached\n";
    psl("test --coverage").file("a.psl", FAILS).code(1).prints(text);
}

#[test]
fn a_law_is_covered_by_different_symbols() {
    let law = ENDS.replace("//@ test one \"A\" => \"B .\"", "//@ law any \"$a.. A\" => \"B .\"");
    let text = "ok <stdin>:1:1: test 1: holds for all symbols\n1 passed, 0 failed\n\
                <stdin>: productions 2 of 2, conditions 2 of 2, list entries 1 of 2, assignments 2 of 2\n  \
                <stdin>:8:24: list entry `C` made no difference\n";
    psl("test - --coverage").input(law).prints(text);
}

#[test]
fn a_name_chooses_the_tests_that_count() {
    let two = format!("{ENDS}//@ test two \"C\" => \"B .\"\n");
    let of_both = "a.psl: productions 2 of 2, conditions 2 of 2, list entries 2 of 2, assignments 2 of 2\n";
    let both = format!("ok a.psl:1:1: one\nok a.psl:10:1: two\n2 passed, 0 failed\n{of_both}");
    let of_two = "a.psl: productions 2 of 2, conditions 2 of 2, list entries 1 of 2, assignments 2 of 2\n  \
                  a.psl:8:21: list entry `A` made no difference\n";
    let ran = psl("test --coverage").file("a.psl", &two).prints(&both);
    ran.psl("test --coverage --test two").prints(&format!("ok a.psl:10:1: two\n1 passed, 0 failed\n{of_two}"));
}

#[test]
fn lcov_has_productions_as_functions_and_conditions_as_branches() {
    let ends = "TN:\nSF:a.psl\nFN:6,end after B\nFN:8,production at line 8\nFNDA:1,end after B\n\
                FNDA:1,production at line 8\nFNF:2\nFNH:2\nBRDA:6,0,0,1\nBRDA:8,1,0,1\nBRDA:8,1,1,1\nBRDA:8,1,2,0\n\
                BRF:4\nBRH:3\nDA:6,1\nDA:7,1\nDA:8,1\nDA:9,1\nLF:4\nLH:4\nend_of_record\n";
    psl("test a.psl --coverage --format lcov").file("a.psl", ENDS).complains("1 passed, 0 failed\n").prints(ends);
    let fails = "TN:\nSF:a.psl\nFN:7,first; then\nFNDA:0,first; then\nFNF:1\nFNH:0\nBRDA:7,0,0,-\nBRDA:8,0,1,-\n\
                 BRDA:10,1,0,0\nBRDA:10,1,1,1\nBRF:4\nBRH:1\nDA:7,0\nDA:8,0\nDA:9,0\nDA:10,1\nLF:4\nLH:1\nend_of_record\n";
    let failure = "FAILED a.psl:1:1: test 1: symbol 1 is `x`, not `y`\n0 passed, 1 failed\n";
    psl("test a.psl --coverage --format lcov").file("a.psl", FAILS).code(1).complains(failure).prints(fails);
}

/// The lines that start with a word.
fn lines<'t>(text: &'t str, start: &str) -> Vec<&'t str> {
    text.lines().filter(|line| line.starts_with(start)).collect()
}

#[test]
fn lcov_contradicts_itself_nowhere() {
    // The second production never fires, but its condition alone refuses a cell.
    let text = ENDS.replace("where symbol[N] in [A, C]", "# end after B\nwhere symbol[N] == C");
    let folder = folder(&[("a.psl", &text)]);
    let found = out(&psl_in(folder.path(), &["test", "--coverage", "--format", "lcov"], b""));
    assert_eq!(lines(&found, "FN:"), ["FN:6,end after B at line 6", "FN:9,end after B at line 9"]);
    assert_eq!(lines(&found, "DA:9"), ["DA:9,0"]);
    assert_eq!(lines(&found, "BRDA:9"), ["BRDA:9,1,0,-"]);
}

#[test]
fn json_has_each_part_with_its_counts() {
    let folder = folder(&[("a.psl", ENDS)]);
    let output = out(&psl_in(folder.path(), &["test", "--coverage", "--format", "json"], b""));
    let found: Value = serde_json::from_str(&output).expect("one object");
    assert_eq!((&found["file"], &found["runs"]), (&json!("a.psl"), &json!(1)));
    assert_eq!(found["summary"]["entry"], json!({"mattered": 1, "total": 2}));
    assert_eq!(found["repeats"], json!([]));
    assert_eq!(found["productions"][0]["label"], "end after B");
    let place = |line, column, offset| json!({"line": line, "column": column, "offset": offset});
    let entry = json!({
        "text": "C", "start": place(8, 24, 172), "end": place(8, 25, 173),
        "kind": "entry", "reached": 2, "mattered": 0, "verdict": "made no difference",
    });
    assert_eq!(found["productions"][1]["parts"][3], entry);
    let kinds =
        |parts: &Value| parts.as_array().expect("a list").iter().map(|it| it["kind"].clone()).collect::<Vec<_>>();
    let expected = ["production", "condition", "entry", "entry", "assignment"].map(Value::from);
    assert_eq!(kinds(&found["productions"][1]["parts"]), expected);
    std::fs::write(folder.path().join("a.psl"), FAILS).expect("a file");
    let found = out(&psl_in(folder.path(), &["test", "--coverage", "--format", "json"], b""));
    let found: Value = serde_json::from_str(&found).expect("one object");
    assert_eq!(kinds(&found["repeats"][0]), ["went-on", "ended"].map(Value::from));
    assert_eq!(found["productions"][0]["parts"][0]["verdict"], "not reached");
}

#[test]
fn formats_without_coverage_are_refused() {
    let lcov = "psl: `--format lcov` is a format of the coverage: add `--coverage`\n";
    psl("test a.psl --format lcov").file("a.psl", ENDS).code(2).complains(lcov).prints("");
    let junit = "psl: JUnit's XML has no coverage: choose `--format human`, `json` or `lcov`\n";
    psl("test a.psl --coverage --format junit").file("a.psl", ENDS).code(2).complains(junit).prints("");
    let weights = "the argument '--coverage' cannot be used with '--weights <FILE>'";
    psl("test a.psl --coverage --weights b.json").file("a.psl", ENDS).code(2).mentions(weights).prints("");
}

#[test]
fn a_program_without_tests_has_no_coverage() {
    let none = ENDS.replace("//@ test", "# no test");
    let error = "error: no test ran: the programs have no `//@ test` lines; `--allow-none` accepts that\n";
    let text = "0 passed, 0 failed\na.psl: no test ran\n";
    psl("test --coverage").file("a.psl", none).code(1).complains(error).prints(text);
}

#[test]
fn a_program_with_errors_has_no_coverage() {
    let broken = ENDS.replace("== B", "== E");
    let text = "FAILED a.psl: the program does not compile\n0 passed, 1 failed\n";
    psl("test --coverage").file("a.psl", &broken).code(1).mentions("unknown constant `E`").prints(text);
    let failure = "FAILED a.psl: the program does not compile\n0 passed, 1 failed\n";
    psl("test --coverage --format lcov").file("a.psl", &broken).code(1).mentions(failure).prints("");
}
