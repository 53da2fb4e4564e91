//! `psl turing`: its programs, its runs and its errors, and `examples/turing.psl` step by step.

use std::{fs, path::Path, process::Output};

use psl_program::{Runner, StructuredPrompt};
use psl_runtime::{MachineKind, Options, RunError, Task, Update, to_the_end};
use psl_syntax::program::{ProductionId, RegisterId};
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use rayon::prelude::*;
use serde_json::Value;

use crate::{
    binary::{code, err, folder, out, psl_in, psl_with, repository},
    example_tasks::turing::{Configuration, Machine},
};

/// Runs `psl turing` in `tests/turing`.
fn turing(args: &[&str]) -> Output {
    psl_in(&repository().join("tests/turing"), &[&["turing"], args].concat(), b"")
}

/// Runs `psl turing` on a table from standard input.
fn turing_of(table: &str, args: &[&str]) -> Output {
    psl_with(&[&["turing", "-"], args].concat(), table.as_bytes())
}

/// Checks the exit code, the standard output and the standard error.
#[track_caller]
fn check(output: &Output, expected: (i32, &str, &str)) {
    assert_eq!((code(output), out(output).as_str(), err(output).as_str()), expected);
}

#[test]
fn a_program_is_formatted_and_has_no_warnings() {
    for table in ["increment", "beaver2", "beaver3", "beaver4", "palindrome", "cycle"] {
        let program = out(&turing(&[&format!("{table}.tm")]));
        let formatted = psl_with(&["fmt", "--check", "-"], program.as_bytes());
        assert_eq!(code(&formatted), 0, "{table}: {program}");
        let checked = psl_with(&["check", "--deny", "warnings", "-"], program.as_bytes());
        assert_eq!(code(&checked), 0, "{table}: {}", out(&checked));
    }
}

#[test]
fn a_block_has_a_layer_for_each_instruction_and_four_more() {
    let program = out(&turing(&["beaver3.tm"]));
    let qkvl = out(&psl_with(&["compile", "-"], program.as_bytes()));
    let qkvl: Value = serde_json::from_str(&qkvl).expect("JSON");
    let layers = qkvl["weights"].as_array().expect("layers");
    let blocks: Vec<_> = layers.iter().filter(|layer| layer.get("until").is_some()).collect();
    assert_eq!(blocks.len(), 1, "{qkvl:#}");
    let labels: Vec<&str> = labels(blocks[0]);
    assert_eq!(labels.len(), 6 + 4);
    let numbers = ["75", "75", "75", "75", "75", "75", "76", "77", "78", "79"];
    for (label, number) in labels.iter().zip(numbers) {
        assert!(label.ends_with(&format!("({number})")), "{label}");
    }
    assert_eq!(labels[0], "# A 0 => B 1 R (75)");
}

/// The labels of the layers in a block of QKVL.
fn labels(block: &Value) -> Vec<&str> {
    let inner = block.as_object().expect("a block").values().find_map(Value::as_array).expect("layers");
    inner.iter().map(|layer| layer["layer_comment"].as_str().expect("a label")).collect()
}

#[test]
fn the_busy_beavers_have_their_figures() {
    for (states, steps, ones) in [(2, 6, 4), (3, 14, 6), (4, 107, 13)] {
        let folder = folder(&[]);
        let program = folder.path().join("beaver.psl");
        let beaver = format!("beaver{states}.tm");
        let written = program.to_str().expect("UTF-8");
        let output = turing(&[&beaver, "--tape", "0", "--pad", "15", "--blank", "0", "--run", "-o", written]);
        assert_eq!((code(&output), err(&output)), (0, format!("halted after {steps} steps in state `H`\n")));
        assert_eq!(out(&output).matches('1').count(), ones, "{}", out(&output));
        assert_eq!(out(&output).split_whitespace().count(), 31);
        for machine in ["psm", "qkvm", "dat", "full-dat"] {
            let run = |passes: usize| {
                let passes = passes.to_string();
                let args = ["--prompt-json", "beaver.json", "--machine", machine, "--max-passes", &passes];
                psl_in(folder.path(), &[&["run", "beaver.psl"], &args[..]].concat(), b"")
            };
            // One pass for each step, and one to halt.
            let halted = run(steps + 1);
            check(&halted, (0, &format!("{} .\n", out(&output).trim_end()), ""));
            assert_eq!(code(&run(steps)), 1, "{states} states, {machine}");
        }
    }
}

