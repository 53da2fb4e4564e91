//! Records a run as it happens.

use std::{
    collections::{BTreeSet, HashMap, hash_map::Entry},
    iter,
    ops::ControlFlow,
    sync::Arc,
};

use psl_syntax::{
    index::IndexVec,
    program::{ProductionId, RegisterId},
};

use super::{
    recorded_run::{CellRecord, RecordedRun, RegisterChange},
    row::{BlocksOfLayers, Row, RowId, Rows, Time},
    stretches::Pass,
    tracks::Tracks,
};
use crate::{
    cell_id::CellId,
    changes::{Change, ChangeTime},
    continuation::{Continuation, FailureCause, RunFailure},
    executable::Executable,
    heads::HeadPlace,
    input::{State, Task},
    trace::Update,
    vocabulary::Vocabulary,
};

/// Records a run from its updates. Of a run that computes its cells again, it keeps the last computation, as if each
/// step had run the rows of the last one.
///
/// Rows are numbered in the order in which they first ran.
pub struct Recorder {
    vocabulary: Vocabulary,
    given_roles: BTreeSet<(CellId, RegisterId)>,
    ablated: BTreeSet<ProductionId>,
    recompute: bool,
    position: Option<RegisterId>,
    blocks: BlocksOfLayers,
    heads: Vec<HeadPlace>,
    prompt_cells: usize,
    output: Option<RegisterId>,
    is_row: bool,
    /// The number of steps that have begun, and that of the cells of the last one.
    begun: usize,
    step_cells: usize,
    rows: IndexVec<RowId, Row>,
    numbers: HashMap<Row, RowId>,
    /// The rows of the steps that have ended, each list with its index.
    step_rows: HashMap<Vec<RowId>, usize>,
    /// The index in `step_rows` of each step that has ended.
    steps: Vec<usize>,
    /// The rows of the current step.
    step: Option<Vec<RowId>>,
    /// The last row of each layer in the current step.
    last_rows: IndexVec<ProductionId, Option<RowId>>,
    /// The last row of the current step, and the number of its updates.
    pass: Pass,
    updates: usize,
    tracks: Tracks,
    cells: IndexVec<CellId, CellRecord>,
    /// The current state of the last cell.
    state: Arc<State>,
    recorded: usize,
    most: usize,
}

impl Recorder {
    /// The record of a task's run before its first update. It is cut if it would need more than `most` recorded values:
    /// see [`RecordedRun::MOST`].
    pub fn new(executable: &Executable, task: &Task, most: usize) -> Self {
        let cells: IndexVec<CellId, _> = task.input.cells.iter().map(CellRecord::new).collect();
        Self {
            vocabulary: task.vocabulary.clone(),
            given_roles: task.input.given_roles.clone(),
            ablated: task.limits.ablated.clone(),
            recompute: task.limits.recompute,
            position: executable.registers.roles.position,
            blocks: BlocksOfLayers::new(executable),
            heads: executable.heads(),
            prompt_cells: cells.len(),
            output: task.output(&executable.registers),
            is_row: task.answer.is_some(),
            begun: 0,
            step_cells: cells.len(),
            rows: IndexVec::default(),
            numbers: HashMap::new(),
            step_rows: HashMap::new(),
            steps: Vec::new(),
            step: None,
            last_rows: IndexVec::default(),
            pass: Pass { row: RowId::new(0), before: None },
            updates: 0,
            tracks: Tracks::default(),
            recorded: cells.iter().map(|cell| cell.start.len()).sum(),
            cells,
            state: task.input.cells.last().cloned().map(Arc::new).unwrap_or_default(),
            most,
        }
    }

