//! Sessions of `psl debug`, by scripts.

#![allow(clippy::expect_used, reason = "a test may fail by panic")]

mod binary;

use binary::{code, err, folder, out, psl_in, repository};

/// Two layers in a block that takes two passes.
const NESTED: &str = "\
//@ test flip \"A B\" => \"A\"
//@ max-new 1
registers: {symbol: 's', position: 'p', mark: 'm', count: 'c'}
constants: {OFF, ON}
watch: [mark]

# start
where symbol[N] == symbol[N]:
    mark[N] = OFF

repeat:
    # turn on
    where mark[N] == OFF:
        mark[N] = ON
    # count
    where mark[N] == ON:
        count[N] = symbol[N]
until NO_CHANGE
";

/// Runs commands on the first test of a program, and checks what the session prints after the first place.
fn check(program: &str, commands: &str, expected: &str) {
    let folder = folder(&[("a.psl", program)]);
    let output = psl_in(folder.path(), &["debug", "a.psl"], commands.as_bytes());
    assert_eq!((code(&output), err(&output).as_str()), (0, ""), "{}", out(&output));
    let printed = out(&output);
    let start = printed.find("(psl)").expect("a command");
    assert_eq!(printed.get(start..), Some(expected), "{printed}");
}

#[test]
fn a_run_goes_both_ways() {
    check(
        NESTED,
        "step\nnext\nback\nstepback\nback\n",
        "\
(psl) step
step 0, cell 2 (B), layer 1 · start
  attends to cell 2 (B): mark ∅ → OFF
> 8 | where symbol[N] == symbol[N]:
(psl) next
step 0, cell 2 (B), before block 1
> 11 | repeat:
(psl) back
step 0, cell 2 (B), layer 1 · start
  attends to cell 2 (B): mark ∅ → OFF
> 8 | where symbol[N] == symbol[N]:
(psl) stepback
step 0, cell 1 (A), layer 1 · start
  attends to cell 1 (A): mark ∅ → OFF
> 8 | where symbol[N] == symbol[N]:
(psl) back
this is the start of the run
step 0, cell 1 (A), layer 1 · start
  attends to cell 1 (A): mark ∅ → OFF
> 8 | where symbol[N] == symbol[N]:
",
    );
}

#[test]
fn an_empty_line_repeats_the_last_movement() {
    let folder = folder(&[("a.psl", NESTED)]);
    let moved = |commands: &str| {
        let output = psl_in(folder.path(), &["debug", "a.psl"], commands.as_bytes());
        out(&output).lines().rfind(|line| line.starts_with("step ")).map(str::to_owned)
    };
    assert_eq!(moved("next\nwhere\n\n"), moved("next 2\n"));
    assert_ne!(moved("next\n"), moved("next 2\n"));
}

#[test]
fn breakpoints_stop_in_both_directions() {
    check(
        NESTED,
        "break count if cell == 2\nwatch mark[2]\ncontinue\ncontinue\nrback\n",
        "\
(psl) break count if cell == 2
breakpoint 1: layer 3, line 16, if cell == 2
(psl) watch mark[2]
breakpoint 2: changes of mark[2]
(psl) continue
breakpoint 2: changes of mark[2]
step 0, cell 2 (B), layer 1 · start
  attends to cell 2 (B): mark ∅ → OFF
> 8 | where symbol[N] == symbol[N]:
(psl) continue
breakpoint 2: changes of mark[2]
step 0, cell 2 (B), layer 2, pass 1 · turn on
  attends to cell 2 (B): mark OFF → ON
> 13 |     where mark[N] == OFF:
(psl) rback
breakpoint 2: changes of mark[2]
step 0, cell 2 (B), layer 1 · start
  attends to cell 2 (B): mark ∅ → OFF
> 8 | where symbol[N] == symbol[N]:
",
    );
}

