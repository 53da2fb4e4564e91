//! Runs that are recorded.

use std::{ops::ControlFlow, sync::Arc};

use psl_runtime::{
    Change, MachineKind, Task, Update,
    record::{RecordedRun, Recorder},
};

use crate::{progress::Progress, runner::Runner};

impl Runner {
    /// Runs a task and records it. A run that fails keeps the rows that ran before. A run that would need more than
    /// about 100 MB fails, and so does one that `progress` cancels.
    pub fn record(&self, task: Task, machine: MachineKind, progress: &Progress) -> RecordedRun {
        self.record_within(RecordedRun::MOST, task, machine, &[], progress)
    }

    /// Runs and records a task like [`Runner::record`], with another limit, in recorded values, and with changed
    /// registers, which only the PSM supports: see [`Executable::run_changed`](psl_runtime::Executable::run_changed). A
    /// run that exceeds the limit is [cut](RecordedRun::is_cut). The record lacks changes that the run does not reach.
    pub fn record_within(
        &self,
        most: usize,
        mut task: Task,
        machine: MachineKind,
        changes: &[Change],
        progress: &Progress,
    ) -> RecordedRun {
        task.limits.cancelled = vec![Arc::clone(&progress.cancelled)];
        // Cells that are computed again would have no steps.
        task.limits.recompute = false;
        let mut recorder = Recorder::new(self.executable(), &task, most);
        let mut observer = |update: &Update| -> ControlFlow<()> {
            progress.reach(update.cell.number());
            recorder.read(update)
        };
        let outcome = if changes.is_empty() {
            self.complete(&task, machine, Some(&mut observer))
        } else {
            self.complete_changed(&task, changes, Some(&mut observer)).map(|(continuation, _)| continuation)
        };
        recorder.finish(changes, outcome)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use psl_runtime::{
        CellId, ChangeTime, Executable, RunFailure,
        record::{RowId, Time},
    };
    use psl_syntax::program::{ProductionId, RegisterId};

    use super::*;
    use crate::fixture::file;

    const TWO_LAYERS: &str = "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\n\
                              where symbol[N] == A:\n    mark[N] = A\nwhere mark[N] == A:\n    mark[N] = B\n";

    fn record(text: &str, prompt: &str, progress: &Progress, most: usize) -> RecordedRun {
        let file = file(text);
        let runner = file.runner().expect("a program that compiles");
        runner.record_within(most, runner.task(prompt).expect("a task"), MachineKind::Psm, &[], progress)
    }

    #[test]
    fn a_run_beyond_the_limit_keeps_the_rows_that_all_cells_ran() {
        let whole = record(TWO_LAYERS, "A A A", &Progress::default(), RecordedRun::MOST);
        assert_eq!((whole.rows().len(), whole.cells()), (2, 18));
        // Three starts, a row with three updates, another row, and one update of the three.
        let progress = Progress::default();
        let cut = record(TWO_LAYERS, "A A A", &progress, 9 + 4 + 6 + 4 + 1);
        let failure = cut.outcome().as_ref().expect_err("a failure");
        assert!(failure.message.contains("24 recorded values with 3 cells and 2 layers"), "{}", failure.message);
        assert!(!progress.is_cancelled());
        assert_eq!((cut.rows().as_slice(), cut.cells()), (&whole.rows().as_slice()[..1], 3));
        let [first, second] = [0, 1].map(RowId::new);
        for cell in CellId::first(3) {
            assert_eq!(cut.update(first, cell), whole.update(first, cell));
            assert_eq!(cut.state(cell, Time::after(first)), whole.state(cell, Time::after(first)));
            assert_eq!(cut.update(second, cell), None);
        }
    }

    #[test]
    fn a_change_at_a_head_is_one_of_its_layer() {
        let file = file(
            "registers: {symbol: 's', position: 'p', mark: 'm', side: 'd'}\nconstants: {A, B, C}\n\
             where symbol[N] == A:\n    mark[N] = A\n\
             where symbol[N] == A:\n    side[N] = A\n\
             where mark[N] == B:\n    symbol[N] = C\n",
        );
        let scheduled = file.runner().expect("a program").scheduled(None).expect("a schedule");
        assert_eq!((scheduled.layers(), scheduled.productions()), (2, 3));
        let side = RegisterId(3);
        let check = |register, at, expected: [&str; 4]| {
            let mut task = scheduled.task("A").expect("a task");
            task.limits.max_new = 1;
            let value = Some(task.add_value("B"));
            let change = Change { at, pass: None, cell: CellId::new(0), register, value };
            let progress = Progress::default();
            let run = scheduled.record_within(
                RecordedRun::MOST,
                task.clone(),
                MachineKind::Psm,
                std::slice::from_ref(&change),
                &progress,
            );
            let seen =
                [0, 1, 2, 3].map(|time| run.vocabulary().show(run.value(register, CellId::new(0), Time::new(time))));
            assert_eq!(seen, expected, "{at:?}");
            let (plain, _) = scheduled.run_changed(&task, &[change], None).expect("a run");
            let last = plain.states.first().and_then(|state| state.get(register.index()).copied().flatten());
            assert_eq!(run.value(register, CellId::new(0), run.end()), last, "{at:?}");
        };
        let [first, second] = [0, 1].map(ProductionId::new);
        // The two heads are the rows 0 and 1. All write after the rows of both.
        for head in [first, second] {
            check(side, ChangeTime::Before(head), ["B", "B", "A", "A"]);
            check(side, ChangeTime::After(head), ["∅", "∅", "B", "B"]);
            check(RegisterId(2), ChangeTime::After(head), ["∅", "A", "B", "B"]);
        }
    }

    #[test]
    fn passes_that_repeat_the_pass_before_need_no_memory() {
        let text = |value| {
            format!(
                "registers: {{symbol: 's', position: 'p', count: 'c', mark: 'm'}}\nconstants: {{A, B, '0', '9'}}\n\
                 where position[N] == position[N]:\n    count[N] = 0\n\
                 repeat:\n    where count[N] != 9:\n        count[N] = count[N]@pos_increment\n    \
                 where symbol[N] == A:\n        mark[N] = {value}\n\
                 until count[N] == 9\n"
            )
        };
        let recorded = |value| {
            let run = |most| record(&text(value), "A A A", &Progress::default(), most);
            (0..10_000).find(|&most| !run(most).is_cut()).expect("a limit")
        };
        // 18 cells begin a stretch in each of 9 passes, or in the first alone.
        assert_eq!(recorded("count[N]") - recorded("A"), 18 * 8);
    }

    #[test]
    fn a_cancelled_run_keeps_its_prompt() {
        let progress = Progress::default();
        progress.cancelled.store(true, Ordering::Relaxed);
        let run = record(TWO_LAYERS, "A A A", &progress, RecordedRun::MOST);
        assert_eq!(run.outcome().as_ref().map_err(|failure| failure.message.as_str()), Err("the run was cancelled"));
        assert_eq!((run.rows().len(), run.cells()), (0, 3));
    }

    #[test]
    fn an_endless_block_keeps_its_passes() {
        let text = "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\n\
                    where symbol[N] == A:\n    mark[N] = A\n\
                    repeat:\n    where symbol[N] == A and mark[N] == A:\n        mark[N] = B\n\
                    until mark[N] == A\n";
        let run = record(text, "A", &Progress::default(), RecordedRun::MOST);
        assert_eq!(run.outcome().as_ref().map_err(RunFailure::block), Err(Some(1)));
        assert!(run.rows().len() > 2, "{:?}", run.rows());
        assert_eq!(run.rows()[RowId::new(1)].pass, [1]);
    }

    #[test]
    fn a_program_without_layers_has_cells() {
        let mut qkvl = file(TWO_LAYERS).runner().expect("a program that compiles").executable().qkvl().clone();
        qkvl.weights.clear();
        let runner = Runner::of(Executable::of_qkvl(qkvl));
        let task = runner.task("A B").expect("a task");
        let run = runner.record(task, MachineKind::Qkvm, &Progress::default());
        let text = |register| run.vocabulary().show(run.value(register, run.last_cell(), Time::START)).to_owned();
        assert_eq!((run.rows().len(), run.cells()), (0, 17));
        assert_eq!([0, 1, 2].map(|register| text(RegisterId(register))), ["B", "17", "∅"]);
    }
}
