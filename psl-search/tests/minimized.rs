//! Minimized programs: they do the same, and nothing more can go.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

#[path = "../../psl-runtime/tests/common/common.rs"]
mod common;

use std::{
    mem::{Discriminant, discriminant},
    sync::{Arc, atomic::AtomicBool},
};

use psl_program::{File, Runner};
use psl_runtime::{MachineKind, Options, RunError, ValueId, compile, decompile};
use psl_search::{Example, Minimal, NoSearch, OneThread, Operator, changes, minimize_file};
use psl_syntax::{Code, diagnostic::Edit, program::TestPrompt, read};

use crate::common::{cases, random::Random};

fn minimal(text: &str, data: &[&str], outputs: bool) -> Result<Minimal, NoSearch> {
    let file = File::new(text, Arc::default());
    let example =
        |prompt: &&str| Example { prompt: TestPrompt::Plain((*prompt).to_owned()), gold: String::new(), row: false };
    let data: Vec<Example> = data.iter().map(example).collect();
    minimize_file(&file, &data, outputs, &OneThread, &Arc::new(AtomicBool::new(false)))
}

const HEAD: &str = "//@ max-new 1
//@ test \"B A\" => \"B\"
registers: {symbol: 's', position: 'p', mark: 'm'}
constants: {A, B, C}
system: {symbol: symbol, position: position, output: mark}
";

/// Minimizes a program, after declarations, and compares what is left of it.
#[track_caller]
fn check(productions: &str, outputs: bool, expected: &str) {
    let minimal = minimal(&format!("{HEAD}{productions}"), &[], outputs).expect("a program");
    assert_eq!(minimal.text.split_once("output: mark}\n").map(|(_, rest)| rest), Some(expected));
    assert!(!minimal.cut_off);
}

const MARKS: &str = "# every cell\nwhere symbol[N] in [A, B]:\n    mark[N] = B\n";

#[test]
fn a_production_without_an_effect_goes_with_its_comments() {
    let dead = "# the third symbol\n# is rare\nwhere symbol[N] == C:  # never\n    # so this\n    mark[N] = C  # does not happen\n";
    check(&format!("{MARKS}\n{dead}"), false, MARKS);
    check(&format!("{dead}\n{MARKS}"), false, &format!("\n{MARKS}"));
    check(&format!("# A part.\n\n{dead}\n{MARKS}"), false, &format!("# A part.\n\n{MARKS}"));
}

#[test]
fn a_condition_that_always_holds_goes_and_its_comment_stays() {
    check(
        "where position[N] == position[N] and  # always\n    symbol[N] in [A, B]:\n    mark[N] = B\n",
        false,
        "where # always\n    symbol[N] in [A, B]:\n    mark[N] = B\n",
    );
}

#[test]
fn an_entry_that_no_prompt_needs_goes_with_its_constant() {
    let minimal = minimal(&format!("{HEAD}{}", MARKS.replace("A, B", "A, C, B")), &[], false).expect("a program");
    assert!(minimal.text.ends_with(MARKS), "{}", minimal.text);
    assert!(minimal.text.contains("\nconstants: {A, B}\n"), "{}", minimal.text);
    let sizes = [minimal.before, minimal.after].map(|sizes| (sizes.entries, sizes.constants, sizes.registers));
    assert_eq!(sizes, [(3, 3, 3), (2, 2, 3)]);
}

#[test]
fn states_count_unless_only_outputs_do() {
    // The second production sees the mark that the first one sets and the third one overwrites.
    let program = "where symbol[N] == A:\n    mark[N] = A\nwhere symbol[N] == B:\n    symbol[N] = C\n\
                   where symbol[N] in [A, C]:\n    mark[N] = B\n";
    check(program, false, program);
    check(program, true, "where symbol[N] in [A]:\n    mark[N] = B\n");
}

