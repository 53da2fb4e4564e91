//! Repeat blocks, generation and their errors, on all machines.

use std::{
    ops::ControlFlow,
    sync::{Arc, atomic::AtomicBool},
};

use psl_runtime::{
    Executable, InputError, MachineKind, Options, RunError, Stopped, Task, Update, VerifyError, trace::TraceNames,
};
use psl_syntax::schedule::schedule;
use serde_json::json;

use crate::common::{output, program, task, traced};

const HEAD: &str = "registers: {symbol: 's', position: 'p', parse: 'a', eop: 'z', mark: 'm', copy: 'c'}
constants: {A, B, C, '1', '3', EOP}
system: {symbol: symbol, position: position, output: symbol, parse: parse, eop: eop}
";

fn executable(productions: &str) -> Executable {
    Executable::new(program(&format!("{HEAD}{productions}")))
}

fn options(max_new: usize) -> Options {
    Options { max_new: Some(max_new), ..Options::default() }
}

/// Runs the productions on all machines and checks the final values of one register, cell by cell.
fn check(productions: &str, prompt: &str, max_new: usize, register: &str, expected: &str) {
    let executable = executable(productions);
    let task = task(&executable, prompt, &options(max_new));
    let run = executable.verify(&task).unwrap().run;
    let register = executable.registers.by_long(register).unwrap();
    let held: Vec<_> = run.states.iter().map(|state| task.vocabulary.show(state[register.index()])).collect();
    assert_eq!(held.join(" "), expected);
}

/// Runs the productions on all machines and checks their common error.
fn refuse(productions: &str, prompt: &str, options: &Options, expected: &str) {
    let executable = executable(productions);
    let task = task(&executable, prompt, options);
    for machine in MachineKind::ALL {
        let error = executable.run(machine, &task, None).unwrap_err();
        assert_eq!(error.message(&executable.registers, &task.vocabulary), expected, "{machine:?}");
    }
}

const WAVE: &str = "where mark[n] == A and position[n] == position[N]@pos_decrement: mark[N] = A";

#[test]
fn a_block_runs_until_nothing_changes() {
    let productions = format!("where position[N] == 1: mark[N] = A repeat: {WAVE} until NO_CHANGE");
    check(&productions, "A B C A", 0, "mark", "A A A A");
}

#[test]
fn a_block_runs_until_some_cell_satisfies_its_conditions() {
    let productions =
        format!("where position[N] == 1: mark[N] = A repeat: {WAVE} until mark[N] == A and position[N] == 3");
    check(&productions, "A B C A B", 0, "mark", "A A A ∅ ∅");
}

#[test]
fn until_conditions_compare_any_two_cells() {
    let until = "until mark[n] == A and symbol[n] == symbol[N] and position[N] == 1";
    let productions =
        format!("where position[N] == 1: copy[N] = A where symbol[N] == C: mark[N] = A repeat: {WAVE} {until}");
    check(&productions, "B C A A B A", 0, "mark", "∅ A A A A ∅");
}

#[test]
fn a_change_undone_within_its_pass_does_not_count() {
    let productions = "where position[N] == position[N]: mark[N] = A
        repeat:
            where symbol[N] == A: mark[N] = B
            where symbol[N] == A: mark[N] = A
        until NO_CHANGE";
    check(productions, "A B", 0, "mark", "A A");
}

#[test]
fn a_generated_cell_starts_from_its_predecessor_and_reads_earlier_states() {
    // Cell 1 has its mark only after the second layer, so the first layer never sees it.
    let productions = "where position[n] == 1 and eop[N] == EOP: copy[N] = mark[n]
        where position[N] == 1: mark[N] = B
        where eop[N] == EOP and position[n] == 1: mark[N] = mark[n]";
    check(productions, "A B", 3, "mark", "B B B B");
    check(productions, "A B", 3, "copy", "∅ ∅ ∅ ∅");
    check(productions, "A B", 3, "position", "1 2 3 4");
}

#[test]
fn a_generated_cell_reads_each_pass_at_that_pass() {
    // The mark reaches cell k in pass k - 1. A generated cell reads its neighbor in the same pass.
    let productions = format!("where position[N] == 1: mark[N] = A repeat: {WAVE} until NO_CHANGE");
    let executable = executable(&productions);
    let task = task(&executable, "A B C", &options(3));
    for machine in MachineKind::ALL {
        let (_, trace) = traced(&executable, machine, &task);
        let passes = |step| trace.updates.iter().filter(|it| it.step == step && it.layer.number() == 2).count();
        // Three passes for each of three cells, where the last pass changes nothing, then three for each new cell.
        assert_eq!([passes(0), passes(1), passes(2)], [9, 3, 3], "{machine:?}");
    }
}

