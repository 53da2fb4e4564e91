//! The moments of a run in order, and the movements between them.
//!
//! Invariant: a longer record of the same run has the same moments at first.

use psl_runtime::{
    CellId,
    record::{RecordedRun, Row, RowId, Time},
};
use psl_syntax::index::at;

use super::step_place::StepPlace;

/// A moment of a run. Moments are ordered by time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment {
    /// The forward step: 0 for the prompt, k for the k-th generated cell.
    pub step: usize,
    /// The index among the step's rows, or their number at the end of the step.
    pub(super) index: usize,
    /// The index among the places there: the ends of passes, the starts of blocks, then the layer.
    pub(super) event: usize,
    /// The cell in focus. A layer updates it next.
    pub cell: CellId,
}

/// The moments of a recorded run.
#[derive(Clone, Copy)]
pub struct Timeline<'r> {
    run: &'r RecordedRun,
}

impl<'r> Timeline<'r> {
    /// The moments of a run.
    pub fn new(run: &'r RecordedRun) -> Self {
        Self { run }
    }

    /// The first moment.
    pub fn start(self) -> Moment {
        Moment { step: 0, index: 0, event: 0, cell: CellId::new(0) }
    }

    /// The first moment of a forward step.
    pub fn start_of_step(self, step: usize) -> Moment {
        Moment { step, index: 0, event: 0, cell: self.first_cell(step) }
    }

    /// The moment after the run.
    pub fn end(self) -> Moment {
        let last = self.run.steps().saturating_sub(1);
        let step = if self.has_symbol(last) { last + 1 } else { last };
        self.last_of_index(step, self.run.rows_of_step(step).len(), self.run.last_cell())
    }

    pub fn place(self, moment: Moment) -> StepPlace {
        self.places(moment.step, moment.index).into_iter().nth(moment.event).unwrap_or(StepPlace::End)
    }

    /// The number of rows of the run that are over at a moment, for its step's cells: a time of [`RecordedRun`].
    pub fn time(self, moment: Moment) -> Time {
        let rows = self.run.rows_of_step(moment.step);
        rows.get(moment.index).map_or(self.run.end(), |&row| Time::before(row))
    }

    /// The time of any cell at a moment: for a cell of an earlier step, the time at which the next layer reads it.
    pub fn time_of(self, moment: Moment, cell: CellId) -> Time {
        if self.run.step_of(cell) == moment.step {
            return self.time(moment);
        }
        let row = self.run.rows_of_step(moment.step).get(moment.index);
        let read = row.and_then(|&row| self.run.read_time(row, moment.cell, cell));
        read.unwrap_or(self.run.end())
    }

    /// The moment with the place of a moment of another run of the same layers and prompt. If this run lacks the place,
    /// the first layer after it.
    pub(super) fn like(self, other: Timeline<'_>, moment: Moment) -> Moment {
        let place = other.place(moment);
        if place == StepPlace::End || moment.step >= self.run.steps() {
            return self.end();
        }
        let rows = self.run.rows_of_step(moment.step);
        let event = |index: usize| self.places(moment.step, index).iter().position(|own| *own == place);
        if let Some((index, event)) = (0..=rows.len()).find_map(|index| Some((index, event(index)?))) {
            return Moment { index, event, ..moment };
        }
        let next = other.run.rows_of_step(moment.step).get(moment.index).map(|&row| &other.run.rows()[row]);
        let is_before = |&row: &RowId| next.is_none_or(|next| self.run.order(&self.run.rows()[row], next).is_lt());
        self.last_of_index(moment.step, rows.partition_point(is_before), moment.cell)
    }

    /// The row of a moment at a layer.
    pub fn row(self, moment: Moment) -> Option<RowId> {
        let row = *self.run.rows_of_step(moment.step).get(moment.index)?;
        matches!(self.place(moment), StepPlace::Layer(_)).then_some(row)
    }

    /// The moment at which a cell reaches a row. `None` if it lacks the row.
    pub fn at_row(self, row: RowId, cell: CellId) -> Option<Moment> {
        let step = self.run.step_of(cell);
        let index = self.run.rows_of_step(step).binary_search(&row).ok()?;
        self.run.has_row(row, cell).then(|| self.last_of_index(step, index, cell))
    }

    /// The row that a moment is about: at a layer its own, at the start of a block its first, and elsewhere the last
    /// one before it.
    pub fn row_about(self, moment: Moment) -> Option<RowId> {
        let rows = self.run.rows_of_step(moment.step);
        let found = match (self.place(moment), moment.index.checked_sub(1)) {
            (StepPlace::Layer(_) | StepPlace::Block { .. }, _) => rows.get(moment.index),
            (_, Some(before)) => rows.get(before),
            // The end of a run is after its last step.
            (_, None) => self.run.rows_of_step(moment.step.checked_sub(1)?).last(),
        };
        found.copied()
    }