#[test]
fn a_trace_has_a_line_for_each_step() {
    let trace =
        "0 carry | _ 1 0 1 ^ 1\n1 carry | _ 1 0 ^ 1 0\n2 carry | _ 1 ^ 0 0 0\n3 done | _ ^ 1 1 0 0\n_ 1 1 0 0\n";
    for machine in ["psm", "qkvm", "dat", "full-dat"] {
        let output = turing(&["increment.tm", "--tape", "_ 1 0 1 1", "--head", "5", "--steps", "--machine", machine]);
        check(&output, (0, trace, "halted after 3 steps in state `done`\n"));
    }
    let output = turing(&["increment.tm", "--tape", "_ 1 0 1 1", "--head", "5", "--run"]);
    check(&output, (0, "_ 1 1 0 0\n", "halted after 3 steps in state `done`\n"));
}

#[test]
fn the_palindromes_are_found() {
    let mut words = vec![String::new()];
    for length in 0..5 {
        let longer: Vec<_> = words.iter().filter(|word| word.len() == length).cloned().collect();
        words.extend(longer.iter().flat_map(|word| ["a", "b"].map(|letter| format!("{word}{letter}"))));
    }
    assert_eq!(words.len(), 63);
    for word in words {
        let letters: Vec<String> = word.chars().map(String::from).collect();
        let output =
            turing(&["palindrome.tm", "--tape", &format!("_ {} _", letters.join(" ")), "--head", "2", "--run"]);
        let state = if word.chars().rev().eq(word.chars()) { "`yes`\n" } else { "`no`\n" };
        assert!(code(&output) == 0 && err(&output).ends_with(state), "{word}: {}", err(&output));
    }
}

#[test]
fn a_cycle_is_not_taken_for_a_halt() {
    for machine in ["psm", "qkvm", "dat", "full-dat"] {
        let output = turing(&["cycle.tm", "--tape", "0 0 0 0 0", "--head", "3", "--run", "--machine", machine]);
        let message = "error: cycle.tm: the machine never halts: tape, head and state are the same again after 2 passes of \
                       the repeat block\n";
        check(&output, (1, "", message));
    }
}

#[test]
fn a_machine_that_needs_too_many_passes_is_reported() {
    let output = turing_of("A 0 A 0 R", &["--tape", "0", "--pad", "20", "--blank", "0", "--run", "--max-passes", "9"]);
    check(&output, (1, "", "error: <stdin>: the machine did not halt within 9 steps: raise `--max-passes`\n"));
}

#[test]
fn a_head_that_leaves_the_tape_is_reported() {
    for machine in ["psm", "qkvm", "dat", "full-dat"] {
        let output = turing(&["increment.tm", "--tape", "1 1", "--head", "2", "--steps", "--machine", machine]);
        let error = "error: increment.tm: the head left the tape on the left in step 2: add blanks with `--pad`\n";
        check(&output, (1, "0 carry | 1 ^ 1\n1 carry | ^ 1 0\n2 carry | 0 0\n", error));
    }
    let output = turing(&["beaver2.tm", "--tape", "0", "--run"]);
    let error = "error: beaver2.tm: the head left the tape on the right in step 1: add blanks with `--pad`\n";
    check(&output, (1, "", error));
}