#[test]
fn a_wrong_symbol_leads_to_the_layer_that_wrote_it() {
    let program = format!("{NESTED}# answer\nwhere mark[N] == ON:\n    symbol[N] = OFF\n");
    check(
        &program,
        "diff\ngoto step 0 layer 4 cell 2\nfrom symbol[2]\nsymbol[N]\nsymbol[N] == OFF\n",
        "\
(psl) diff
expected A, got OFF
the last layer that wrote it: goto step 0 layer 4 cell 2
step 0, after the last layer: symbol 1 is OFF
(psl) goto step 0 layer 4 cell 2
step 0, cell 2 (B), layer 4 · answer
  attends to cell 2 (B): symbol B → OFF
> 20 | where mark[N] == ON:
(psl) from symbol[2]
symbol[2] = B: the prompt has it (goto step 0 layer 1 cell 2)
(psl) symbol[N]
B
(psl) symbol[N] == OFF
false: B == OFF
",
    );
}

#[test]
fn a_command_that_fails_ends_a_script() {
    let folder = folder(&[("a.psl", NESTED), ("script", "next\nnexd\nnext\n")]);
    let failed = |args: &[&str], input: &str| {
        let output = psl_in(folder.path(), &[&["debug", "a.psl"], args].concat(), input.as_bytes());
        (code(&output), err(&output))
    };
    let unknown = "unknown command `nexd`; did you mean `next`?\n";
    assert_eq!(failed(&["--script", "script"], ""), (1, format!("error: script:2: {unknown}")));
    assert_eq!(failed(&[], "nexd\n"), (1, format!("error: <stdin>:1: {unknown}")));
    let no_cell = "error: <stdin>:1: there is no cell 9: the cells are 1 to 2\n";
    assert_eq!(failed(&[], "cell 9\n"), (1, no_cell.to_owned()));
}

#[test]
fn wrong_arguments_are_reported() {
    let folder =
        folder(&[("a.psl", NESTED), ("broken.psl", "registers: {"), ("none.psl", &NESTED.replace("//@ t", "# t"))]);
    let failed = |args: &[&str]| {
        let output = psl_in(folder.path(), &[&["debug"], args].concat(), b"");
        (code(&output), err(&output))
    };
    let (status, message) = failed(&["a.psl", "--test", "flop"]);
    assert_eq!((status, message.as_str()), (2, "psl: a.psl: unknown test `flop`; did you mean `flip`?\n"));
    let (status, message) = failed(&["broken.psl"]);
    assert!(status == 1 && message.contains("broken.psl:1:"), "{message}");
    let (status, message) = failed(&["none.psl"]);
    assert!(status == 2 && message.contains("--prompt"), "{message}");
    let (status, message) = failed(&["missing.psl"]);
    assert!(status == 2 && message.contains("missing.psl"), "{message}");
}

#[test]
fn the_reason_of_a_failed_run_is_at_its_end() {
    let endless = NESTED
        .replace("# count\n    where mark[N] == ON:", "# off\n    where mark[N] == ON:")
        .replace("count[N] = symbol[N]", "mark[N] = OFF");
    let folder = folder(&[("a.psl", &endless.replace("until NO_CHANGE", "until count[N] == ON"))]);
    let output = psl_in(folder.path(), &["debug", "a.psl"], b"catch endless\ncontinue\nback\n");
    let printed = out(&output);
    assert!(printed.contains("the run failed: ") && code(&output) == 0, "{printed}");
    assert!(printed.trim_end().lines().any(|line| line.contains("layer 3, pass ")), "{printed}");
}

#[test]
fn the_program_of_the_paper_runs_to_its_end() {
    let commands = "break layer 12 if cell == 7\ncontinue\nwhere\ngoto end\ndiff\n";
    let output = psl_in(&repository(), &["debug", "examples/pargen.psl", "--test", "swap"], commands.as_bytes());
    let printed = out(&output);
    assert!(printed.contains("#2  pass 1 of P4: spread XA up to the cue"), "{printed}");
    assert!(printed.ends_with("no difference: the continuation is K L V F G H .\n"), "{printed}");
}