#[test]
fn an_unused_register_goes_with_the_production_that_writes_it() {
    let head = HEAD.replace("mark: 'm'", "mark: 'm', seen: 'e'");
    let seen = format!("{head}where symbol[N] == A:\n    seen[N] = A\n\n{MARKS}");
    let kept = minimal(&seen, &[], false).expect("a program");
    assert!(kept.text.contains("seen[N] = A"), "{}", kept.text);
    let outputs = minimal(&seen, &[], true).expect("a program");
    assert!(!outputs.text.contains("seen"), "{}", outputs.text);
    assert_eq!(outputs.after.registers, 3);
}

#[test]
fn data_counts_although_only_its_first_lines_are_in_the_sample() {
    let program = format!("{HEAD}{MARKS}where symbol[N] == C:\n    mark[N] = C\n");
    let mut data: Vec<String> = (0..600).map(|number| format!("x{number} A")).collect();
    data[577] = "B C".to_owned();
    let data: Vec<&str> = data.iter().map(String::as_str).collect();
    let with_c = minimal(&program, &data, false).expect("a program");
    assert_eq!(with_c.text, program);
    assert_eq!(with_c.prompts, 601);
    let without_c = minimal(&program, &data[..577], false).expect("a program");
    assert!(!without_c.text.contains("== C"), "{}", without_c.text);
}

#[test]
fn a_run_that_fails_still_fails_for_the_same_kind_of_reason() {
    let endless = "repeat:\n    where symbol[N] == A:\n        mark[N] = symbol[N]\n        symbol[N] = mark[N]\nuntil symbol[N] == C\n";
    let text = format!("{HEAD}{endless}where symbol[N] == C:\n    mark[N] = B\n");
    let minimal = minimal(&text, &[], false).expect("a program");
    assert!(minimal.text.contains("repeat:") && minimal.text.contains("until symbol[N] == C"), "{}", minimal.text);
    assert_eq!(minimal.after.productions, 1);
}

#[test]
fn a_program_that_cannot_be_minimized_is_refused() {
    let none = HEAD.replace("//@ test \"B A\" => \"B\"\n", "");
    assert_eq!(minimal(&format!("{none}{MARKS}"), &[], false).err(), Some(NoSearch::NoPrompts));
    assert!(minimal(&format!("{none}{MARKS}"), &["A"], false).is_ok());
    assert_eq!(
        minimal(&format!("{HEAD}where mark[N] == ?:\n    mark[N] = A\n"), &[], false).err(),
        Some(NoSearch::Errors)
    );
}

/// The part of a run that has to stay: the kind of its failure, or its continuation, and for each production, and after
/// the last layer, the places and texts of the states.
type Seen = Result<(Vec<String>, Vec<Vec<String>>), Discriminant<RunError>>;

/// Runs a prompt on the PSM. States have only the registers with these names.
fn seen(runner: &Runner, prompt: &str, names: &[String]) -> Seen {
    let task = runner.task_with(prompt, &runner.options(&Options::default())).expect("a prompt");
    let (result, trace) = common::traced(runner.executable(), MachineKind::Psm, &task);
    let run = result.map_err(|error| discriminant(&error))?;
    let registers = &runner.executable().registers;
    let shown = |state: &[Option<ValueId>]| common::state(state, &registers.long, &task);
    let kept = |state: &[Option<ValueId>]| {
        let state = shown(state);
        names.iter().map(|name| format!("{name} {:?}", state.get(name))).collect::<Vec<_>>().join(" ")
    };
    let mut rows = vec![Vec::new(); runner.productions() + 1];
    for update in &trace.updates {
        let place = format!("{} {:?} {} ", update.step, update.pass, update.cell);
        rows[update.layer.index()].push(place + &kept(&update.state));
    }
    rows[runner.productions()].extend(run.states.iter().map(|state| kept(state)));
    let output = run.output.iter().map(|value| task.vocabulary.show(*value).to_owned()).collect();
    Ok((output, rows))
}