#[test]
fn a_program_is_written_with_its_prompt_and_its_test() {
    let folder = folder(&[("up.tm", "A 0 B 1 R\n")]);
    let made = |args: &[&str]| psl_in(folder.path(), &[&["turing", "up.tm", "-o", "up.psl"], args].concat(), b"");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
    check(&made(&["--tape", "0 x"]), (0, "", ""));
    let prompt = "[\n    {\"symbol\": \"0\", \"head\": \"1\", \"state\": \"A\"},\n    {\"symbol\": \"x\", \"head\": \"0\", \"state\": \"A\"}\n]\n";
    assert_eq!(read("up.json"), prompt);
    let program = read("up.psl");
    assert!(program.contains("//@ max-new 3\n//@ test json \"up.json\" => \"1 x .\"\n"), "{program}");
    for (command, expected) in [("test", "1 passed, 0 failed"), ("fmt", "1 left unchanged"), ("check", "0 warnings")] {
        let output = psl_in(folder.path(), &[command, "up.psl"], b"");
        let text = out(&output) + &err(&output);
        assert!(code(&output) == 0 && text.contains(expected), "{command}: {text}");
    }

    // The program of a run without a halt has no test.
    let left =
        "note: the program has no test: the head left the tape on the right in step 1: add blanks with `--pad`\n";
    check(&made(&["--tape", "0"]), (0, "", left));
    let program = read("up.psl");
    assert!(program.contains("//@ max-new 2\n") && !program.contains("//@ test"), "{program}");

    let printed = psl_in(folder.path(), &["turing", "up.tm", "--tape", "0"], b"");
    let note = "note: `-o X.psl` also writes the prompt, X.json, and `--run` runs the machine\n";
    check(&printed, (0, &program, note));
}

