//! Records a run as it happens.

use std::{collections::HashMap, ops::ControlFlow, sync::Arc};

use psl_program::{Continuation, Progress, RunFailure, Runner, WAY_TO_SHORTEN};
use psl_runtime::{Change, Executable, MachineKind, Observer, State, Task, Update, ValueId};

use super::{
    row::{BlocksOfLayers, Row, Rows},
    run::{CellRecord, RecordedRun, RegisterChange},
    stretches::Pass,
    tracks::Tracks,
};

/// The maximum number of recorded values. Each takes up to 28 bytes at the peak, including the spare capacity of lists.
pub(crate) const MOST: usize = 3_500_000;

impl RecordedRun {
    /// Runs a task and records it. A run that fails keeps the rows that ran before. A run that would need more than about
    /// 100 MB fails, and so does one that `progress` cancels.
    pub fn new(runner: &Runner, task: Task, machine: MachineKind, progress: &Progress) -> Self {
        Self::within(runner, task, machine, progress, MOST)
    }

    /// Runs a task with changed registers on the PSM and records it: see
    /// [`Executable::run_changed`](psl_runtime::Executable::run_changed). The record lacks changes that the run does not
    /// reach.
    pub fn changed(runner: &Runner, task: Task, changes: &[Change], progress: &Progress) -> Self {
        Self::changed_within(runner, task, changes, progress, MOST)
    }

    /// The same as [`RecordedRun::changed`] with another limit, in recorded values.
    pub(crate) fn changed_within(
        runner: &Runner,
        task: Task,
        changes: &[Change],
        progress: &Progress,
        most: usize,
    ) -> Self {
        let complete = |task: &Task, observer: Observer<'_>| runner.complete_changed(task, changes, Some(observer));
        let mut run = Self::of(runner.executable(), task, complete, progress, most);
        for change in changes {
            run.add(change);
        }
        run
    }

    /// The same as [`RecordedRun::new`] with another limit, in recorded values. A run that exceeds it is [cut](RecordedRun::is_cut).
    pub(crate) fn within(runner: &Runner, task: Task, machine: MachineKind, progress: &Progress, most: usize) -> Self {
        let complete = |task: &Task, observer: Observer<'_>| runner.complete(task, machine, Some(observer));
        Self::of(runner.executable(), task, complete, progress, most)
    }