/// Whether a program has the states of another one in some of the layers of that one, in order.
fn keeps(smaller: &str, original: &Runner, prompts: &[&str]) -> bool {
    let checked = read(smaller);
    if !checked.compiles() {
        return false;
    }
    let smaller = Runner::new(&checked.analysis.program);
    let names = &smaller.executable().registers.long;
    let of = |runner: &Runner| prompts.iter().map(|prompt| seen(runner, prompt, names)).collect::<Vec<Seen>>();
    let (own, others) = (of(&smaller), of(original));
    let end =
        |seen: &Seen| seen.as_ref().map(|(output, rows)| (output.clone(), rows.last().cloned())).map_err(|it| *it);
    let rows = |all: &[Seen], layer: usize| -> Vec<Vec<String>> {
        all.iter().filter_map(|seen| Some(seen.as_ref().ok()?.1[layer].clone())).collect()
    };
    if !own.iter().map(end).eq(others.iter().map(end)) {
        return false;
    }
    let mut layers = 0..original.productions();
    (0..smaller.productions()).all(|layer| layers.any(|other| rows(&own, layer) == rows(&others, other)))
}

fn removals(text: &str) -> Vec<Vec<Edit>> {
    let checked = read(text);
    let is_removal = |operator, edits: &[Edit]| match operator {
        Operator::Production | Operator::Condition | Operator::Assignment => true,
        Operator::ListEntry => edits.iter().all(|edit| edit.text.is_empty()),
        _ => false,
    };
    let changes = changes(&checked).into_iter().filter(|change| is_removal(change.operator, &change.edits));
    let unused = |code| matches!(code, Code::UnusedRegister | Code::UnusedConstant);
    let names = checked.rule_diagnostics().iter().filter(|found| unused(found.code));
    changes.map(|change| change.edits).chain(names.map(|found| found.fixes[0].edits.clone())).collect()
}

#[test]
fn minimized_programs_keep_the_states_and_no_single_removal_does() {
    let (mut smaller, mut refuted) = (0_u64, 0_u64);
    for seed in 0..cases(40) {
        let mut random = Random::new(seed);
        let mut program = random.program();
        random.echo(&mut program);
        program.max_new = Some(3);
        let Ok(text) = decompile(&compile(&program)) else { continue };
        let text = format!("//@ max-new 3\n{text}");
        if !read(text.as_str()).compiles() {
            continue;
        }
        let prompts: Vec<String> = (0..3).map(|_| random.prompt().join(" ")).collect();
        let prompts: Vec<&str> = prompts.iter().map(String::as_str).collect();
        let found = minimal(&text, &prompts, false).expect("a program");
        let original = Runner::new(&read(text.as_str()).analysis.program);
        assert!(keeps(&found.text, &original, &prompts), "seed {seed}\n{text}\n====\n{}", found.text);
        smaller += u64::from(found.before != found.after);
        for edits in removals(&found.text) {
            let less = Edit::apply(&edits, &found.text).expect("edits");
            assert!(!keeps(&less, &original, &prompts), "seed {seed}\n{text}\n====\n{}\n====\n{less}", found.text);
            refuted += 1;
        }
    }
    println!("{smaller} smaller programs, {refuted} removals refuted");
    assert!(smaller > cases(40) / 2, "{smaller}");
    assert!(refuted > cases(40), "{refuted}");
}

#[test]
fn minimized_programs_keep_the_continuations() {
    for seed in 0..cases(20) {
        let mut random = Random::new(seed);
        let mut program = random.program();
        random.echo(&mut program);
        let Ok(text) = decompile(&compile(&program)) else { continue };
        let text = format!("//@ max-new 3\n{text}");
        if !read(text.as_str()).compiles() {
            continue;
        }
        let prompts: Vec<String> = (0..3).map(|_| random.prompt().join(" ")).collect();
        let prompts: Vec<&str> = prompts.iter().map(String::as_str).collect();
        let found = minimal(&text, &prompts, true).expect("a program");
        let output = |text: &str, prompt: &str| {
            let runner = Runner::new(&read(text).analysis.program);
            seen(&runner, prompt, &[]).map(|(output, _)| output)
        };
        for prompt in &prompts {
            assert_eq!(output(&found.text, prompt), output(&text, prompt), "seed {seed}\n{text}\n====\n{}", found.text);
        }
    }
}
