//! The pairs of cells that attend to each other, with their codes.

use std::collections::BTreeMap;

use psl_runtime::record::RecordedRun;

use super::heads::LayerHeads;

/// A cell N and a cell n that it attends to in a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The forward step: 0 for the prompt, k for the k-th generated cell.
    pub step: usize,
    /// The passes of the enclosing repeat blocks, outermost first, each 1-based.
    pub pass: Vec<usize>,
    /// N, 1-based.
    pub cell: usize,
    /// n, 1-based.
    pub attends: usize,
    /// The code: the heads with which N attends to n, 0-based and ascending. There is at least one.
    pub code: Vec<usize>,
}

/// A layer in certain passes of a forward step.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayerPass {
    pub step: usize,
    /// The row of the first head. Those of the others follow.
    pub row: usize,
}

/// The passes of a layer in which all of its heads ran, in the order of computation.
pub(super) fn passes<'r>(run: &'r RecordedRun, heads: &'r LayerHeads) -> impl Iterator<Item = LayerPass> + 'r {
    let of_step = move |step: usize| {
        let ran = move |row: usize| run.rows_of_step(step).binary_search(&row).is_ok();
        // A run that fails may end between two heads.
        let is_whole = move |first: &usize| {
            let last = first + heads.count() - 1;
            let production = run.rows().get(last).map(|row| row.layer + 1);
            production == Some(heads.productions.end) && ran(*first) && ran(last)
        };
        run.rows_of_layer(heads.productions.start).filter(is_whole).map(move |row| LayerPass { step, row })
    };
    (0..run.steps()).flat_map(of_step)
}

/// The cells that a cell attends to with the heads of a layer, each with its code, from left to right.
pub(super) fn codes(run: &RecordedRun, heads: &LayerHeads, row: usize, cell: usize) -> BTreeMap<usize, Vec<usize>> {
    let mut codes = BTreeMap::<usize, Vec<usize>>::new();
    for head in 0..heads.count() {
        if let Some(attends) = run.attends(row + head, cell) {
            codes.entry(attends).or_default().push(head);
        }
    }
    codes
}

/// The pairs of a layer in the order of computation: by step, passes, N and n. They are found one by one, so none is kept.
pub fn pairs<'r>(run: &'r RecordedRun, heads: &'r LayerHeads) -> impl Iterator<Item = Pair> + 'r {
    passes(run, heads).flat_map(move |LayerPass { step, row }| {
        let pass = run.rows().get(row).map_or_else(Vec::new, |row| row.pass.clone());
        let of_cell = move |cell| {
            let pass = pass.clone();
            let codes = codes(run, heads, row, cell).into_iter();
            codes.map(move |(attends, code)| Pair { step, pass: pass.clone(), cell, attends, code })
        };
        run.cells_of_step(step).flat_map(of_cell)
    })
}
