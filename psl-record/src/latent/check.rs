//! The check of codes against the weights.

use std::{collections::HashMap, iter};

use psl_runtime::{
    Executable, State, StateVectors, ValueId, Vocabulary,
    trace::place_in_words,
    weights::{Affine, Layer},
};
use thiserror::Error;

use super::{
    heads::LayerHeads,
    pairs::{LayerPass, codes, passes},
    value_map::ValueMap,
};
use crate::recorded_run::RecordedRun;

/// The first difference between the codes of a run, the weights and the run itself.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}: {}", place_in_words(*.step, *.layer, .pass, *.cell), .kind)]
pub struct Difference {
    /// The forward step.
    pub step: usize,
    /// The layer, 1-based.
    pub layer: usize,
    /// The passes of the enclosing repeat blocks, outermost first, each 1-based.
    pub pass: Vec<usize>,
    /// The cell, N, 1-based.
    pub cell: usize,
    /// The component or the register that differs.
    pub kind: DifferenceKind,
}

/// The kind of a difference.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum DifferenceKind {
    /// A component of the layer's total.
    #[error("the component of `{value}` in `{register}` is {by_codes} by the codes, and {by_heads} by the heads")]
    Total {
        /// The register's long name.
        register: String,
        /// The value of the component.
        value: String,
        /// The component of the sum over cells of the maps that the codes select.
        by_codes: f32,
        /// The component of the sum over heads of the values attended to.
        by_heads: f32,
    },
    /// A register after the layer.
    #[error("`{register}` is {by_weights} by the weights, and {in_run} in the run")]
    State {
        /// The register's long name.
        register: String,
        /// Its value in `DATnorm`(i + 2 v), where v is the layer's total.
        by_weights: String,
        /// Its value in the run.
        in_run: String,
    },
}

/// Checks every cell of some layers, in every step and pass. The layer's total by the codes must equal the sum over the heads of
/// the values that the full arithmetic computes, in each component. The total must lead to the cell's next state in the
/// run. Returns the number of codes.
///
/// # Errors
///
/// The first difference.
pub fn check<'l>(
    executable: &Executable,
    run: &RecordedRun,
    layers: impl IntoIterator<Item = &'l LayerHeads>,
) -> Result<usize, Box<Difference>> {
    let weights = executable.weights(run.vocabulary());
    let vectors = StateVectors::local(&weights);
    let of_productions = weights.layers();
    let mut count = 0;
    for heads in layers {
        let mut checker = Checker::new(executable, run, heads, &of_productions, &vectors);
        for pass in passes(run, heads) {
            for cell in run.cells_of_step(pass.step) {
                let codes = codes(run, heads, pass.row, cell);
                count += codes.len();
                checker.cell(pass, cell, codes)?;
            }
        }
    }
    Ok(count)
}

/// Checks the cells of one layer.
struct Checker<'c> {
    run: &'c RecordedRun,
    names: &'c [String],
    heads: &'c LayerHeads,
    /// By head: its value map, or `None` if the head is ablated.
    values: Vec<Option<&'c Affine>>,
    dimension: usize,
    vectors: &'c StateVectors,
    /// By code: the map that it selects.
    maps: HashMap<Vec<usize>, ValueMap>,
}