#[test]
fn a_cell_that_needs_more_passes_reads_the_last_passes_of_the_others() {
    // The prompt needs one pass. Cell 3 goes from A to C in three passes, while its neighbor has no mark in the block.
    // Cell 4 needs a fourth, in which cell 3 still has its state from the third.
    let productions = "repeat:
            where parse[N] == A and position[n] == position[N]@pos_decrement: copy[N] = mark[n]
            where parse[N] == A and mark[N] == B: mark[N] = C
            where parse[N] == A and mark[N] == A: mark[N] = B
        until NO_CHANGE
        where eop[N] == EOP:
            parse[N] = A
            mark[N] = A";
    check(productions, "A B", 3, "copy", "∅ ∅ ∅ C");
    let executable = executable(productions);
    let task = task(&executable, "A B", &options(3));
    for machine in MachineKind::ALL {
        let (_, trace) = traced(&executable, machine, &task);
        let passes = |step| trace.updates.iter().filter(|it| it.step == step).filter_map(|it| it.pass.first()).max();
        assert_eq!([0, 1, 2].map(passes), [Some(&1), Some(&3), Some(&4)], "{machine:?}");
    }
}

const FLIP: &str = "where position[N] == 1: mark[N] = A
    # there and back
    repeat:
        where position[N] == position[N]: copy[N] = mark[N]
        where copy[N] == A: mark[N] = B
        where copy[N] == B: mark[N] = A
    until NO_CHANGE";

#[test]
fn an_endless_block_is_reported_with_its_cycle() {
    refuse(
        FLIP,
        "C C",
        &options(0),
        "repeat block 1 (# there and back) never stops: its state repeats every 2 passes \
         (mark of cell 1: B -> A, copy of cell 1: A -> B); \
         add conditions that keep its productions from overwriting a register that is set",
    );
}

#[test]
fn a_block_that_is_endless_in_generation_only() {
    let productions = FLIP.replace("position[N] == 1:", "position[N] == 3:");
    let executable = executable(&productions);
    let task = task(&executable, "C C", &options(2));
    for machine in MachineKind::ALL {
        let (run, trace) = traced(&executable, machine, &task);
        let Err(RunError::Endless { block, cycle }) = run else { panic!("{run:?}") };
        assert_eq!((block.number, cycle.passes), (1, 2));
        let turning: Vec<_> =
            cycle.turning.iter().map(|turning| (turning.cell.number(), turning.register.index())).collect();
        assert_eq!(turning, [(3, 4), (3, 5)], "{machine:?}");
        assert_eq!(trace.updates.last().unwrap().step, 1);
    }
}

#[test]
fn a_block_whose_conditions_never_hold_is_reported() {
    refuse(
        "repeat: where symbol[N] == A: mark[N] = A until mark[N] == B",
        "A C",
        &options(0),
        "repeat block 1 never stops: a pass changes nothing, and the `until` conditions do not hold; \
         use `until NO_CHANGE`, or conditions that the block makes true",
    );
}

#[test]
fn the_number_of_passes_is_limited() {
    let productions = format!(
        "repeat: where symbol[N] == A: copy[N] = A until NO_CHANGE
        where position[N] == 1: mark[N] = A repeat: {WAVE} until NO_CHANGE"
    );
    let options = Options { max_passes: Some(3), ..options(0) };
    refuse(
        &productions,
        "A A A A A",
        &options,
        "repeat block 2 did not stop within 3 passes; raise the limit, or change its productions so that it stops",
    );
}

#[test]
fn work_and_kept_values_are_limited() {
    let executable = executable("where symbol[n] == symbol[N]: mark[N] = symbol[n]");
    let mut work = task(&executable, "A B A B", &options(4));
    work.limits.max_work = 3;
    let mut kept = task(&executable, "A B A B", &options(4));
    kept.limits.max_kept = 0;
    for machine in MachineKind::ALL {
        assert_eq!(executable.run(machine, &work, None), Err(RunError::TooMuchWork { max_work: 3 }));
        assert_eq!(executable.run(machine, &kept, None), Err(RunError::TooMuchKept { max_kept: 0 }));
    }
    assert_eq!(executable.verify(&work), Err(VerifyError::Run(RunError::TooMuchWork { max_work: 3 })));
}

#[test]
fn a_run_can_be_cancelled() {
    let executable = executable(WAVE);
    let mut task = task(&executable, "A", &options(4));
    task.limits.cancelled = vec![Arc::new(AtomicBool::new(true))];
    for machine in MachineKind::ALL {
        assert_eq!(executable.run(machine, &task, None), Err(RunError::Cancelled));
    }
}

#[test]
fn an_observer_ends_a_run_at_any_update() {
    let plain = executable(
        "where symbol[n] == A: mark[N] = symbol[n]
         where symbol[n] == B: copy[N] = position[n]
         repeat: where mark[n] == A and copy[N] == copy[n]: symbol[N] = symbol[n] until NO_CHANGE",
    );
    let heads = Executable::new(schedule(&plain.program, None).apply(&plain.program));
    assert_eq!(heads.heads()[1].head, 2);
    for executable in [plain, heads] {
        let task = task(&executable, "A B A", &options(2));
        for machine in MachineKind::ALL {
            let (_, whole) = traced(&executable, machine, &task);
            assert!(whole.updates.len() > 5, "{}", whole.updates.len());
            for most in 1..=whole.updates.len() {
                let mut seen = Vec::new();
                let mut observer = |update: &Update| {
                    seen.push(update.clone());
                    if seen.len() == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                };
                assert_eq!(executable.run(machine, &task, Some(&mut observer)), Err(RunError::Ended));
                assert_eq!(seen, whole.updates[..most]);
            }
        }
    }
}