    /// Begins with the prompt, then with a generated cell, which starts as the final state of the one before, with its
    /// own position.
    fn begin_step(&mut self) {
        if self.begun > 0 {
            self.end_step();
            let number = self.cells.len() + 1;
            if let Some(slot) =
                self.position.and_then(|register| Arc::make_mut(&mut self.state).get_mut(register.index()))
            {
                *slot = self.vocabulary.positions().get(number).copied();
            }
            self.cells.push(CellRecord::new(&self.state));
            self.recorded += self.state.len();
            self.step_cells = if self.recompute { number } else { 1 };
            if self.recompute {
                self.forget();
            }
        }
        self.begun += 1;
        self.step = Some(Vec::new());
    }

    /// Forgets all but the starts of the cells, which are computed again.
    fn forget(&mut self) {
        self.cells.as_mut_slice().iter_mut().for_each(|cell| *cell = CellRecord::new(&cell.start));
        self.recorded = self.cells.iter().map(|cell| cell.start.len()).sum();
        (self.rows, self.numbers, self.tracks) = (IndexVec::default(), HashMap::new(), Tracks::default());
        (self.step_rows, self.steps) = (HashMap::new(), Vec::new());
    }

    fn end_step(&mut self) {
        let Some(rows) = self.step.take() else { return };
        let (next, length) = (self.step_rows.len(), rows.len());
        let index = *self.step_rows.entry(rows).or_insert(next);
        // Equal rows are kept once.
        self.recorded += if index == next { length } else { 0 };
        self.steps.extend(iter::repeat_n(index, if self.recompute { self.begun } else { 1 }));
        self.last_rows = IndexVec::default();
    }

    /// Records an update. Breaks when the record is full.
    pub fn read(&mut self, update: &Update) -> ControlFlow<()> {
        if update.step == self.begun {
            self.begin_step();
        }
        self.reach(update);
        self.updates += 1;
        let cell = &mut self.cells[update.cell];
        if let Some(source) = update.attends {
            self.recorded += usize::from(cell.attends.record(update.layer.index() as u32, self.pass, source));
        }
        for &(register, value) in &update.set {
            let track = self.tracks.number(update.layer, register);
            self.recorded += usize::from(cell.writes.record(track, self.pass, value));
        }
        if update.cell.number() == self.cells.len() {
            self.state.clone_from(&update.state);
        }
        if self.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn is_full(&self) -> bool {
        self.recorded > self.most
    }

    /// Makes an update's row the last row of the current step.
    fn reach(&mut self, update: &Update) {
        let is_begun = self.step.as_ref().is_some_and(|step| !step.is_empty());
        let same = |row: &Row| row.layer == update.layer && row.pass == update.pass;
        if is_begun && self.rows.find(self.pass.row).is_some_and(same) {
            return;
        }
        let row = Row { layer: update.layer, pass: update.pass.clone() };
        let row = match self.numbers.entry(row) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                self.recorded += 4;
                let id = self.rows.push(new.key().clone());
                *new.insert(id)
            }
        };
        if let Some(step) = &mut self.step {
            step.push(row);
        }
        if self.last_rows.len() <= update.layer.index() {
            self.last_rows.resize_with(update.layer.number(), || None);
        }
        let before = self.last_rows[update.layer].replace(row);
        (self.pass, self.updates) = (Pass { row, before }, 0);
    }

    /// Removes the last row if only some of the step's cells ran it.
    fn remove_partial_row(&mut self) {
        let Some(step) = self.step.as_mut().filter(|_| self.updates < self.step_cells) else { return };
        // Such a step is the first that is kept, and a layer runs once in each pass, so that it has no other row of
        // this number.
        let Some(partial) = step.pop() else { return };
        self.rows.truncate(partial);
        for cell in self.cells.as_mut_slice() {
            cell.attends.remove(self.pass);
            cell.writes.remove(self.pass);
        }
    }

    /// The record of a run that ended with this outcome, after changes on the way. It lacks changes that the run did
    /// not reach.
    pub fn finish(mut self, changes: &[Change], outcome: Result<Continuation, RunFailure>) -> RecordedRun {
        let is_cut = self.is_full();
        let outcome = if is_cut {
            Err(self.too_long())
        } else {
            // A program without layers reports no updates.
            let steps = outcome.as_ref().map_or(1, |outcome| outcome.symbols.len().max(1));
            (self.begun..steps).for_each(|_| self.begin_step());
            outcome
        };
        self.remove_partial_row();
        self.end_step();
        let Self { prompt_cells, output, is_row, rows, numbers, step_rows, steps, tracks, mut cells, .. } = self;
        drop(numbers);
        let (rows, renumbered) = Rows::new(rows, self.blocks);
        let mut step_rows: Vec<(Vec<RowId>, usize)> = step_rows.into_iter().collect();
        step_rows.sort_unstable_by_key(|(_, index)| *index);
        let of_step = |(mut rows, _): (Vec<RowId>, usize)| {
            for row in &mut rows {
                *row = renumbered[*row];
            }
            rows.shrink_to_fit();
            rows
        };
        let step_rows = step_rows.into_iter().map(of_step).collect();
        for cell in cells.as_mut_slice() {
            cell.attends.finish(&renumbered);
            cell.writes.finish(&renumbered);
        }
        let mut run = RecordedRun {
            outcome,
            vocabulary: self.vocabulary,
            prompt_cells,
            output,
            is_row,
            given_roles: self.given_roles,
            ablated: self.ablated,
            rows,
            step_rows,
            steps,
            tracks,
            cells,
            is_cut,
            unreached: Vec::new(),
        };
        // A change before a row comes after one that follows the row before.
        let mut ordered: Vec<(usize, &Change)> = changes.iter().enumerate().collect();
        ordered.sort_by_key(|(_, change)| matches!(change.at, ChangeTime::Before(_)));
        ordered.retain(|(_, change)| !run.add(change, &self.heads));
        run.unreached = ordered.into_iter().map(|(index, _)| index).collect();
        run.unreached.sort_unstable();
        run
    }

    fn too_long(&self) -> RunFailure {
        let (cells, rows, most) = (self.cells.len(), self.rows.len(), self.most);
        let reached = format!("with {cells} cells and {rows} layers and passes");
        let limit = format!("the run exceeds the limit of {most} recorded values {reached}");
        let message = format!("{limit}; {}", RunFailure::WAY_TO_SHORTEN);
        RunFailure { message, cause: FailureCause::RecordLimit }
    }
}