impl<'c> Checker<'c> {
    fn new(
        executable: &'c Executable,
        run: &'c RecordedRun,
        heads: &'c LayerHeads,
        layers: &[&'c Layer],
        vectors: &'c StateVectors,
    ) -> Self {
        let value = |production: usize| {
            let layer = production.checked_sub(1).and_then(|index| layers.get(index));
            layer.filter(|_| !run.is_ablated(production)).map(|layer| &layer.value)
        };
        Self {
            run,
            names: &executable.registers.long,
            heads,
            values: heads.productions.clone().map(value).collect(),
            dimension: vectors.dimension(),
            vectors,
            maps: HashMap::new(),
        }
    }

    fn cell(
        &mut self,
        pass: LayerPass,
        cell: usize,
        codes: impl IntoIterator<Item = (usize, Vec<usize>)>,
    ) -> Result<(), Box<Difference>> {
        let LayerPass { row, .. } = pass;
        let in_run = self.run.state(cell, row + self.heads.count());
        let mut codes = codes.into_iter().peekable();
        let mut heads = row..row + self.heads.count();
        if codes.peek().is_none() && heads.all(|row| self.run.attends(row, cell).is_none()) {
            // Both totals are zero, so the layer keeps the state.
            return self.state(pass, cell, &self.run.state(cell, row), &in_run);
        }
        let by_codes = self.total_by_codes(row, cell, codes);
        let by_heads = self.total_by_heads(row, cell);
        #[allow(clippy::float_cmp, reason = "both are sums of small integers, which are exact")]
        let differs = |(_, (left, right)): &(usize, (&f32, &f32))| left != right;
        let components = by_codes.iter().zip(&by_heads);
        if let Some((index, (&by_codes, &by_heads))) = (0..).zip(components).find(differs) {
            let value = ValueId((index % self.dimension.max(1)) as u32);
            let register = self.name(index / self.dimension.max(1));
            let value = self.run.vocabulary().show(Some(value)).to_owned();
            let kind = DifferenceKind::Total { register, value, by_codes, by_heads };
            return Err(self.difference(pass, cell, kind).into());
        }
        let input = self.vectors.embed(&self.run.state(cell, row));
        self.state(pass, cell, &self.vectors.after(&input, &by_heads), &in_run)
    }

    /// Compares a state by the weights with that of the run.
    fn state(&self, pass: LayerPass, cell: usize, by_weights: &State, in_run: &State) -> Result<(), Box<Difference>> {
        let registers = by_weights.iter().zip(in_run);
        let Some((register, (&by_weights, &in_run))) = (0..).zip(registers).find(|(_, (left, right))| left != right)
        else {
            return Ok(());
        };
        let vocabulary: &Vocabulary = self.run.vocabulary();
        let [by_weights, in_run] = [by_weights, in_run].map(|value| vocabulary.show(value).to_owned());
        let register = self.name(register);
        Err(self.difference(pass, cell, DifferenceKind::State { register, by_weights, in_run }).into())
    }

    /// The sum over cells n of the map that the code of N and n selects, applied to n.
    fn total_by_codes(
        &mut self,
        row: usize,
        cell: usize,
        codes: impl IntoIterator<Item = (usize, Vec<usize>)>,
    ) -> Vec<f32> {
        let mut total = self.zero();
        for (attends, code) in codes {
            let state = self.attended(row, cell, attends);
            let (values, dimension) = (&self.values, self.dimension);
            let map = self.maps.entry(code).or_insert_with_key(|code| {
                let selected = code.iter().filter_map(|head| values.get(*head).copied().flatten());
                ValueMap::sum(selected, dimension)
            });
            map.add(&state, &mut total);
        }
        total
    }

    /// The sum over heads of the value of the cell that N attends to.
    fn total_by_heads(&self, row: usize, cell: usize) -> Vec<f32> {
        let mut total = self.zero();
        // A layer has many heads, and few cells to attend to.
        let mut embedded = HashMap::<usize, Vec<f32>>::new();
        for (row_of_head, value) in (row..).zip(&self.values) {
            if let (Some(value), Some(attends)) = (value, self.run.attends(row_of_head, cell)) {
                let state = || self.vectors.embed(&self.attended(row, cell, attends));
                self.vectors.add_value(value, embedded.entry(attends).or_insert_with(state), &mut total);
            }
        }
        total
    }

    /// The layer's input in a cell, as another cell reads it.
    fn attended(&self, row: usize, cell: usize, attends: usize) -> State {
        self.run.read_time(row, cell, attends).map(|time| self.run.state(attends, time)).unwrap_or_default()
    }

    fn zero(&self) -> Vec<f32> {
        iter::repeat_n(0.0, self.vectors.size()).collect()
    }

    fn name(&self, register: usize) -> String {
        self.names.get(register).cloned().unwrap_or_default()
    }

    fn difference(&self, LayerPass { step, row }: LayerPass, cell: usize, kind: DifferenceKind) -> Difference {
        let pass = self.run.rows().get(row).map_or_else(Vec::new, |row| row.pass.clone());
        Difference { step, layer: self.heads.layer, pass, cell, kind }
    }
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test may fail by panic")]
mod tests {
    use psl_program::Progress;
    use psl_runtime::MachineKind;
    use psl_syntax::{Program, schedule::schedule};

    use super::*;
    use crate::{fixture::file, latent::layers};

    /// Two heads, which attend to the same cell.
    const HEADS: &str = "registers: {symbol: 's', position: 'p', mark: 'm', side: 'd'}\nconstants: {A, B}\n\
                         where symbol[n] == A:\n    mark[N] = symbol[n]\n\
                         where symbol[n] == A:\n    side[N] = B\n";

    fn program() -> Program {
        let file = file(HEADS);
        let program = &file.checked().analysis.program;
        schedule(program, None).apply(program)
    }

    /// Checks cell 2 with a code.
    fn check_code(code: &[usize], run_of: &Program) -> Result<(), String> {
        let executable = Executable::new(program());
        let runner = psl_program::Runner::new(run_of);
        let task = runner.task("A B").expect("a task");
        let run = RecordedRun::new(&runner, task, MachineKind::Dat, &Progress::default());
        let weights = executable.weights(run.vocabulary());
        let vectors = StateVectors::local(&weights);
        let layers = layers(&executable);
        let heads = layers.first().expect("a layer");
        let mut checker = Checker::new(&executable, &run, heads, &weights.layers(), &vectors);
        let result = checker.cell(LayerPass { step: 0, row: 0 }, 2, [(1, code.to_vec())]);
        result.map_err(|difference| difference.to_string())
    }

    #[test]
    fn the_code_of_the_heads_agrees() {
        assert_eq!(check_code(&[0, 1], &program()), Ok(()));
    }

    #[test]
    fn another_code_differs_in_its_total() {
        let place = "step 0, layer 1, pass [], cell 2";
        let message = "the component of `B` in `side` is 0 by the codes, and 1 by the heads";
        assert_eq!(check_code(&[0], &program()), Err(format!("{place}: {message}")));
    }

    #[test]
    fn a_run_of_another_program_differs_in_a_register() {
        let mut other = program();
        for constant in &mut other.constants {
            "A".clone_into(&mut constant.value);
        }
        let message = "step 0, layer 1, pass [], cell 2: `side` is B by the weights, and A in the run";
        assert_eq!(check_code(&[0, 1], &other), Err(message.to_owned()));
    }
}
