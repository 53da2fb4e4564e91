//! The check of codes against the weights.

use std::collections::{BTreeSet, HashMap};

use psl_runtime::{
    CellId, Executable, LayerId, StateVectors, ValueId,
    record::{RecordedRun, RowId, Time},
    trace::place_in_words,
    weights::{Affine, HeadWeights, WeightBlock},
};
use psl_syntax::{
    index::at,
    program::{ProductionId, RegisterId},
};
use thiserror::Error;

use super::{
    heads::LayerHeads,
    pairs::{LayerPass, codes_of_cell, passes},
    value_map::{Total, ValueMap},
};

/// The first difference between the codes of a run, the weights and the run itself.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}: {}", place_in_words(*.step, *.layer, .pass, *.cell), .kind)]
pub struct Difference {
    /// The forward step.
    pub step: usize,
    /// The layer.
    pub layer: LayerId,
    /// The passes of the enclosing repeat blocks, outermost first, each 1-based.
    pub pass: Vec<usize>,
    /// The cell, N.
    pub cell: CellId,
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
        /// The register's value in `DATnorm`(i + 2 v), where v is the layer's total.
        by_weights: String,
        /// The register's value in the run.
        in_run: String,
    },
}

/// Checks every cell of some layers, in every step and pass. The layer's total by the codes must equal the sum over the
/// heads of the values that the full arithmetic computes, in each component. The total must lead to the cell's next
/// state in the run. Returns the number of codes.
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
    let of_productions = weights.layers();
    let mut count = 0;
    for heads in layers {
        let mut checker = Checker::new(executable, run, heads, &of_productions, weights.dimension);
        for pass in passes(run, heads) {
            for cell in CellId::each(run.cells_of_step(pass.step)) {
                let codes = codes_of_cell(run, heads, pass.row, cell);
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
    values: Vec<Option<ReadValue<'c>>>,
    /// The registers that the heads write.
    written: BTreeSet<usize>,
    /// d, at least 1.
    dimension: usize,
    /// By code: the map that it selects.
    maps: HashMap<Vec<usize>, ValueMap>,
}

/// A value map, and the same between the registers alone that it reads or writes.
struct ReadValue<'c> {
    map: &'c Affine,
    /// The registers that it reads or writes.
    registers: Vec<usize>,
    /// The map between these registers, by their indices in the list.
    within: Affine,
}

impl<'c> ReadValue<'c> {
    fn new(map: &'c Affine) -> Self {
        let read = map.weights.iter().map(|block| block.source);
        let registers: BTreeSet<usize> = read.chain(map.targets.iter().copied()).collect();
        let registers: Vec<usize> = registers.into_iter().collect();
        let place = |register: usize| registers.binary_search(&register).unwrap_or_default();
        let within = Affine {
            targets: map.targets.iter().map(|target| place(*target)).collect(),
            weights: map.weights.iter().map(|it| WeightBlock { source: place(it.source), ..it.clone() }).collect(),
            bias: map.bias.clone(),
        };
        Self { map, registers, within }
    }
}

impl<'c> Checker<'c> {
    fn new(
        executable: &'c Executable,
        run: &'c RecordedRun,
        heads: &'c LayerHeads,
        layers: &[&'c HeadWeights],
        dimension: usize,
    ) -> Self {
        let value = |production: ProductionId| {
            let layer = layers.get(production.index());
            layer.filter(|_| !run.is_ablated(production)).map(|layer| ReadValue::new(&layer.value))
        };
        let values: Vec<Option<ReadValue<'c>>> = ProductionId::each(heads.productions.clone()).map(value).collect();
        let written = values.iter().flatten().flat_map(|value| value.map.targets.iter().copied()).collect();
        let (names, dimension) = (&executable.registers.long, dimension.max(1));
        Self { run, names, heads, values, written, dimension, maps: HashMap::new() }
    }

    fn cell(
        &mut self,
        pass: LayerPass,
        cell: CellId,
        codes: impl IntoIterator<Item = (CellId, Vec<usize>)>,
    ) -> Result<(), Box<Difference>> {
        let LayerPass { row, .. } = pass;
        let by_codes = self.total_by_codes(row, cell, codes);
        let by_heads = self.total_by_heads(row, cell);
        let components: BTreeSet<(usize, u32)> = by_codes.keys().chain(by_heads.keys()).copied().collect();
        for (register, value) in components {
            let [by_codes, by_heads] =
                [&by_codes, &by_heads].map(|total| total.get(&(register, value)).copied().unwrap_or_default());
            #[allow(clippy::float_cmp, reason = "both are sums of small integers, which are exact")]
            if by_codes != by_heads {
                let value = self.run.vocabulary().show(Some(ValueId(value))).to_owned();
                let kind = DifferenceKind::Total { register: self.name(register), value, by_codes, by_heads };
                return Err(self.difference(pass, cell, kind).into());
            }
        }
        self.states(pass, cell, &by_heads)
    }

    /// Compares the registers that the layer writes with those of the run. It leaves the others as they are, and so
    /// does the run, whose record of a layer has no other registers.
    fn states(&self, pass: LayerPass, cell: CellId, total: &Total) -> Result<(), Box<Difference>> {
        let LayerPass { row, .. } = pass;
        for &register in &self.written {
            let id = RegisterId::new(register);
            let input = self.run.value(id, cell, Time::before(row));
            let mut of_register = total.range((register, 0)..=(register, u32::MAX)).peekable();
            let by_weights = if of_register.peek().is_none() { input } else { self.after(input, of_register) };
            let in_run = self.run.value(id, cell, Time::new(row.index() + self.heads.count()));
            if by_weights != in_run {
                let [by_weights, in_run] =
                    [by_weights, in_run].map(|value| self.run.vocabulary().show(value).to_owned());
                let register = self.name(register);
                return Err(self.difference(pass, cell, DifferenceKind::State { register, by_weights, in_run }).into());
            }
        }
        Ok(())
    }

    /// A register after the layer, given its value before and the components of the total in it.
    fn after<'t>(
        &self,
        input: Option<ValueId>,
        total: impl Iterator<Item = (&'t (usize, u32), &'t f32)>,
    ) -> Option<ValueId> {
        let vectors = StateVectors::of_registers(1, self.dimension);
        let mut dense = vec![0.0; self.dimension];
        for ((_, value), component) in total {
            if let Some(place) = dense.get_mut(*value as usize) {
                *place = *component;
            }
        }
        vectors.after(&vectors.embed(&[input]), &dense).first().copied().flatten()
    }

    /// The sum over cells n of the map that the code of N and n selects, applied to n.
    fn total_by_codes(
        &mut self,
        row: RowId,
        cell: CellId,
        codes: impl IntoIterator<Item = (CellId, Vec<usize>)>,
    ) -> Total {
        let mut total = Total::new();
        for (attends, code) in codes {
            let Self { maps, values, run, .. } = self;
            let map = maps.entry(code).or_insert_with_key(|code| {
                ValueMap::sum(code.iter().filter_map(|head| Some(values.get(*head)?.as_ref()?.map)))
            });
            let time = run.read_time(row, cell, attends);
            map.add(|register| run.value(RegisterId::new(register), attends, time?), &mut total);
        }
        total
    }

    /// The sum over heads of the value of the cell that N attends to.
    fn total_by_heads(&self, row: RowId, cell: CellId) -> Total {
        let mut total = Total::new();
        for (row_of_head, value) in (row.index()..).map(RowId::new).zip(&self.values) {
            let attends = self.run.attends(row_of_head, cell);
            let Some((ReadValue { registers, within, .. }, attends)) = value.as_ref().zip(attends) else { continue };
            let vectors = StateVectors::of_registers(registers.len(), self.dimension);
            let time = self.run.read_time(row, cell, attends);
            let read = |register: &usize| self.run.value(RegisterId::new(*register), attends, time?);
            let attended: Vec<Option<ValueId>> = registers.iter().map(read).collect();
            let mut of_head = vec![0.0; vectors.size()];
            vectors.add_value(within, &vectors.embed(&attended), &mut of_head);
            for (register, block) in registers.iter().zip(of_head.chunks_exact(self.dimension)) {
                for (value, component) in (0..).zip(block).filter(|(_, component)| **component != 0.0) {
                    *total.entry((*register, value)).or_default() += component;
                }
            }
        }
        total
    }

    fn name(&self, register: usize) -> String {
        at(self.names, register).clone()
    }

    fn difference(&self, LayerPass { step, row }: LayerPass, cell: CellId, kind: DifferenceKind) -> Difference {
        let pass = self.run.rows()[row].pass.clone();
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
        let program = file.program();
        schedule(program, None).apply(program)
    }

    /// Checks cell 2 with a code.
    fn check_code(code: &[usize], run_of: &Program) -> Result<(), String> {
        let executable = Executable::new(program());
        let runner = psl_program::Runner::new(run_of);
        let task = runner.task("A B").expect("a task");
        let run = runner.record(task, MachineKind::Dat, &Progress::default());
        let weights = executable.weights(run.vocabulary());
        let layers = layers(&executable);
        let heads = layers.first().expect("a layer");
        let mut checker = Checker::new(&executable, &run, heads, &weights.layers(), weights.dimension);
        let result =
            checker.cell(LayerPass { step: 0, row: RowId::new(0) }, CellId::new(1), [(CellId::new(0), code.to_vec())]);
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
        for constant in other.constants.as_mut_slice() {
            "A".clone_into(&mut constant.value);
        }
        let message = "step 0, layer 1, pass [], cell 2: `side` is B by the weights, and A in the run";
        assert_eq!(check_code(&[0, 1], &other), Err(message.to_owned()));
    }
}