impl RecordedRun {
    /// Adds a change at all times when the run reached it, and returns whether it did. The last one of a register at a
    /// time counts.
    fn add(&mut self, change: &Change, heads: &[HeadPlace]) -> bool {
        let Change { at, cell, register, value, .. } = *change;
        if self.start(cell).get(register.index()).is_none() {
            return false;
        }
        let run = &*self;
        let in_pass = |row: RowId| change.pass.as_ref().is_none_or(|pass| run.rows()[row].pass == *pass);
        let times: Vec<Time> = match at {
            ChangeTime::Start => vec![Time::START],
            ChangeTime::Before(head) | ChangeTime::After(head) => {
                let is_after = matches!(at, ChangeTime::After(_));
                let rows = run.rows_of_layer(head_of_layer(head, heads, is_after));
                let rows = rows.filter(|row| in_pass(*row) && run.has_row(*row, cell));
                rows.map(|row| if is_after { Time::after(row) } else { Time::before(row) }).collect()
            }
        };
        let changes = &mut self.cells[cell].changes;
        for &time in &times {
            changes.retain(|old| (old.register, old.time) != (register, time));
            changes.push(RegisterChange { register, time, value });
        }
        !times.is_empty()
    }
}

/// The first or the last head of the layer of a head, whose rows are next to each other.
fn head_of_layer(head: ProductionId, heads: &[HeadPlace], last: bool) -> ProductionId {
    let Some(place) = heads.get(head.index()) else { return head };
    let mut siblings = heads.iter().map(|sibling| sibling.layer == place.layer);
    let found = if last { siblings.rposition(|is_one| is_one) } else { siblings.position(|is_one| is_one) };
    found.map_or(head, ProductionId::new)
}
