//! The cells that meet a production's conditions.

use psl_syntax::{Program, program::Select};

use super::{conditions::Reader, recorded_run::RecordedRun, row::RowId};
use crate::cell_id::CellId;

/// The cells that match, and the one that wins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matches {
    /// The visible cells that meet all conditions, in ascending order (57).
    pub cells: Vec<CellId>,
    /// The leftmost or rightmost of them: the cell that N attends to.
    pub winner: Option<CellId>,
}

/// The matches of a cell at a row. `None` if the cell lacks the row or the program lacks the layer.
pub fn matches(program: &Program, run: &RecordedRun, row: RowId, cell: CellId) -> Option<Matches> {
    Some(found(&Reader::new(program, run, row, cell)?))
}

/// The matches of every cell at a row. `None` for a cell that lacks it.
pub fn matches_of_row(program: &Program, run: &RecordedRun, row: RowId) -> Vec<Option<Matches>> {
    let readers = Reader::of_row(program, run, row).into_iter();
    readers.map(|reader| Some(found(&reader?))).collect()
}

fn found(reader: &Reader<'_>) -> Matches {
    let Reader { production, cell, .. } = reader;
    let (of_both, of_updated): (Vec<_>, Vec<_>) =
        production.conditions.iter().partition(|condition| condition.mentions_n());
    let holds = |condition, source| reader.holds(condition, source).unwrap_or(false);
    if !of_updated.into_iter().all(|condition| holds(condition, *cell)) {
        return Matches::default();
    }
    let matching = |&source: &CellId| of_both.iter().all(|condition| holds(condition, source));
    let cells: Vec<CellId> = CellId::each(reader.visible()).filter(matching).collect();
    let winner = match production.select {
        Select::Leftmost => cells.first(),
        Select::Rightmost => cells.last(),
    };
    Matches { winner: winner.copied(), cells }
}