#[test]
fn the_table_is_not_replaced() {
    let table = "A 0 B 1 R\n";
    let folder = folder(&[("up.json", table), ("up.psl", table)]);
    for (args, error) in [
        (["up.json", "up.psl"], "up.json is the table: choose another name"),
        (["up.psl", "up.psl"], "up.psl is the table: choose another name"),
        (["up.psl", "down.json"], "down.json is for the prompt: give the program another name"),
    ] {
        let output = psl_in(folder.path(), &["turing", args[0], "-o", args[1], "--tape", "0"], b"");
        check(&output, (2, "", &format!("psl: {error}\n")));
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
}

#[test]
fn the_errors_of_a_table_have_their_lines() {
    for (table, errors) in [
        ("", "1: the table has no instructions: write one on each line, as in `start 0 halt 1 R`"),
        ("# nothing\n \n", "1: the table has no instructions: write one on each line, as in `start 0 halt 1 R`"),
        ("A 0 B 1 R\nA 1 B R", "2: expected `state symbol new_state new_symbol L|R`, found 4 of 5 words"),
        ("A 0 B 1 R L", "1: expected `state symbol new_state new_symbol L|R`, found 6 of 5 words"),
        ("\nA 0 B 1 N # stay", "2: unknown move `N`; expected `L` or `R`"),
        ("A 0 B 1 r", "1: unknown move `r`; expected `L` or `R`"),
        (
            "A 0 B 1 R\r\n\r\nA 0 B 1 R\r\n",
            "3: duplicate instruction for state `A` and symbol `0`; line 1 has the first: remove one of the two",
        ),
    ] {
        for args in [&[][..], &["--tape", "0", "--run"]] {
            check(&turing_of(table, args), (1, "", &format!("error: <stdin>:{errors}\n")));
        }
    }
    let several = turing_of("A 0\nA 0 B 1 R\nA 0 C 0 X\n", &[]);
    assert_eq!(err(&several).lines().count(), 2, "{}", err(&several));
    let damaged = psl_with(&["turing", "-"], b"A 0 B \xff R");
    assert!(code(&damaged) == 1 && err(&damaged).starts_with("error: <stdin>: "), "{}", err(&damaged));
    let missing = turing(&["missing.tm"]);
    assert!(code(&missing) == 2 && err(&missing).starts_with("psl: cannot read missing.tm: "), "{}", err(&missing));
}

#[test]
fn tables_of_all_editors_are_read() {
    let plain = out(&turing_of("A 0 B 1 R\nB 0 A é L\n", &[]));
    for table in [
        "\u{feff}A 0 B 1 R\nB 0 A é L\n",
        "A 0 B 1 R\r\nB 0 A é L\r\n",
        "A 0 B 1 R\rB 0 A é L",
        "\tA  0\tB 1 R# write\n\n#\n  B 0 A é L  # and back\n",
    ] {
        check(&turing_of(table, &[]), (0, &plain, ""));
    }
}

#[test]
fn the_tape_and_the_start_are_checked() {
    for (args, error) in [
        (&["--tape", " "][..], "the tape is empty: give at least one symbol with `--tape`"),
        (&["--tape", "0 0", "--head", "0"], "square 0 is not on the tape, which has 2 squares"),
        (&["--tape", "0", "--head", "2", "--pad", "5"], "square 2 is not on the tape, which has 1 square"),
        (&["--tape", "0", "--start", "strat"], "unknown state `strat`; did you mean `start`?"),
        (
            &["--tape", "0", "--pad", "1", "--blank", "0 1"],
            "the blank `0 1` is not one symbol: give another with `--blank`",
        ),
        (&["--tape", "0", "--pad", "1", "--blank", ""], "the blank `` is not one symbol: give another with `--blank`"),
        (&["--tape", "0", "--start", "?"], "unknown state `?`; give one of the table with `--start`"),
    ] {
        check(&turing_of("start 0 halt 1 R", args), (2, "", &format!("psl: {error}\n")));
    }
    for args in [&["--run"][..], &["--steps"], &["--tape", "0", "--blank", "0"], &["--tape", "0", "--pad", "1000001"]] {
        let output = turing_of("start 0 halt 1 R", args);
        assert_eq!((code(&output), out(&output)), (2, String::new()), "{args:?}");
    }
}

#[test]
fn a_machine_without_a_fitting_instruction_halts_at_once() {
    for args in [["--tape", "x 0", "--head", "1"], ["--tape", "x 0", "--start", "halt"]] {
        let output = turing_of("start 0 halt 1 R", &[&args[..], &["--steps"]].concat());
        let state = if args[2] == "--start" { "halt" } else { "start" };
        let trace = format!("0 {state} | ^ x 0\nx 0\n");
        check(&output, (0, &trace, &format!("halted after 0 steps in state `{state}`\n")));
    }
}

#[test]
fn blanks_that_stop_the_machine_are_noted() {
    let output = turing(&["beaver2.tm", "--tape", "0", "--pad", "2", "--run"]);
    let note = "note: no instruction is for the blank `_`: choose another with `--blank`\n";
    check(&output, (0, "_ _ 1 _ _\n", &format!("{note}halted after 1 step in state `B`\n")));
}

/// States and symbols that have another meaning in a program or in QKVL.
const ODD: [&str; 32] = [
    "s",
    "s2",
    "p",
    "a",
    "c",
    "q",
    "k",
    "x",
    "symbol",
    "SYMBOL",
    "position",
    "parse",
    "eop",
    "head",
    "state",
    "cursor",
    "output",
    "where",
    "n",
    "N",
    "L",
    "R",
    "0",
    "1",
    "EOP",
    "s`",
    "p@pos_increment",
    "'\"\\",
    "//@",
    "!=",
    "é",
    ".",
];

#[test]
fn any_name_can_be_a_state_and_a_symbol() {
    // The machine goes through the names as states, and replaces each of them by the next.
    let next = |index: usize| ODD[(index + 1) % ODD.len()];
    let line = |(index, name): (usize, &&str)| format!("{name} {name} {} {} R\n", next(index), next(index));
    let table: String = ODD.iter().enumerate().take(ODD.len() - 1).map(line).collect();
    let tape = ODD.join(" ");
    let folder = folder(&[("odd.tm", &table)]);
    for machine in ["psm", "qkvm", "dat", "full-dat"] {
        let args = ["turing", "odd.tm", "--tape", &tape, "-o", "odd.psl", "--run", "--machine", machine];
        let output = psl_in(folder.path(), &args, b"");
        let tape = format!("{} .\n", ODD[1..].join(" "));
        assert_eq!((code(&output), out(&output)), (0, tape), "{}", err(&output));
        assert!(err(&output).ends_with("halted after 31 steps in state `.`\n"), "{}", err(&output));
        for note in [
            "note: the constant `HEAD` stands for `head`, the name of a register\n",
            "note: the constant `SYMBOL_` stands for `symbol`, the name of a register\n",
            "note: the short name of `symbol` is `s3`: the table uses `s`\n",
            "note: the stop symbol is `END`: the tape uses `.`\n",
        ] {
            assert!(err(&output).contains(note), "{note}: {}", err(&output));
        }
    }
    let program = fs::read_to_string(folder.path().join("odd.psl")).expect("a program");
    assert!(program.contains("# - the short name of `symbol` is `s3`: the table uses `s`\n"), "{program}");
    assert!(program.contains("\n//@ stop \"END\"\n"), "{program}");
    for args in [&["test", "--machine", "all"][..], &["check", "--deny", "warnings"], &["fmt", "--check"]] {
        let output = psl_in(folder.path(), &[args, &["odd.psl"]].concat(), b"");
        assert_eq!(code(&output), 0, "{args:?}: {}{}", out(&output), err(&output));
    }
    let qkvl = out(&psl_in(folder.path(), &["compile", "odd.psl"], b""));
    fs::write(folder.path().join("qkvl.json"), qkvl).expect("a file");
    let args = ["run", "qkvl.json", "--prompt-json", "odd.json", "--stop", "END", "--max-new", "50"];
    let output = psl_in(folder.path(), &args, b"");
    check(&output, (0, &format!("{} . END\n", ODD[1..].join(" ")), ""));
}

#[test]
fn any_character_can_be_a_state_and_a_symbol() {
    let characters: Vec<String> = ('!'..='~').filter(|char| *char != '#').map(String::from).collect();
    let line = |pair: &[String]| format!("{0} {0} {1} {1} R\n", pair[0], pair[1]);
    let table: String = characters.windows(2).map(line).collect();
    let folder = folder(&[("odd.tm", &table)]);
    let args = ["turing", "odd.tm", "--tape", &characters.join(" "), "-o", "odd.psl", "--run"];
    let output = psl_in(folder.path(), &args, b"");
    let tape = format!("{} ~\n", characters[1..].join(" "));
    assert_eq!((code(&output), out(&output)), (0, tape), "{}", err(&output));
    assert!(err(&output).ends_with("halted after 92 steps in state `~`\n"), "{}", err(&output));
    for args in [&["test", "--machine", "all"][..], &["check", "--deny", "warnings"], &["fmt", "--check"]] {
        let output = psl_in(folder.path(), &[args, &["odd.psl"]].concat(), b"");
        assert_eq!(code(&output), 0, "{args:?}: {}{}", out(&output), err(&output));
    }
}

#[test]
fn a_full_stop_of_the_tape_is_not_the_stop_symbol() {
    let folder = folder(&[("dots.tm", "A . A END R\n")]);
    let args = ["turing", "dots.tm", "--tape", ". . END_", "-o", "dots.psl", "--run"];
    let output = psl_in(folder.path(), &args, b"");
    let errors = "note: the stop symbol is `END__`: the tape uses `.`\nhalted after 2 steps in state `A`\n";
    check(&output, (0, "END END END_\n", errors));
    let tested = psl_in(folder.path(), &["test", "dots.psl"], b"");
    assert_eq!(code(&tested), 0, "{}", out(&tested));
}

#[test]
fn a_long_tape_is_left_to_the_limits_of_the_runtime() {
    let output = turing_of("A 0 A 1 R", &["--tape", "0", "--pad", "10000", "--blank", "b", "--run"]);
    let note = "note: no instruction is for the blank `b`: choose another with `--blank`\n";
    assert_eq!((code(&output), err(&output)), (0, format!("{note}halted after 1 step in state `A`\n")));
    let output = turing_of("A 0 A 1 R", &["--tape", "0", "--pad", "1000000", "--blank", "0", "--run"]);
    assert_eq!((code(&output), out(&output)), (1, String::new()));
    assert!(err(&output).starts_with("error: <stdin>: ") && err(&output).contains("1000000"), "{}", err(&output));
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_a_run() {
    let line =
        "psl turing tests/turing/beaver4.tm --tape 0 --pad 30000 --blank 0 --steps | head -n 1 | cut -d ' ' -f 1";
    let folder = Path::new(env!("CARGO_BIN_EXE_psl")).parent().expect("a folder");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").expect("PATH"));
    let output = std::process::Command::new("bash")
        .args(["-o", "pipefail", "-c", line])
        .current_dir(repository())
        .env("PATH", path)
        .output()
        .expect("bash runs");
    check(&output, (0, "0\n", ""));
}

/// A program, ready to run, with the squares of its tape among the cells of a prompt.
struct Compiled {
    runner: Runner,
    task: Task,
    /// The indices of the cells that are squares.
    squares: Vec<usize>,
}

fn runner(text: &str) -> Runner {
    Runner::new(&psl_syntax::check(text).analysis.program)
}

impl Compiled {
    /// The universal machine, on a plain prompt.
    fn universal(text: &str, prompt: &str, passes: usize) -> Self {
        let runner = runner(text);
        let options = Options { max_passes: Some(passes), ..Options::default() };
        let task = runner.task_with(prompt, &runner.options(&options)).expect("a prompt");
        let symbols: Vec<&str> = prompt.split(' ').collect();
        let bar = symbols.iter().position(|symbol| *symbol == "|").expect("a bar");
        let squares = (bar + 1..symbols.len()).filter(|index| symbols[*index] != "^").collect();
        Self { runner, task, squares }
    }

    /// A compiled machine, on its structured prompt.
    fn single(text: &str, prompt: &str, passes: usize) -> Self {
        let runner = runner(text);
        let options = Options { max_passes: Some(passes), ..Options::default() };
        let cells = StructuredPrompt::parse(prompt).expect("a prompt");
        let task = runner.structured_task(&cells, &runner.options(&options)).expect("a prompt");
        Self { runner, task, squares: (0..cells.cell_count()).collect() }
    }

    /// Runs it on a machine. Returns the configuration after each pass, and the continuation, or `None` if
    /// the block never ends.
    fn run(&self, machine: MachineKind) -> (Vec<Configuration>, Option<String>) {
        let Self { runner, task, squares } = self;
        let registers = &runner.executable().registers;
        let [symbol, head, state] =
            ["symbol", "head", "state"].map(|register| registers.by_long(register).expect("a register"));
        // The last layer of the block comes before the only layer after it.
        let last = ProductionId::new(runner.executable().qkvl().layers().len() - 2);
        let (mut cells, mut passes) = (Vec::new(), Vec::new());
        let observer = |update: &Update| {
            if update.step > 0 || update.layer != last {
                return;
            }
            let value = |register: RegisterId| task.vocabulary.show(update.state[register.index()]).to_owned();
            cells.push((value(symbol), value(head), value(state)));
            if cells.len() == task.input.cells.len() {
                let head = squares.iter().position(|square| cells[*square].1 == "1");
                let of_head = &cells[squares[head.unwrap_or_default()]].2;
                // All squares know the state (79).
                assert!(head.is_none() || squares.iter().all(|square| cells[*square].2 == *of_head), "{cells:?}");
                let tape = squares.iter().map(|square| cells[*square].0.clone()).collect();
                passes.push(Configuration { tape, state: of_head.clone(), head });
                cells.clear();
            }
        };
        let result = runner.executable().run(machine, task, Some(&mut to_the_end(observer)));
        match result {
            Ok(run) => {
                let symbols: Vec<_> = run.output.iter().map(|value| task.vocabulary.show(*value)).collect();
                (passes, Some(symbols.join(" ")))
            }
            Err(RunError::Endless { .. } | RunError::TooManyPasses { .. }) => (passes, None),
            Err(error) => panic!("{}", error.message(registers, &task.vocabulary)),
        }
    }
}

/// Compares the passes of a run, at least `minimum`, with the steps of the simulator.
fn compare(compiled: &Compiled, machine: MachineKind, expected: &[Configuration], ends: bool, minimum: usize) {
    let (passes, continuation) = compiled.run(machine);
    let last = expected.last().expect("the start");
    assert_eq!(continuation, ends.then(|| format!("{} .", last.tape.join(" "))), "{machine:?}");
    if ends {
        // One pass for each step, and one in which nothing changes.
        assert_eq!(passes.len(), expected.len().max(minimum), "{machine:?}");
    }
    let halts = expected.iter().skip(1).chain(std::iter::repeat_n(last, if ends { minimum } else { 0 }));
    let mut compared = 0;
    for (pass, (is, expected)) in passes.iter().zip(halts).enumerate() {
        let place = format!("{machine:?}, pass {}", pass + 1);
        assert_eq!((&is.tape, is.head), (&expected.tape, expected.head), "{place}");
        assert!(is.head.is_none() || is.state == expected.state, "{place}: {} and {}", is.state, expected.state);
        compared += 1;
    }
    assert!(compared == passes.len() && compared > 0, "{compared} passes");
}

/// The passes that a machine may take in the random test.
const PASSES: usize = 60;

#[test]
fn random_machines_take_the_steps_of_a_simulator() {
    let universal = fs::read_to_string(repository().join("examples/turing.psl")).expect("the example");
    let cases: u64 = std::env::var("CASES").map_or(300, |cases| cases.parse().expect("a number"));
    let counts: Vec<&str> = (0..cases).into_par_iter().map(|seed| check_random(&universal, seed)).collect();
    for (kind, share) in [("halts", 5), ("leaves on the left", 20), ("leaves on the right", 20), ("never halts", 20)] {
        let count = counts.iter().filter(|it| **it == kind).count();
        assert!(count as u64 >= cases / share, "{count} machines: {kind}");
    }
}

/// Checks the compiled and the universal program on a random machine, and the trace of `psl turing`. Returns how the
/// machine ends.
fn check_random(universal: &str, seed: u64) -> &'static str {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let machine = Machine::random(&mut random, 0.05);
    let squares = random.random_range(1..=24);
    let start = machine.start(&mut random, squares);
    let expected: Vec<Configuration> = machine.configurations(start.clone()).take(PASSES + 1).collect();
    let last = expected.last().expect("the start");
    let ends = expected.len() <= PASSES && machine.step(last).is_none();

    let folder = folder(&[("random.tm", &machine.text("\n"))]);
    let head = (start.head.expect("a head") + 1).to_string();
    let passes = PASSES.to_string();
    let tape = start.tape.join(" ");
    let args = ["turing", "random.tm", "--tape", &tape, "--head", &head, "--max-passes", &passes];
    let output = psl_in(folder.path(), &[&args[..], &["--steps", "-o", "random.psl"]].concat(), b"");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
    let single = Compiled::single(&read("random.psl"), &read("random.json"), PASSES);
    let universal = Compiled::universal(universal, &machine.prompt(&start), PASSES);
    let kinds = if seed.is_multiple_of(20) { &MachineKind::ALL[..] } else { &[MachineKind::Dat] };
    for kind in kinds {
        compare(&single, *kind, &expected, ends, 1);
        // The first pass copies the state to the cells of the table (79).
        compare(&universal, *kind, &expected, ends, 2);
    }

    let trace: Vec<String> = out(&output).lines().map(str::to_owned).collect();
    let lines: Vec<String> = expected.iter().enumerate().map(|(step, it)| traced(step, it)).collect();
    let steps = expected.len() - 1;
    let (kind, code_of_end, end) = match last.head {
        _ if !ends => ("never halts", 1, "error: random.tm: the machine ".to_owned()),
        Some(_) => ("halts", 0, format!("halted after {steps} step")),
        None => {
            let before = expected[steps - 1].head.expect("a head");
            let right = machine.0.iter().any(|it| {
                it.state == expected[steps - 1].state && it.symbol == expected[steps - 1].tape[before] && it.right
            });
            let side = if right { "right" } else { "left" };
            let kind = if right { "leaves on the right" } else { "leaves on the left" };
            (kind, 1, format!("error: random.tm: the head left the tape on the {side} in step {steps}: "))
        }
    };
    assert_eq!(code(&output), code_of_end, "{seed}: {}", err(&output));
    assert!(err(&output).starts_with(&end), "{seed}: {}", err(&output));
    match kind {
        "halts" => assert_eq!(trace, [&lines[..], &[last.tape.join(" ")]].concat(), "{seed}"),
        "never halts" => {
            assert!(!trace.is_empty() && trace.len() <= lines.len(), "{seed}: {} lines", trace.len());
            assert_eq!(trace, lines[..trace.len()], "{seed}");
        }
        _ => assert_eq!(trace, lines, "{seed}"),
    }
    kind
}

/// The line of a trace.
fn traced(step: usize, configuration: &Configuration) -> String {
    let Configuration { tape, state, head } = configuration;
    let mut tape = tape.clone();
    if let Some(head) = head {
        tape.insert(*head, "^".to_owned());
    }
    format!("{step} {state} | {}", tape.join(" "))
}
