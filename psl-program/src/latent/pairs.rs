//! The pairs of cells that attend to each other, with their codes.

use std::collections::BTreeMap;

use psl_runtime::{
    CellId,
    record::{RecordedRun, RowId},
};

use super::heads::LayerHeads;

/// A cell N and a cell n that it attends to in a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The forward step: 0 for the prompt, k for the k-th generated cell.
    pub step: usize,
    /// The passes of the enclosing repeat blocks, outermost first, each 1-based.
    pub pass: Vec<usize>,
    /// N.
    pub cell: CellId,
    /// n.
    pub attends: CellId,
    /// The code: the heads with which N attends to n, by their indices, ascending. There is at least one.
    pub code: Vec<usize>,
}

/// A layer in certain passes of a forward step.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayerPass {
    pub step: usize,
    /// The row of the first head. Those of the others follow.
    pub row: RowId,
}

/// The passes of a layer in which all of its heads ran, in the order of computation.
pub(super) fn passes<'r>(run: &'r RecordedRun, heads: &'r LayerHeads) -> impl Iterator<Item = LayerPass> + 'r {
    let of_step = move |step: usize| {
        let ran = move |row: RowId| run.rows_of_step(step).binary_search(&row).is_ok();
        // A run that fails may end between two heads.
        let is_whole = move |first: &RowId| {
            let last = RowId::new(first.index() + heads.count() - 1);
            let end = run.rows().find(last).map(|row| row.layer.next());
            end == Some(heads.productions.end) && ran(*first) && ran(last)
        };
        run.rows_of_layer(heads.productions.start).filter(is_whole).map(move |row| LayerPass { step, row })
    };
    (0..run.steps()).flat_map(of_step)
}

/// The cells that a cell attends to with the heads of a layer, each with its code, from left to right.
pub(super) fn codes_of_cell(
    run: &RecordedRun,
    heads: &LayerHeads,
    row: RowId,
    cell: CellId,
) -> BTreeMap<CellId, Vec<usize>> {
    let mut codes = BTreeMap::<CellId, Vec<usize>>::new();
    for head in 0..heads.count() {
        if let Some(attends) = run.attends(RowId::new(row.index() + head), cell) {
            codes.entry(attends).or_default().push(head);
        }
    }
    codes
}

/// The pairs of a layer in the order of computation: by step, passes, N and n. They are found one by one, so none is
/// kept.
pub fn pairs<'r>(run: &'r RecordedRun, heads: &'r LayerHeads) -> impl Iterator<Item = Pair> + 'r {
    passes(run, heads).flat_map(move |LayerPass { step, row }| {
        let pass = run.rows()[row].pass.clone();
        let of_cell = move |cell| {
            let pass = pass.clone();
            let codes = codes_of_cell(run, heads, row, cell).into_iter();
            codes.map(move |(attends, code)| Pair { step, pass: pass.clone(), cell, attends, code })
        };
        CellId::each(run.cells_of_step(step)).flat_map(of_cell)
    })
}
