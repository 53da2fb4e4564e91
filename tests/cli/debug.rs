//! Sessions of `psl debug`, by scripts.

use crate::binary::{code, err, folder, out, psl_in, repository};

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
fn a_register_can_be_changed_until_the_restart() {
    check(
        NESTED,
        "set symbol[2] = C\nset mark[N]=\u{2205}\nfrom symbol[2]\ngoto end\nrestart\ngoto end\n",
        "\
(psl) set symbol[2] = C
changed run: step 0, cell 1 (A), layer 1 · start
  attends to cell 1 (A): mark ∅ → OFF
> 8 | where symbol[N] == symbol[N]:
(psl) set mark[N]=∅
changed run: step 0, cell 1 (A), layer 1 · start
  attends to cell 1 (A): mark ∅ → OFF
> 8 | where symbol[N] == symbol[N]:
(psl) from symbol[2]
symbol[2] = C: the debugger has changed it (goto step 0 layer 1 cell 2)
(psl) goto end
changed run: the run is complete: C …
(psl) restart
step 0, cell 1 (A), layer 1 · start
  attends to cell 1 (A): mark ∅ → OFF
> 8 | where symbol[N] == symbol[N]:
(psl) goto end
the run is complete: B …
",
    );
}

#[test]
fn layers_can_be_ablated_until_the_restart() {
    check(
        NESTED,
        "ablate\ngoto layer 2 pass 2\nablate start, 3\nablate\nablate 2\ngoto layer 2\nwhy\nablate none\nrestart\n",
        "\
(psl) ablate
no layer is ablated
(psl) goto layer 2 pass 2
step 0, cell 1 (A), layer 2, pass 2 · turn on
  attends to no cell: nothing changes
> 13 |     where mark[N] == OFF:
(psl) ablate start, 3
without layers 1 and 3, the continuation stays B …; cells 1, 2 end with other values
the run no longer comes to the place where you were
run without layers 1 and 3: step 0, after the last layer: symbol 1 is B
(psl) ablate
ablated: layer 1 · start
ablated: layer 3 · count
(psl) ablate 2
without layer 2, the continuation stays B …; cells 1, 2 end with other values
run without layer 2: step 0, after the last layer: symbol 1 is B
(psl) goto layer 2
run without layer 2: step 0, cell 1 (A), layer 2, pass 1 · turn on
  attends to cell 1 (A): layer 2 is ablated and sets nothing
> 13 |     where mark[N] == OFF:
(psl) why
mark[N] == OFF holds: OFF == OFF
cell 1 attends to cell 1
layer 2 is ablated: it writes nothing
(psl) ablate none
with all layers, the continuation stays B …; cells 1, 2 end with other values
step 0, cell 1 (A), layer 2, pass 1 · turn on
  attends to cell 1 (A): mark OFF → ON
> 13 |     where mark[N] == OFF:
(psl) restart
step 0, cell 1 (A), layer 1 · start
  attends to cell 1 (A): mark ∅ → OFF
> 8 | where symbol[N] == symbol[N]:
",
    );
}

#[test]
fn layers_that_are_ablated_at_the_start_stay_so() {
    let folder = folder(&[("a.psl", NESTED)]);
    let output = psl_in(folder.path(), &["debug", "a.psl", "--ablate", "2-"], b"ablate none\nrestart\n");
    assert_eq!(code(&output), 0, "{}", err(&output));
    let without = "run without layers 2-3: step 0, cell 1 (A), layer 1 · start\n";
    assert_eq!(out(&output).matches(without).count(), 2, "{}", out(&output));
    for (args, commands, expected) in [
        (&["--ablate", "4"][..], "", "psl: layer 4 is out of range: the program has 3 layers"),
        (&[], "ablate 4", "layer 4 is out of range: the program has 3 layers"),
        (&[], "ablate P4", "no layer is called `P4`; name one by its number, from 1 to 3, or by its label"),
    ] {
        let output = psl_in(folder.path(), &[&["debug", "a.psl"], args].concat(), commands.as_bytes());
        assert!(err(&output).contains(expected), "{}", err(&output));
    }
}

