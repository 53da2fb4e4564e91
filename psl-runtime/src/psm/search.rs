//! Finds the cell that another attends to. Conditions on one cell alone are evaluated once per cell. The values left to
//! compare are stored in columns.

use std::ops::Range;

use psl_syntax::program::{Assignment, Cell, Comparison, Condition, Operand, Select};

use super::conditions::{Pair, Values};
use crate::{meter::Meter, run_error::RunError, vocabulary::ValueId};

/// Conditions by the cells that they read.
#[derive(Debug)]
pub(super) struct SplitConditions<'p> {
    /// Only N.
    updated: Vec<&'p Condition>,
    /// Only n.
    source: Vec<&'p Condition>,
    both: Vec<Both>,
}

/// A condition that compares n with N.
#[derive(Debug)]
struct Both {
    source: Operand,
    updated: Operand,
    /// Whether the operands must be equal, rather than differ.
    same: bool,
    /// The cell on the left. There, null matches nothing.
    left: Cell,
}

/// A value that cell n must have, or must not have, in a column of [`LayerCache`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Requirement {
    column: usize,
    value: u32,
    same: bool,
}

/// The data of the cells that have passed a layer.
#[derive(Debug, Default)]
pub(super) struct LayerCache {
    /// The cells that satisfy the conditions on n alone, 0-based.
    cells: Vec<u32>,
    /// For each comparison, a value for each of these cells.
    columns: Vec<Vec<u32>>,
    /// For each assignment, its value for each of these cells. Empty if it does not read n.
    values: Vec<Vec<Option<ValueId>>>,
}

/// Null in a column.
const NULL: u32 = u32::MAX;

fn raw(held: Option<ValueId>) -> u32 {
    held.map_or(NULL, |value| value.0)
}

impl<'p> SplitConditions<'p> {
    pub(super) fn new(conditions: &'p [Condition]) -> Self {
        let mut split = Self { updated: Vec::new(), source: Vec::new(), both: Vec::new() };
        for condition in conditions {
            let left = condition.left;
            match (&condition.comparison, left.cell) {
                (Comparison::Is(right) | Comparison::IsNot(right), cell)
                    if right.register().is_some_and(|it| it.cell != cell) =>
                {
                    let left = Operand::Register(left, None);
                    let (source, updated) = if cell == Cell::Source { (left, *right) } else { (*right, left) };
                    let same = matches!(condition.comparison, Comparison::Is(_));
                    split.both.push(Both { source, updated, same, left: cell });
                }
                (_, Cell::Source) => split.source.push(condition),
                (_, Cell::Updated) => split.updated.push(condition),
            }
        }
        split
    }

    pub(super) fn binds_n(&self) -> bool {
        !self.source.is_empty() || !self.both.is_empty()
    }

    /// Writes the requirements on a cell for N to attend to it. Returns `false` if N can attend to no cell.
    pub(super) fn of_updated(
        &self,
        values: &Values,
        updated: &[Option<ValueId>],
        required: &mut Vec<Requirement>,
    ) -> bool {
        let pair = Pair { source: updated, updated };
        required.clear();
        for (column, both) in self.both.iter().enumerate() {
            let value = raw(values.of(both.updated, pair));
            // Everything differs from a null on the right.
            if value == NULL && (both.same || both.left == Cell::Updated) {
                return false;
            }
            required.push(Requirement { column, value, same: both.same });
        }
        self.updated.iter().all(|condition| values.holds(condition, pair))
    }
}

impl LayerCache {
    /// Adds a cell if some cell can attend to it. Returns the number of values kept.
    pub(super) fn add(
        &mut self,
        split: &SplitConditions<'_>,
        assignments: &[Assignment],
        values: &Values,
        cell: usize,
        state: &[Option<ValueId>],
    ) -> usize {
        let pair = Pair { source: state, updated: state };
        let held = |both: &Both| raw(values.of(both.source, pair));
        let can_meet = |both: &Both| held(both) != NULL || (!both.same && both.left == Cell::Updated);
        let meets = split.source.iter().all(|condition| values.holds(condition, pair));
        if !meets || !split.both.iter().all(can_meet) {
            return 0;
        }
        self.columns.resize_with(split.both.len(), Vec::new);
        self.values.resize_with(assignments.len(), Vec::new);
        self.cells.push(cell as u32);
        for (column, both) in self.columns.iter_mut().zip(&split.both) {
            column.push(held(both));
        }
        for (given, assignment) in self.values.iter_mut().zip(assignments) {
            if reads_source(assignment) {
                given.push(values.of(assignment.source, pair));
            }
        }
        1 + self.columns.len() + self.values.len()
    }

    /// The cell's number.
    pub(super) fn cell(&self, index: usize) -> Option<usize> {
        self.cells.get(index).map(|&cell| cell as usize)
    }

    /// The value of an assignment for the cell at an index in this cache.
    pub(super) fn value(&self, assignment: usize, index: usize) -> Option<ValueId> {
        self.values.get(assignment)?.get(index).copied().flatten()
    }

    /// The index of the first or the last of these cells that satisfies the requirements.
    pub(super) fn find(
        &self,
        cells: &Range<usize>,
        required: &[Requirement],
        select: Select,
        meter: &mut Meter<'_>,
    ) -> Result<Option<usize>, RunError> {
        let index = |cell: usize| self.cells.partition_point(|&other| (other as usize) < cell);
        let (mut start, mut end) = (index(cells.start), index(cells.end));
        while start < end {
            let size = BLOCK.min(end - start);
            let block = match select {
                Select::Leftmost => start..start + size,
                Select::Rightmost => end - size..end,
            };
            meter.compared(size)?;
            let found = self.find_in_block(&block, required, select);
            if found.is_some() {
                return Ok(found);
            }
            match select {
                Select::Leftmost => start += size,
                Select::Rightmost => end -= size,
            }
        }
        Ok(None)
    }

    /// Searches up to [`BLOCK`] cells. The compiler vectorizes the comparisons.
    fn find_in_block(&self, block: &Range<usize>, required: &[Requirement], select: Select) -> Option<usize> {
        let mut fits = [u32::MAX; BLOCK];
        for &Requirement { column, value, same } in required {
            let other = if same { 0 } else { u32::MAX };
            for (fits, held) in fits.iter_mut().zip(self.columns.get(column)?.get(block.clone())?) {
                *fits &= if *held == value { !other } else { other };
            }
        }
        let fits = fits.get(..block.len())?;
        if fits.iter().fold(0, |any, fits| any | fits) == 0 {
            return None;
        }
        let at = match select {
            Select::Leftmost => fits.iter().position(|fits| *fits != 0),
            Select::Rightmost => fits.iter().rposition(|fits| *fits != 0),
        };
        at.map(|at| block.start + at)
    }
}

const BLOCK: usize = 64;

/// Whether the value comes from cell n.
pub(super) fn reads_source(assignment: &Assignment) -> bool {
    assignment.source.register().is_some_and(|place| place.cell == Cell::Source)
}
