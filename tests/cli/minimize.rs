//! `psl minimize`.

use serde_json::{Value, json};

use crate::{
    binary::{code, err, folder, out, psl_in},
    command::psl,
};

/// A program of which the outputs need one production.
const PROGRAM: &str = "//@ max-new 1\n//@ test \"B A\" => \"B\"\nregisters: {symbol: 's', position: 'p', mark: 'm'}\n\
    constants: {A, B, C}\nsystem: {symbol: symbol, position: position, output: mark}\n\n# first\n\
    where symbol[N] == A and position[N] == position[N]:\n    mark[N] = A\n\n# second\nwhere symbol[N] == B:\n    \
    symbol[N] = C\n\n# third\nwhere symbol[N] in [A, C]:\n    mark[N] = B\n";

const STATES: &str = "3 of 3 productions, 3 of 4 conditions, 3 of 3 assignments, 2 of 2 list entries, 3 of 3 registers, \
    3 of 3 constants\n";

fn smaller() -> String {
    PROGRAM.replace(" and position[N] == position[N]", "")
}

#[test]
fn a_smaller_program_with_the_same_states_is_printed() {
    psl("minimize -")
        .input(PROGRAM)
        .mentions(STATES)
        .mentions("no further single removal keeps the states on 1 prompt: ")
        .mentions("same continuations and states as <stdin>: for all prompts of at most ")
        .prints(&smaller());
}

#[test]
fn only_outputs_count_with_an_option_and_other_prompts_may_differ() {
    let head = PROGRAM.split_once("# first").expect("productions").0.replace(", C}", "}");
    let outputs = psl("minimize a.psl --outputs -o b.psl")
        .file("a.psl", PROGRAM)
        .mentions("1 of 3 productions, 1 of 4 conditions, 1 of 3 assignments, 1 of 2 list entries, ")
        .mentions("no further single removal keeps the continuations on 1 prompt: ")
        .mentions("it differs from a.psl on other prompts: symbol 1 is ")
        .mentions("  expected  B …\n")
        .prints("");
    assert_eq!(outputs.read("b.psl"), format!("{head}# third\nwhere symbol[N] in [A]:\n    mark[N] = B\n"));
}

#[test]
fn lines_of_data_have_to_stay_too() {
    psl("minimize a.psl more.tsv --outputs")
        .file("a.psl", PROGRAM)
        .file("more.tsv", "A C\tB\nA B\tanything\n")
        .mentions("2 of 3 productions")
        .mentions(" on 3 prompts: ")
        .prints(
            &PROGRAM.replace("# first\nwhere symbol[N] == A and position[N] == position[N]:\n    mark[N] = A\n\n", ""),
        );
}

#[test]
fn json_has_the_text_and_the_sizes() {
    let output = psl_in(folder(&[("a.psl", PROGRAM)]).path(), &["minimize", "a.psl", "--format", "json"], b"");
    assert_eq!((code(&output), err(&output)), (0, String::new()));
    let found: Value = serde_json::from_str(&out(&output)).expect("JSON");
    assert_eq!(found["text"], json!(smaller()));
    assert_eq!((&found["before"]["conditions"], &found["after"]["conditions"]), (&json!(4), &json!(3)));
    assert_eq!((&found["outputs"], &found["cut_off"], &found["prompts"]), (&json!(false), &json!(false), &json!(1)));
    assert_eq!(found["compared"]["counterexample"], Value::Null);
    assert!(found["compared"]["up_to"].as_u64().is_some_and(|length| length > 3), "{found}");
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let folder = folder(&[("a.psl", PROGRAM)]);
    let with = |jobs: &str| {
        let output = psl_in(folder.path(), &["minimize", "a.psl", "--format", "json", "--jobs", jobs], b"");
        let mut minimal: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        minimal.as_object_mut().expect("an object").remove("seconds").expect("a time");
        minimal
    };
    let alone = with("1");
    for jobs in ["2", "4", "16"] {
        assert_eq!(with(jobs), alone, "{jobs} jobs");
    }
}

#[test]
fn a_program_without_prompts_or_with_errors_is_refused() {
    let none = PROGRAM.replace("//@ test \"B A\" => \"B\"\n", "");
    let why =
        "<stdin>: there are no prompts to compare: add a test such as `//@ test \"A B\" => \"C\"`, or a file of data\n";
    psl("minimize -").input(none).code(1).complains(why).prints("");
    psl("minimize -")
        .input(PROGRAM.replace("= C", "= ?"))
        .code(1)
        .mentions("<stdin>: the program has errors\n")
        .prints("");
    psl("minimize - -").input(PROGRAM).code(2).mentions("the program").prints("");
}

#[test]
fn a_search_that_is_cut_off_prints_what_it_has() {
    psl("minimize - --seconds 0")
        .input(PROGRAM)
        .code(1)
        .mentions("; the search was cut off: 0 programs")
        .prints(PROGRAM);
}

#[test]
fn a_program_with_structured_prompts_is_not_compared_on_short_ones() {
    let program = "//@ input link\n//@ test json \"a.json\" => \"A\"\n//@ max-new 1\n\
        registers: {symbol: 's', position: 'p', link: 'l'}\nconstants: {A, B}\n\
        system: {symbol: symbol, position: position, output: link}\nwhere symbol[N] == B:\n    link[N] = A\n\n\
        where symbol[N] == A:\n    link[N] = B\n";
    psl("minimize a.psl")
        .file("a.psl", program)
        .file("a.json", "[{\"symbol\": \"B\", \"link\": \"C\"}]")
        .mentions("1 of 2 productions")
        .mentions("note: not compared on short prompts: a.psl: its prompts are structured")
        .prints(program.split_once("\nwhere symbol[N] == A").expect("two productions").0);
}

/// The last `B` or `C` is the continuation.
const LAST: &str = "//@ max-new 1\n//@ test long \"x B y z C w u\" => \"B\"\n//@ test right \"B\" => \"B\"\n\
    registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {B, C}\n\
    system: {symbol: symbol, position: position, output: mark}\n# copy the last one\n\
    where_rm symbol[n] in [B, C]:\n    mark[N] = symbol[n]\n";

#[test]
fn the_prompt_of_a_failing_test_is_shortened() {
    psl("minimize a.psl --prompt long")
        .file("a.psl", LAST)
        .mentions("3 of 7 symbols, and none of them can go: ")
        .prints(
            "symbol 1 is `C`: layer 1 (copy the last one, line 8) wrote it in cell 3, which attends to cell 2\n\
         \x20 prompt    B C u\n  got       C …\n",
        );
    let output =
        psl_in(folder(&[("a.psl", LAST)]).path(), &["minimize", "a.psl", "--prompt", "long", "--format", "json"], b"");
    let found: Value = serde_json::from_str(&out(&output)).expect("JSON");
    assert_eq!((&found["prompt"], &found["before"], &found["after"]), (&json!("B C u"), &json!(7), &json!(3)));
}

#[test]
fn a_test_that_passes_or_is_unknown_is_refused() {
    let passes = "a.psl: the test passes: choose one that fails, which `psl test` lists\n";
    psl("minimize a.psl --prompt right").file("a.psl", LAST).code(1).complains(passes).prints("");
    psl("minimize a.psl --prompt other").file("a.psl", LAST).code(2).mentions("unknown test `other`").prints("");
    psl("minimize a.psl --prompt long --outputs")
        .file("a.psl", LAST)
        .code(2)
        .mentions("cannot be used with")
        .prints("");
}