#[test]
fn machines_that_agree_do_not_stop() {
    let folder = folder(&[("a.psl", NESTED)]);
    let output = psl_in(folder.path(), &["debug", "a.psl", "--verify"], b"catch disagree\ncontinue\n");
    assert_eq!(code(&output), 0, "{}", out(&output));
    assert!(out(&output).ends_with("the run is complete: B …\n"), "{}", out(&output));
    let output = psl_in(folder.path(), &["debug", "a.psl"], b"catch disagree\n");
    assert_eq!(code(&output), 1);
    assert!(err(&output).contains("start with --verify"), "{}", err(&output));
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
fn until_goes_to_the_next_change_or_production() {
    check(
        NESTED,
        "until mark[2] changes\nuntil mark == ON if cell == 2\nbreak count if cell == 1\nuntil turn on\nuntil 16 hits 2\nuntil count[9]\nbreakpoints\n",
        "\
(psl) until mark[2] changes
step 0, cell 2 (B), layer 1 · start
  attends to cell 2 (B): mark ∅ → OFF
> 8 | where symbol[N] == symbol[N]:
(psl) until mark == ON if cell == 2
step 0, cell 2 (B), layer 2, pass 1 · turn on
  attends to cell 2 (B): mark OFF → ON
> 13 |     where mark[N] == OFF:
(psl) break count if cell == 1
breakpoint 1: layer 3, line 16, if cell == 1
(psl) until turn on
breakpoint 1: layer 3, line 16, if cell == 1
step 0, cell 1 (A), layer 3, pass 1 · count
  attends to cell 1 (A): count ∅ → A
> 16 |     where mark[N] == ON:
(psl) until 16 hits 2
breakpoint 1: layer 3, line 16, if cell == 1
step 0, cell 1 (A), layer 3, pass 2 · count
  attends to cell 1 (A): count stays A
> 16 |     where mark[N] == ON:
(psl) until count[9]
the run is complete: B …
(psl) breakpoints
breakpoint 1: layer 3, line 16, if cell == 1
",
    );
}

#[test]
fn until_needs_a_register_or_a_production() {
    let folder = folder(&[("a.psl", NESTED)]);
    let failed = |command: &str, expected: &str| {
        let output = psl_in(folder.path(), &["debug", "a.psl"], command.as_bytes());
        assert_eq!(code(&output), 1);
        assert!(err(&output).contains(expected), "{command}: {}", err(&output));
    };
    failed("until", "expected `until REGISTER[CELL] [changes] | REGISTER");
    failed("until mark[n] changes", "`n` is another cell at each layer");
    failed("until changes", "no layer is called `changes`");
    failed("until mark changes changes", "expected a register of a cell");
}

#[test]
fn a_watch_of_all_cells_names_the_cell_of_each_stop() {
    let program = NESTED.replace("watch: [mark]", "watch: []");
    check(
        &program,
        "watch mark\ncontinue\nwatch! mark[N] != OFF if cell == 2\ndelete 1\ncontinue\nrback\nwatch count == 'B'\ncontinue\n",
        "\
(psl) watch mark
breakpoint 1: changes of mark in any cell
(psl) continue
breakpoint 1: changes of mark in any cell: cell 2
step 0, cell 2 (B), layer 1 · start
  attends to cell 2 (B): mark ∅ → OFF
> 8 | where symbol[N] == symbol[N]:
(psl) watch! mark[N] != OFF if cell == 2
breakpoint 2: writes of mark in any cell to another value than OFF, if cell == 2
(psl) delete 1
(psl) continue
breakpoint 2: writes of mark in any cell to another value than OFF, if cell == 2: cell 2
step 0, cell 2 (B), layer 2, pass 1 · turn on
  attends to cell 2 (B): mark OFF → ON
> 13 |     where mark[N] == OFF:
(psl) rback
this is the start of the run
step 0, cell 1 (A), layer 1 · start
  attends to cell 1 (A): mark ∅ → OFF
> 8 | where symbol[N] == symbol[N]:
(psl) watch count == 'B'
breakpoint 3: changes of count in any cell to B
(psl) continue
breakpoint 2: writes of mark in any cell to another value than OFF, if cell == 2: cell 2
step 0, cell 2 (B), layer 2, pass 1 · turn on
  attends to cell 2 (B): mark OFF → ON
> 13 |     where mark[N] == OFF:
",
    );
}

#[test]
fn conditions_and_watches_take_any_value() {
    check(
        NESTED,
        "break 8 if position[N] == 2\ncontinue\nbreak 16 if symbol[N] == \"three\"\nwatch symbol != 'B'\n\
         watch! count[2] == \"A\" if symbol[1] == Aa\nuntil symbol[1] == four\nsymbol[N] in [three, B]\n",
        "\
(psl) break 8 if position[N] == 2
breakpoint 1: layer 1, line 8, if position[N] == 2
(psl) continue
breakpoint 1: layer 1, line 8, if position[N] == 2
step 0, cell 2 (B), layer 1 · start
  attends to cell 2 (B): mark ∅ → OFF
> 8 | where symbol[N] == symbol[N]:
(psl) break 16 if symbol[N] == \"three\"
breakpoint 2: layer 3, line 16, if symbol[N] == \"three\"
this run has no value `three`
(psl) watch symbol != 'B'
breakpoint 3: changes of symbol in any cell to another value than B
(psl) watch! count[2] == \"A\" if symbol[1] == Aa
breakpoint 4: writes of count[2] to A, if symbol[1] == Aa
this run has no value `Aa`
(psl) until symbol[1] == four
this run has no value `four`
the run is complete: B …
(psl) symbol[N] in [three, B]
true: B in [three, B] (this run has no value `three`)
",
    );
}

#[test]
fn the_origin_of_a_constant_continues_with_what_its_conditions_read() {
    check(
        NESTED,
        "goto end\nfrom mark[2]\n",
        "\
(psl) goto end
the run is complete: B …
(psl) from mark[2]
mark[2] = ON: layer 2, pass 1, writes a constant, because mark[2] = OFF (goto step 0 layer 2 pass 1 cell 2)
mark[2] = OFF: layer 1 writes a constant, because symbol[2] = B (goto step 0 layer 1 cell 2)
symbol[2] = B: the prompt has it (goto step 0 layer 1 cell 2)
",
    );
}

#[test]
fn a_long_origin_ends_with_a_way_to_go_on() {
    // Each cell has one more pass than the cell to its left.
    let program = "registers: {symbol: 's', position: 'p', left: 'l', mark: 'm'}\nconstants: {A, ON}\n\
                   where symbol[N] == A:\n    mark[N] = ON\n\
                   repeat:\n    where position[n] == position[N]@pos_decrement:\n        left[N] = mark[n]\n\
                   \u{20}   where left[N] == ON:\n        mark[N] = ON\nuntil NO_CHANGE\n";
    let folder = folder(&[("a.psl", program)]);
    let prompt = format!("A{}", " B".repeat(100));
    let from = |commands: &str| {
        let output = psl_in(folder.path(), &["debug", "a.psl", "--prompt", &prompt], commands.as_bytes());
        assert_eq!(code(&output), 0, "{}", err(&output));
        let printed = out(&output);
        printed.rsplit("(psl) ").next().expect("an answer").lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let lines = from("goto step 0 layer 3 pass 100 cell 101\nnext\nfrom mark[101]\n");
    assert_eq!(lines.len(), 41);
    assert_eq!(
        lines.last().expect("a line"),
        "… at a layer above, `from` continues with a register that it copied or tested"
    );
    // The trace continues from the last layer that is listed.
    let (text, way) = lines.iter().rev().nth(1).expect("a line").split_once(" (goto ").expect("a way");
    assert!(text.contains("copies it"), "{text}");
    let cell: usize = text.split(['[', ']']).nth(1).and_then(|cell| cell.parse().ok()).expect("a cell");
    let next = from(&format!("goto {}\nfrom mark[{}]\n", way.trim_end_matches(')'), cell - 1));
    assert!(
        next.first().is_some_and(|line| line.starts_with(&format!("mark[{}] = ON: layer 3, pass ", cell - 1))),
        "{next:?}"
    );
}

#[test]
fn hits_logs_and_disabled_breakpoints() {
    check(
        NESTED,
        "break layer 3 if cell == 2 hits 2\nb! turn on log cell {cell} in pass {pass}: {mark[N]}\n\
         catch ahead if cell == 1\ndisable 3\nbreakpoints\ncontinue\nenable 3\ndelete 2\nrback\n",
        "\
(psl) break layer 3 if cell == 2 hits 2
breakpoint 1: layer 3, line 16, if cell == 2, hits 2
(psl) b! turn on log cell {cell} in pass {pass}: {mark[N]}
breakpoint 2: layer 2, line 13, everywhere, log cell {cell} in pass {pass}: {mark[N]}
(psl) catch ahead if cell == 1
breakpoint 3: a cell that attends to its right, if cell == 1
(psl) disable 3
breakpoint 3 (disabled): a cell that attends to its right, if cell == 1
(psl) breakpoints
breakpoint 1: layer 3, line 16, if cell == 2, hits 2
breakpoint 2: layer 2, line 13, everywhere, log cell {cell} in pass {pass}: {mark[N]}
breakpoint 3 (disabled): a cell that attends to its right, if cell == 1
(psl) continue
cell 1 in pass 1: OFF
cell 1 in pass 2: ON
breakpoint 1: layer 3, line 16, if cell == 2, hits 2
step 0, cell 2 (B), layer 3, pass 2 · count
  attends to cell 2 (B): count stays B
> 16 |     where mark[N] == ON:
(psl) enable 3
breakpoint 3: a cell that attends to its right, if cell == 1
(psl) delete 2
(psl) rback
this is the start of the run
step 0, cell 1 (A), layer 1 · start
  attends to cell 1 (A): mark ∅ → OFF
> 8 | where symbol[N] == symbol[N]:
",
    );
}

#[test]
fn breakpoints_report_what_they_cannot_read() {
    let folder = folder(&[("a.psl", NESTED)]);
    let check = |command: &str, expected: &str| {
        let output = psl_in(folder.path(), &["debug", "a.psl"], command.as_bytes());
        assert_eq!((code(&output), err(&output)), (1, format!("error: <stdin>:1: {expected}\n")), "{command}");
    };
    let count = "is not a hit count: write `5`, `>= 5` or `% 3`, with a number from 1 on";
    check("break 8 hits few", &format!("`few` {count}"));
    check("watch mark[2] hits 0", &format!("`0` {count}"));
    check("break 8 log {mark[N]", "a `}` is missing after `{mark[N]`");
    let one_value = "`watch` compares with one value, as in `field[5] == XQ`: write other conditions after `if`";
    check("watch mark == \u{2205}", one_value);
    check("watch mark in [ON, OFF]", one_value);
    check("watch mark == ON and count[1] == B", one_value);
    check("catch ahead now", "expected `if`, `hits` or `log`, found `now`");
    check("enable 4", "there is no breakpoint 4: `breakpoints` lists them");
    check("disable", "expected `disable NUMBER`, found nothing");
}

#[test]
fn a_help_names_the_clauses_of_breakpoints() {
    check(
        NESTED,
        "help watch\nhelp delete\n",
        "\
(psl) help watch
watch REGISTER[CELL] | REGISTER [== VALUE | != VALUE] [if CONDITION] [hits COUNT] [log MESSAGE] (short: w)
  stop where a register of a cell changes, such as watch field[5] == XQ, or of any cell, such as watch field
  if CONDITION  only where a condition holds, such as field[N] == XQ and cell == 7; also with step and pass
  hits COUNT    only at hits with these numbers, counted from the start of the run: 5, >= 5 or % 3
  log MESSAGE   print a line instead of a stop; braces contain expressions, such as {cell}: {field[N]}
(psl) help delete
delete NUMBER (short: d)
  delete a breakpoint
",
    );
}

#[test]
fn a_wrong_end_is_caught() {
    let program = NESTED.replace("=> \"A\"", "=> \"B .\"");
    check(
        &program,
        "catch wrong\ncontinue\n",
        "\
(psl) catch wrong
breakpoint 1: a continuation that differs from the test's
(psl) continue
breakpoint 1: a continuation that differs from the test's
the run is complete: B …
",
    );
}

#[test]
fn a_role_that_the_prompt_sets_comes_from_the_prompt() {
    let program = "\
//@ input eop, parse
//@ test json \"cells.json\" => \"x\"
//@ max-new 1
registers: {symbol: 's', position: 'p', parse: 'a', eop: 'z'}
constants: {A, B, EOP}
where eop[N] == A:
    symbol[N] = B
";
    let cells = r#"[{"symbol": "x", "eop": "A"}, {"symbol": "y", "eop": "EOP", "parse": "1"}]"#;
    let folder = folder(&[("a.psl", program), ("cells.json", cells)]);
    let from = |register: &str, cells: &[&str]| {
        let commands = format!("from {register}\n");
        let output = psl_in(folder.path(), &[&["debug", "a.psl"], cells].concat(), commands.as_bytes());
        let printed = out(&output);
        let (_, answer) = printed.rsplit_once(&commands).expect("an answer");
        answer.split(" (goto").next().expect("a text").to_owned()
    };
    assert_eq!(from("eop[1]", &[]), "eop[1] = A: the prompt has it");
    assert_eq!(from("eop[2]", &[]), "eop[2] = EOP: the prompt has it");
    assert_eq!(from("parse[2]", &[]), "parse[2] = 1: the prompt has it");
    assert_eq!(from("parse[1]", &[]), "parse[1] = 1: the machine sets it");
    assert_eq!(from("eop[2]", &["--prompt", "x y"]), "eop[2] = EOP: the machine sets it");
    assert_eq!(from("parse[2]", &["--prompt", "x y"]), "parse[2] = 1: the machine sets it");
}

#[test]
fn a_wrong_symbol_leads_to_the_layer_that_wrote_it() {
    let program = format!("{NESTED}# answer\nwhere mark[N] == ON:\n    symbol[N] = OFF\n");
    check(
        &program,
        "diff\nwhy\ngoto step 0 layer 4 cell 2\nwhy\nfrom symbol[2]\nsymbol[N]\nsymbol[N] == OFF\n",
        "\
(psl) diff
expected A, got OFF
the last layer that wrote it: goto step 0 layer 4 cell 2
step 0, after the last layer: symbol 1 is OFF
`why` shows why cell 2 attends to cell 2 there
(psl) why
at step 0 layer 4 cell 2:
mark[N] == ON holds: ON == ON
cell 2 attends to cell 2
(psl) goto step 0 layer 4 cell 2
step 0, cell 2 (B), layer 4 · answer
  attends to cell 2 (B): symbol B → OFF
> 20 | where mark[N] == ON:
(psl) why
mark[N] == ON holds: ON == ON
cell 2 attends to cell 2
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
