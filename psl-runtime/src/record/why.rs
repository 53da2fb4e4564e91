//! The reason why a cell attends to another one, or does not.

use psl_syntax::Program;

use super::{conditions::Reader, recorded_run::RecordedRun, row::RowId};
use crate::{cell_id::CellId, psm::ConditionResult};

/// The conditions of a production for one cell n.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// Whether N can attend to n: n exists at this row, and `causal_attn` allows it. In a production without `n`,
    /// whether n is N.
    pub visible: bool,
    /// The conditions in program order. Empty if n does not exist at this row.
    pub conditions: Vec<ConditionResult>,
    /// The index of the first condition that does not hold.
    pub first_failed: Option<usize>,
    /// Whether N attends to n.
    pub wins: bool,
}

impl Why {
    /// Whether n matches: it is visible and meets all conditions.
    pub fn matches(&self) -> bool {
        self.visible && self.first_failed.is_none()
    }
}

/// Explains why cell N attends to cell n at a row, or does not. `None` if N lacks the row or the program lacks the
/// layer.
pub fn why(program: &Program, run: &RecordedRun, row: RowId, cell: CellId, source: CellId) -> Option<Why> {
    let reader = Reader::new(program, run, row, cell)?;
    let exists = run.read_time(row, cell, source).is_some();
    let tested = reader.production.conditions.iter().filter(|_| exists);
    let conditions: Vec<_> = tested.filter_map(|condition| reader.test(condition, source)).collect();
    let first_failed = conditions.iter().position(|condition| !condition.holds);
    let wins = run.update(row, cell).is_some_and(|update| update.attends == Some(source));
    Some(Why { visible: reader.visible().contains(&source), conditions, first_failed, wins })
}