    /// The moment at which a cell reaches a row or, if it lacks the row, its next one. Without a row, the start of the
    /// cell's step. `None` if there is no such cell.
    pub fn near_row(self, row: Option<RowId>, cell: CellId) -> Option<Moment> {
        if cell.index() >= self.run.cells() {
            return None;
        }
        let step = self.run.step_of(cell);
        Some(match row {
            None => Moment { cell, ..self.start_of_step(step) },
            Some(row) => self.last_of_index(step, self.run.rows_of_step(step).partition_point(|&own| own < row), cell),
        })
    }

    /// The moment at which a step has generated its symbol, or the end of the run at the cell that holds a value of the
    /// row. `None` if the result lacks it.
    pub fn at_symbol(self, index: usize) -> Option<Moment> {
        if !self.run.is_row() {
            return self.has_symbol(index).then(|| self.last_of_step(index));
        }
        let row = self.run.outcome().as_ref().ok()?;
        (index < row.symbols.len()).then(|| Moment { cell: self.run.cell_of_symbol(index), ..self.end() })
    }

    /// The next layer, block or end of a pass, for the same cell if the step is the same. From a block, over all
    /// passes.
    pub fn next(self, moment: Moment) -> Option<Moment> {
        match self.place(moment) {
            StepPlace::Block { pass, .. } => Some(self.after_block(moment, moment.index, &pass)),
            _ => self.following(moment),
        }
    }

    /// The next cell of a layer, or the following place: from a block, its first pass.
    pub fn next_cell(self, moment: Moment) -> Option<Moment> {
        let cells = self.run.cells_of_step(moment.step);
        if matches!(self.place(moment), StepPlace::Layer(_)) && moment.cell.next() < cells.end {
            return Some(Moment { cell: moment.cell.next(), ..moment });
        }
        let next = self.following(moment)?;
        Some(Moment { cell: self.first_cell(next.step), ..next })
    }

    /// From a pass to its end, from there to the end of the block, and otherwise to the end of the step.
    pub fn out(self, moment: Moment) -> Option<Moment> {
        match self.place(moment) {
            StepPlace::End => None,
            StepPlace::Symbol => Some(self.last_of_step(moment.step + 1)),
            StepPlace::Until { mut pass, .. } => {
                pass.pop();
                Some(self.after_block(moment, moment.index.saturating_sub(1), &pass))
            }
            StepPlace::Layer(Row { pass, .. }) | StepPlace::Block { pass, .. } if !pass.is_empty() => {
                let blocks = self.blocks_at(moment.step, moment.index, pass.len());
                Some(self.after_rows(moment, blocks, &pass, pass.len()))
            }
            StepPlace::Layer(_) | StepPlace::Block { .. } => Some(self.last_of_step(moment.step)),
        }
    }

    /// The previous place, for the same cell if the step is the same. After a block, that is its start.
    pub fn back(self, moment: Moment) -> Option<Moment> {
        let before = self.preceding(moment)?;
        match self.place(before) {
            StepPlace::Until { block, mut pass } if pass.len() > self.place(moment).depth() => {
                pass.pop();
                Some(self.start_of_block(before, block, pass))
            }
            _ => Some(before),
        }
    }

    /// The previous cell of a layer, or the previous place: the reverse of [`Timeline::next_cell`].
    pub fn back_cell(self, moment: Moment) -> Option<Moment> {
        let cells = self.run.cells_of_step(moment.step);
        let left = moment.cell.before().filter(|left| cells.contains(left));
        if let (StepPlace::Layer(_), Some(cell)) = (self.place(moment), left) {
            return Some(Moment { cell, ..moment });
        }
        let before = self.preceding(moment)?;
        let is_layer = matches!(self.place(before), StepPlace::Layer(_));
        let cell = if is_layer { self.last_cell(before.step) } else { self.first_cell(before.step) };
        Some(Moment { cell, ..before })
    }

    /// The next place. The cell stays the same within a step.
    fn following(self, moment: Moment) -> Option<Moment> {
        if moment.event + 1 < self.places(moment.step, moment.index).len() {
            return Some(Moment { event: moment.event + 1, ..moment });
        }
        if moment.index < self.run.rows_of_step(moment.step).len() {
            return Some(Moment { index: moment.index + 1, event: 0, ..moment });
        }
        let step = moment.step + 1;
        self.has_symbol(moment.step).then(|| Moment { step, index: 0, event: 0, cell: self.first_cell(step) })
    }

    /// The first cell of a step, or the last cell of the run after its last step.
    fn first_cell(self, step: usize) -> CellId {
        self.run.last_cell().min(self.run.cells_of_step(step).start)
    }

    /// The last cell of a step, or of the run after its last step.
    fn last_cell(self, step: usize) -> CellId {
        self.run.last_cell().min(self.run.last_cell_of_step(step))
    }