    /// Records the run of a task that `complete` performs.
    fn of(
        executable: &Executable,
        mut task: Task,
        complete: impl FnOnce(&Task, Observer<'_>) -> Result<Continuation, RunFailure>,
        progress: &Progress,
        most: usize,
    ) -> Self {
        task.limits.cancelled = vec![Arc::clone(&progress.cancelled)];
        // Otherwise a cell would have many updates of one row.
        task.limits.recompute = false;
        let position = executable.registers.roles.position.map(|register| register.0 as usize);
        let mut recording = Recording::new(&task, position, most);
        let mut observer = |update: &Update| {
            recording.record(update);
            progress.reach(update.cell);
            if recording.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let outcome = complete(&task, &mut observer);
        let outcome = if recording.is_full() {
            let (cells, rows) = (recording.cells.len(), recording.rows.len());
            let reached = format!("with {cells} cells and {rows} layers and passes");
            let limit = format!("the run exceeds the limit of {most} recorded values {reached}");
            Err(RunFailure::new(format!("{limit}; {WAY_TO_SHORTEN}")))
        } else {
            // A program without layers reports no updates.
            let cells = outcome.as_ref().map_or(0, |outcome| outcome.symbols.len().saturating_sub(1));
            (recording.begun()..=cells).for_each(|_| recording.begin_step());
            outcome
        };
        let is_cut = recording.is_full();
        let run = recording.finish(task, outcome, BlocksOfLayers::new(&executable.qkvl().weights));
        Self { is_cut, ..run }
    }

    /// Adds a change if the run reached it. The last one of a register at a row counts.
    fn add(&mut self, change: &Change) {
        let Change { step, cell, register, value, .. } = *change;
        let row = self.rows.find(&Row { layer: change.layer, pass: change.pass.clone() });
        let reached = row.filter(|&row| self.step_of(cell) == step && self.has_row(row, cell));
        let record = cell.checked_sub(1).and_then(|index| self.cells.get_mut(index));
        let (Some(row), Some(record)) = (reached, record) else { return };
        if register < record.start.len() {
            record.changes.retain(|old| (old.register, old.row) != (register, row));
            record.changes.push(RegisterChange { register, row, value });
        }
    }
}

/// The records so far. Rows are numbered in the order in which they first ran.
struct Recording {
    prompt_cells: usize,
    position: Option<usize>,
    positions: Vec<ValueId>,
    rows: Vec<Row>,
    numbers: HashMap<Row, usize>,
    /// The rows of the steps that have ended, each list with its index.
    step_rows: HashMap<Vec<usize>, usize>,
    /// The index in `step_rows` of each step that has ended.
    steps: Vec<usize>,
    /// The rows of the current step.
    step: Option<Vec<usize>>,
    /// The last row of each layer in the current step.
    last_rows: Vec<Option<u32>>,
    /// The last row of the current step, and the number of its updates.
    pass: Pass,
    updates: usize,
    tracks: Tracks,
    cells: Vec<CellRecord>,
    /// The current state of the last cell.
    state: Arc<State>,
    recorded: usize,
    most: usize,
}

impl Recording {
    fn new(task: &Task, position: Option<usize>, most: usize) -> Self {
        let start = |start: &State| CellRecord { start: start.clone(), ..CellRecord::default() };
        let cells: Vec<_> = task.input.cells.iter().map(start).collect();
        Self {
            prompt_cells: cells.len(),
            position,
            positions: task.vocabulary.positions().to_vec(),
            rows: Vec::new(),
            numbers: HashMap::new(),
            step_rows: HashMap::new(),
            steps: Vec::new(),
            step: None,
            last_rows: Vec::new(),
            pass: Pass { row: 0, before: None },
            updates: 0,
            tracks: Tracks::default(),
            recorded: cells.iter().map(|cell| cell.start.len()).sum(),
            cells,
            state: task.input.cells.last().cloned().map(Arc::new).unwrap_or_default(),
            most,
        }
    }

    fn is_full(&self) -> bool {
        self.recorded > self.most
    }

    /// The number of steps that have begun.
    fn begun(&self) -> usize {
        self.steps.len() + usize::from(self.step.is_some())
    }

    /// Begins with the prompt, then with a generated cell, which starts as the final state of the one before, with its own
    /// position.
    fn begin_step(&mut self) {
        if self.begun() > 0 {
            self.end_step();
            let number = self.cells.len() + 1;
            if let Some(slot) = self.position.and_then(|register| Arc::make_mut(&mut self.state).get_mut(register)) {
                *slot = self.positions.get(number).copied();
            }
            self.cells.push(CellRecord { start: State::clone(&self.state), ..CellRecord::default() });
            self.recorded += self.state.len();
        }
        self.step = Some(Vec::new());
    }

    fn end_step(&mut self) {
        let Some(rows) = self.step.take() else { return };
        let (next, length) = (self.step_rows.len(), rows.len());
        let index = *self.step_rows.entry(rows).or_insert(next);
        // Equal rows are kept once.
        self.recorded += if index == next { length } else { 0 };
        self.steps.push(index);
        self.last_rows.clear();
    }

    fn record(&mut self, update: &Update) {
        if update.step == self.begun() {
            self.begin_step();
        }
        self.reach(update);
        self.updates += 1;
        let Some(cell) = update.cell.checked_sub(1).and_then(|cell| self.cells.get_mut(cell)) else { return };
        if let Some(source) = update.attends {
            self.recorded += usize::from(cell.attends.record(update.layer as u32, self.pass, source as u32));
        }
        for &(register, value) in &update.set {
            let track = self.tracks.number(update.layer, register);
            self.recorded += usize::from(cell.writes.record(track, self.pass, value));
        }
        if update.cell == self.cells.len() {
            self.state.clone_from(&update.state);
        }
    }

    /// Makes an update's row the last row of the current step.
    fn reach(&mut self, update: &Update) {
        let is_begun = self.step.as_ref().is_some_and(|step| !step.is_empty());
        let same = |row: &Row| row.layer == update.layer && row.pass == update.pass;
        if is_begun && self.rows.get(self.pass.row as usize).is_some_and(same) {
            return;
        }
        let row = Row { layer: update.layer, pass: update.pass.clone() };
        let next = self.rows.len();
        let number = *self.numbers.entry(row.clone()).or_insert(next);
        if number == next {
            self.rows.push(row);
            self.recorded += 4;
        }
        if let Some(step) = &mut self.step {
            step.push(number);
        }
        if self.last_rows.len() <= update.layer {
            self.last_rows.resize(update.layer + 1, None);
        }
        let row = number as u32;
        let before = self.last_rows.get_mut(update.layer).and_then(|last| last.replace(row));
        (self.pass, self.updates) = (Pass { row, before }, 0);
    }

    /// Removes the last row of the prompt if only some of its cells ran it.
    fn remove_partial_row(&mut self) {
        let Some(step) = self.step.as_mut().filter(|_| self.steps.is_empty()) else { return };
        if self.updates == self.prompt_cells {
            return;
        }
        // A layer runs once in each pass, so that no other row of the prompt has this number.
        let Some(partial) = step.pop() else { return };
        self.rows.truncate(partial);
        for cell in &mut self.cells {
            cell.attends.remove(self.pass);
            cell.writes.remove(self.pass);
        }
    }

    fn finish(mut self, task: Task, outcome: Result<Continuation, RunFailure>, blocks: BlocksOfLayers) -> RecordedRun {
        self.remove_partial_row();
        self.end_step();
        let Self { prompt_cells, rows, numbers, step_rows, steps, tracks, mut cells, .. } = self;
        drop(numbers);
        let (rows, numbers) = Rows::new(rows, blocks);
        let number = |row: usize| numbers.get(row).copied().unwrap_or(row);
        let mut step_rows: Vec<(Vec<usize>, usize)> = step_rows.into_iter().collect();
        step_rows.sort_unstable_by_key(|(_, index)| *index);
        let renumbered = |(mut rows, _): (Vec<usize>, usize)| {
            for row in &mut rows {
                *row = number(*row);
            }
            rows.shrink_to_fit();
            rows
        };
        let step_rows = step_rows.into_iter().map(renumbered).collect();
        for cell in &mut cells {
            cell.attends.finish(|row| number(row as usize) as u32);
            cell.writes.finish(|row| number(row as usize) as u32);
        }
        let (vocabulary, given_roles, ablated) = (task.vocabulary, task.input.given_roles, task.limits.ablated);
        RecordedRun {
            outcome,
            vocabulary,
            prompt_cells,
            given_roles,
            ablated,
            rows,
            step_rows,
            steps,
            tracks,
            cells,
            is_cut: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;
    use crate::fixture::file;

    const TWO_LAYERS: &str = "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\n\
                              where symbol[N] == A:\n    mark[N] = A\nwhere mark[N] == A:\n    mark[N] = B\n";

    fn record(text: &str, prompt: &str, progress: &Progress, most: usize) -> RecordedRun {
        let file = file(text);
        let runner = file.runner().expect("a program that compiles");
        RecordedRun::within(runner, runner.task(prompt).expect("a task"), MachineKind::Psm, progress, most)
    }

    #[test]
    fn a_run_beyond_the_limit_keeps_the_rows_that_all_cells_ran() {
        let whole = record(TWO_LAYERS, "A A A", &Progress::default(), MOST);
        assert_eq!((whole.rows().len(), whole.cells()), (2, 18));
        // Three starts, a row with three updates, another row, and one update of the three.
        let progress = Progress::default();
        let cut = record(TWO_LAYERS, "A A A", &progress, 9 + 4 + 6 + 4 + 1);
        let failure = cut.outcome().as_ref().expect_err("a failure");
        assert!(failure.message.contains("24 recorded values with 3 cells and 2 layers"), "{}", failure.message);
        assert!(!progress.is_cancelled());
        assert_eq!((cut.rows(), cut.cells()), (&whole.rows()[..1], 3));
        for cell in 1..=3 {
            assert_eq!(cut.update(0, cell), whole.update(0, cell));
            assert_eq!(cut.state(cell, 1), whole.state(cell, 1));
            assert_eq!(cut.update(1, cell), None);
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
        let run = record(TWO_LAYERS, "A A A", &progress, MOST);
        assert_eq!(run.outcome().as_ref().map_err(|failure| failure.message.as_str()), Err("the run was cancelled"));
        assert_eq!((run.rows().len(), run.cells()), (0, 3));
    }

    #[test]
    fn an_endless_block_keeps_its_passes() {
        let text = "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\n\
                    where symbol[N] == A:\n    mark[N] = A\n\
                    repeat:\n    where symbol[N] == A and mark[N] == A:\n        mark[N] = B\n\
                    until mark[N] == A\n";
        let run = record(text, "A", &Progress::default(), MOST);
        assert_eq!(run.outcome().as_ref().map_err(|failure| failure.block), Err(Some(1)));
        assert!(run.rows().len() > 2, "{:?}", run.rows());
        assert_eq!(run.rows()[1].pass, [1]);
    }

    #[test]
    fn a_program_without_layers_has_cells() {
        let mut qkvl = file(TWO_LAYERS).runner().expect("a program that compiles").executable().qkvl().clone();
        qkvl.weights.clear();
        let runner = Runner::of(Executable::of_qkvl(qkvl));
        let task = runner.task("A B").expect("a task");
        let run = RecordedRun::new(&runner, task, MachineKind::Qkvm, &Progress::default());
        let text = |register, cell| run.vocabulary().show(run.value(register, cell, 0)).to_owned();
        assert_eq!((run.rows().len(), run.cells()), (0, 17));
        assert_eq!([text(0, 17), text(1, 17), text(2, 17)], ["B", "17", "∅"]);
    }
}