/// The continuation, and the reason why it ended.
fn continuation(productions: &str, prompt: &str, options: &Options) -> (String, Stopped) {
    let executable = executable(productions);
    let task = task(&executable, prompt, options);
    let run = executable.verify(&task).unwrap().run;
    (output(&run, &task), run.stopped)
}

#[test]
fn generation_ends_at_the_stop_symbol_or_at_its_limit() {
    let next = "where position[n] == position[N]@pos_decrement and eop[N] == EOP: symbol[N] = symbol[n]";
    let stop = |symbol: &str| Options { stop: Some(symbol.to_owned()), ..options(3) };
    assert_eq!(continuation(next, "A B", &stop("A")), ("A".to_owned(), Stopped::StopSymbol));
    assert_eq!(continuation(next, "A B", &stop(".")).1, Stopped::MaxNew);
    assert_eq!(continuation(next, "A B", &options(0)), (String::new(), Stopped::MaxNew));
    assert_eq!(continuation(next, "A B", &Options::default()).0.split(' ').count(), 16);
    let mute = "where symbol[N] == A: mark[N] = A";
    let program = program(&format!("{}{mute}", HEAD.replace("output: symbol", "output: copy")));
    let executable = Executable::new(program);
    let task = task(&executable, "A", &options(2));
    assert_eq!(output(&executable.verify(&task).unwrap().run, &task), "∅ ∅");
}

#[test]
fn a_row_is_a_register_of_the_prompt_s_cells() {
    let next = "where position[n] == position[N]@pos_increment: copy[N] = symbol[n]";
    let row = |register: &str| {
        let answer = executable(next).registers.by_long(register);
        continuation(next, "A B .", &Options { answer, ..options(3) })
    };
    assert_eq!(row("copy"), ("B . ∅".to_owned(), Stopped::PromptPass));
    assert_eq!(row("symbol"), ("A B .".to_owned(), Stopped::PromptPass));
}

#[test]
fn recomputing_lets_a_prompt_cell_read_a_generated_one() {
    let productions = "where position[n] == position[N]@pos_increment: copy[N] = symbol[n]";
    let executable = executable(productions);
    for (recompute, expected) in [(false, ["B", "∅", "∅"]), (true, ["B", "B", "B"])] {
        let task = task(&executable, "A B", &Options { recompute, ..options(3) });
        let run = executable.verify(&task).unwrap().run;
        let held: Vec<_> = run.states.iter().map(|state| task.vocabulary.show(state[5])).take(3).collect();
        assert_eq!(held, expected);
    }
}

#[test]
fn a_prompt_needs_a_symbol_and_has_a_limit() {
    let executable = executable(WAVE);
    assert_eq!(executable.task(&[], &options(1)).unwrap_err(), InputError::EmptyPrompt);
    let error = executable.task(&["A"], &options(usize::MAX)).unwrap_err();
    assert_eq!(error, InputError::TooLong { cells: usize::MAX });
}

#[test]
fn a_structured_prompt_sets_further_registers() {
    let executable = executable("where mark[N] == '3': symbol[N] = C");
    let mut task = task(&executable, "A B", &options(1));
    task.input.cells[1][4] = task.vocabulary.get("3");
    assert_eq!(output(&executable.verify(&task).unwrap().run, &task), "C");
}

#[test]
fn blocks_run_at_the_parsers_maximum_depth() {
    let depth = psl_syntax::MAX_NESTING - 1;
    let productions = format!("{}{WAVE}{}", "repeat: ".repeat(depth), " until NO_CHANGE".repeat(depth));
    check(&productions, "A B", 2, "symbol", "A B B");
}

#[test]
fn a_trace_line_has_long_names() {
    let executable =
        executable(&format!("where position[N] == 1: mark[N] = A\nrepeat:\n# wave\n{WAVE}\nuntil NO_CHANGE"));
    let task: Task = task(&executable, "A B", &options(0));
    let (_, trace) = traced(&executable, MachineKind::Dat, &task);
    let labels = executable.labels();
    let names = TraceNames {
        registers: &executable.registers,
        vocabulary: &task.vocabulary,
        labels: &labels,
        heads: &executable.heads(),
    };
    let expected = json!({
        "step": 0, "layer": 2, "pass": [1], "cell": 2, "attends": 1, "production": "# wave",
        "set": {"mark": "A"},
        "state": {"symbol": "B", "position": "2", "parse": "1", "eop": "EOP", "mark": "A"},
    });
    assert_eq!(trace.updates[3].to_json(&names), expected);
}