    /// The previous place. The cell stays the same within a step.
    fn preceding(self, moment: Moment) -> Option<Moment> {
        if moment.event > 0 {
            return Some(Moment { event: moment.event - 1, ..moment });
        }
        match moment.index.checked_sub(1) {
            Some(index) => Some(self.last_of_index(moment.step, index, moment.cell)),
            None => Some(self.last_of_step(moment.step.checked_sub(1)?)),
        }
    }

    /// The place after a block that contains a row of the step, and that is in these passes of the blocks around it.
    fn after_block(self, moment: Moment, index: usize, around: &[usize]) -> Moment {
        let blocks = self.blocks_at(moment.step, index, around.len() + 1);
        self.after_rows(moment, blocks, around, around.len())
    }

    /// The first place after the rows from here on that are in these blocks and passes, with at most `depth` blocks
    /// around it.
    fn after_rows(self, moment: Moment, blocks: &[usize], pass: &[usize], depth: usize) -> Moment {
        let rows = self.run.rows_of_step(moment.step).get(moment.index..).unwrap_or_default();
        let index = moment.index + rows.partition_point(|&row| self.is_in(row, blocks, pass));
        let places = self.places(moment.step, index);
        let event = places.iter().position(|place| place.depth() <= depth).unwrap_or_default();
        Moment { index, event, ..moment }
    }

    /// The start of a block that ends before a moment, in these passes of the blocks around it.
    fn start_of_block(self, moment: Moment, block: usize, around: Vec<usize>) -> Moment {
        let rows = self.run.rows_of_step(moment.step).get(..moment.index).unwrap_or_default();
        let blocks = self.blocks_at(moment.step, moment.index.saturating_sub(1), around.len() + 1);
        let index = rows.partition_point(|&row| !self.is_in(row, blocks, &around));
        let start = StepPlace::Block { block, pass: around };
        let event = self.places(moment.step, index).iter().position(|place| *place == start).unwrap_or_default();
        Moment { index, event, ..moment }
    }

    fn is_in(self, row: RowId, blocks: &[usize], pass: &[usize]) -> bool {
        let row = &self.run.rows()[row];
        self.run.blocks_around(row.layer).starts_with(blocks) && row.pass.starts_with(pass)
    }

    /// The outermost blocks around a row of a step.
    fn blocks_at(self, step: usize, index: usize, count: usize) -> &'r [usize] {
        let row = self.run.rows_of_step(step).get(index).map(|&row| &self.run.rows()[row]);
        let blocks = row.map_or(&[][..], |row| self.run.blocks_around(row.layer));
        blocks.get(..count).unwrap_or(blocks)
    }

    fn last_of_step(self, step: usize) -> Moment {
        self.last_of_index(step, self.run.rows_of_step(step).len(), self.last_cell(step))
    }

    fn last_of_index(self, step: usize, index: usize, cell: CellId) -> Moment {
        Moment { step, index, event: self.places(step, index).len() - 1, cell: cell.min(self.run.last_cell()) }
    }

    fn has_symbol(self, step: usize) -> bool {
        match self.run.outcome() {
            Ok(continuation) => !self.run.is_row() && step < continuation.symbols.len(),
            Err(_) => step + 1 < self.run.steps(),
        }
    }

    /// The places between two rows of a step, then the second row, or the end of the step. At least one.
    fn places(self, step: usize, index: usize) -> Vec<StepPlace> {
        let row = |index: usize| Some(&self.run.rows()[*self.run.rows_of_step(step).get(index)?]);
        let (before, after) = (index.checked_sub(1).and_then(row), row(index));
        let last = match after {
            Some(row) => StepPlace::Layer(row.clone()),
            None if self.has_symbol(step) => StepPlace::Symbol,
            None => StepPlace::End,
        };
        // A run that failed stops in the middle of its last pass.
        if last == StepPlace::End && self.run.outcome().is_err() {
            return vec![last];
        }
        let blocks = |row: Option<&'r Row>| row.map_or(&[][..], |row| self.run.blocks_around(row.layer));
        let passes = |row: Option<&'r Row>| row.map_or(&[][..], |row| row.pass.as_slice());
        let (ending, starting) = (blocks(before), blocks(after));
        let same_block = ending.iter().zip(starting).take_while(|(before, after)| before == after).count();
        let passes_of_same = passes(before).iter().zip(passes(after)).take(same_block);
        let same_pass = passes_of_same.take_while(|(before, after)| before == after).count();
        let ends = (same_pass..ending.len()).rev().map(|depth| StepPlace::Until {
            block: *at(ending, depth),
            pass: passes(before).iter().take(depth + 1).copied().collect(),
        });
        // A block that takes another pass does not start again.
        let first = if same_pass < same_block { same_pass + 1 } else { same_pass };
        let starts = (first..starting.len()).map(|depth| StepPlace::Block {
            block: *at(starting, depth),
            pass: passes(after).iter().take(depth).copied().collect(),
        });
        ends.chain(starts).chain([last]).collect()
    }
}
