//! The attention of a layer as a matrix of cells.

use psl_syntax::Program;

use super::{
    matches::{Matches, matches_of_row},
    run::RecordedRun,
};

/// The attention of one cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellAttention {
    /// The cell attended to, or `None` if the layer did not fire.
    pub attends: Option<usize>,
    /// All cells that meet the conditions, ascending.
    pub matches: Vec<usize>,
}

/// Returns the attention of every cell at a row. `None` for a cell that rests.
pub fn attention(program: &Program, run: &RecordedRun, row: usize) -> Vec<Option<CellAttention>> {
    let matches = (1..).zip(matches_of_row(program, run, row));
    let of_cell = |(cell, matches): (usize, Option<_>)| {
        let Matches { cells, .. } = matches?;
        Some(CellAttention { attends: run.update(row, cell)?.attends, matches: cells })
    };
    matches.map(of_cell).collect()
}

#[cfg(test)]
#[allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail by panic")]
mod tests {
    use psl_program::Progress;
    use psl_runtime::MachineKind;

    use super::*;
    use crate::fixture::file;

    #[test]
    fn a_row_has_the_matches_of_each_cell_and_the_one_attended_to() {
        let file = file(
            "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\n\
             where_rm symbol[n] == A and symbol[N] == B:\n    mark[N] = symbol[n]\n\
             repeat:\n    where mark[N] == A and symbol[n] == symbol[N]:\n        mark[N] = symbol[n]\nuntil NO_CHANGE\n\
             where position[N] == position[N]:\n    symbol[N] = B",
        );
        let runner = file.runner().expect("it compiles");
        let task = runner.task("A A").expect("a task");
        let run = RecordedRun::new(runner, task, MachineKind::Psm, &Progress::default());
        let attends = |row| attention(&runner.executable().program, &run, row)[..3].to_vec();
        let silent = || Some(CellAttention { attends: None, matches: Vec::new() });
        let fires =
            |attends, matches: &[usize]| Some(CellAttention { attends: Some(attends), matches: matches.to_vec() });
        assert_eq!(attends(0), [silent(), silent(), fires(2, &[1, 2])]);
        assert_eq!(attends(1), [silent(), silent(), fires(3, &[3])]);
        // The generated cell takes 2 passes, the prompt takes 1.
        assert_eq!(attends(2), [None, None, silent()]);
        assert_eq!(attends(3), [fires(1, &[1]), fires(2, &[2]), fires(3, &[3])]);
    }
}
