//! Forward steps through layers and repeat blocks, with a cache of keys and values.

use std::{mem, sync::Arc};

use psl_syntax::{
    index::IndexVec,
    program::{ProductionId, RegisterId},
};
use rustc_hash::FxHashMap;

use super::{
    attention::visible,
    basis::PER_COMPARISON,
    load::{LayerNode, Node, Repeat},
    space::Space,
};
use crate::{
    cell_id::CellId,
    cycle_detection::CycleDetection,
    input::State,
    limits::Limits,
    machine::{Observer, show},
    meter::Meter,
    run_error::{BlockName, Conflict, RunError},
    trace::Update,
    vocabulary::ValueId,
    weights::{Affine, HeadWeights, Matrix, nonzero},
};

/// The passes of the repeat blocks around a layer or a block, outermost first, each counted from 1.
type Path = Vec<usize>;

/// Keys and values of the earlier cells: a row for each cell.
#[derive(Clone, Debug, Default)]
struct KeysValues {
    keys: Matrix,
    values: Matrix,
}

impl KeysValues {
    fn nonzero(&self) -> usize {
        self.keys.nonzero() + self.values.nonzero()
    }
}

pub(super) struct FullDatForward<'m, 'o> {
    space: &'m Space,
    limits: &'m Limits,
    meter: Meter<'m>,
    observer: Option<Observer<'o>>,
    cell_size: usize,
    /// By head: keys and values of all earlier cells in each pass.
    cache: IndexVec<ProductionId, FxHashMap<Path, KeysValues>>,
    /// By repeat block: the number of passes that earlier cells needed.
    passes: Vec<FxHashMap<Path, usize>>,
    /// The passes of each block in this step. After the step, they belong to the earlier cells.
    new_passes: Vec<(usize, Path, usize)>,
    step: usize,
    /// The number of earlier cells.
    first: usize,
    /// The residual stream of the step's cells.
    stream: Vec<f32>,
    /// Buffer for a cell's query.
    query: Vec<f32>,
    /// The passes of the step's cells.
    path: Path,
    /// The passes in which the earlier cells rest.
    resting: Path,
}

impl<'m, 'o> FullDatForward<'m, 'o> {
    /// Starts without earlier cells. Takes the numbers of heads and repeat blocks.
    pub(super) fn new(
        space: &'m Space,
        (heads, repeats): (usize, usize),
        limits: &'m Limits,
        observer: Option<Observer<'o>>,
    ) -> Self {
        Self {
            space,
            limits,
            meter: Meter::new(limits),
            observer,
            cell_size: space.cell_size(),
            cache: vec![FxHashMap::default(); heads].into(),
            passes: vec![FxHashMap::default(); repeats],
            new_passes: Vec::new(),
            step: 0,
            first: 0,
            stream: Vec::new(),
            query: Vec::new(),
            path: Path::new(),
            resting: Path::new(),
        }
    }

    /// Empties the cache, so that there are no earlier cells.
    pub(super) fn reset(&mut self) {
        self.cache.as_mut_slice().iter_mut().for_each(FxHashMap::clear);
        self.passes.iter_mut().for_each(FxHashMap::clear);
        self.first = 0;
        self.meter.reset();
    }

    /// Runs all layers for the next cells and appends their final states to `finished`.
    pub(super) fn embed_and_run(
        &mut self,
        nodes: &[Node<'_>],
        cells: &[State],
        finished: &mut Vec<State>,
    ) -> Result<(), RunError> {
        self.meter.keep(cells.len().saturating_mul(self.cell_size))?;
        self.stream.clear();
        for cell in cells {
            self.meter.worked(self.cell_size / PER_COMPARISON)?;
            self.stream.extend(self.space.embed(cell));
        }
        self.nodes(nodes)?;
        for (repeat, path, passes) in self.new_passes.drain(..) {
            let Some(counts) = self.passes.get_mut(repeat) else { unreachable!("a block lacks its passes") };
            counts.insert(path, passes);
        }
        self.step += 1;
        self.first += cells.len();
        for cell in self.stream.chunks_exact(self.cell_size) {
            self.meter.worked(self.space.work_of_decoding())?;
            finished.push(self.space.decode(cell));
        }
        Ok(())
    }

    fn nodes(&mut self, nodes: &[Node<'_>]) -> Result<(), RunError> {
        for node in nodes {
            match node {
                Node::Layer(layer) => self.layer(layer)?,
                Node::Repeat(block) => self.repeat_over_stream(block)?,
            }
        }
        Ok(())
    }

    /// Runs one layer. All heads read its input.
    fn layer(&mut self, layer: &LayerNode<'_>) -> Result<(), RunError> {
        let LayerNode { id, heads } = layer;
        let mut cached = Vec::with_capacity(heads.len());
        for (head, weights) in heads {
            cached.push(self.keys_and_values(*head, weights)?);
        }
        let mut attended = vec![None; heads.len()];
        let (mut values, mut delayed) = (Vec::new(), Vec::new());
        let (cell_size, count) = (self.cell_size, self.first + self.stream.len() / self.cell_size);
        let mut stream = mem::take(&mut self.stream);
        for (number, cell) in (self.first..).zip(stream.chunks_exact_mut(cell_size)) {
            values.clear();
            for (attends, ((head, weights), KeysValues { keys, values: of_cells })) in
                attended.iter_mut().zip(heads.iter().zip(&cached))
            {
                *attends = self.attend(weights, keys, number, cell, count)?;
                let writes = !self.limits.ablated.contains(head);
                if let Some(n) = attends.filter(|_| writes) {
                    self.meter.worked(self.space.work_of_writing(&weights.value))?;
                    values.push((&weights.value, of_cells.row(n)));
                }
            }
            if values.len() > 1
                && let Some((register, values)) = self.space.conflict(&values)
            {
                let (step, layer, pass, cell) = (self.step, *id, self.path.clone(), CellId::new(number));
                let register = RegisterId::new(register);
                return Err(RunError::Conflict(Box::new(Conflict { step, layer, pass, cell, register, values })));
            }
            if !values.is_empty() {
                self.space.add_and_normalize(cell, &values);
            }
            let Some(observer) = &mut self.observer else { continue };
            for (attends, ((head, weights), KeysValues { values, .. })) in
                attended.iter().zip(heads.iter().zip(&cached))
            {
                let writes = !self.limits.ablated.contains(head);
                let value = attends.filter(|_| writes).map(|n| values.row(n));
                let update = Update {
                    step: self.step,
                    layer: *head,
                    pass: self.path.clone(),
                    cell: CellId::new(number),
                    attends: attends.map(CellId::new),
                    set: value.map(|value| set(self.space, &weights.value, value)).unwrap_or_default(),
                    state: Arc::new(self.space.decode(cell)),
                };
                if heads.len() > 1 {
                    delayed.push(update);
                } else {
                    show(observer, &update)?;
                }
            }
        }
        self.stream = stream;
        if let Some(observer) = &mut self.observer {
            // Head by head. The sort keeps the cells of each in order.
            delayed.sort_by_key(|update: &Update| update.layer);
            delayed.iter().try_for_each(|update| show(observer, update))?;
        }
        for ((head, _), cached) in heads.iter().zip(cached) {
            self.cache[*head].insert(self.path.clone(), cached);
        }
        Ok(())
    }

    /// The keys and values of all cells so far for a head.
    fn keys_and_values(&mut self, id: ProductionId, head: &HeadWeights) -> Result<KeysValues, RunError> {
        let keying = self.space.work(&head.matching.key) + self.space.work(&head.value);
        self.meter.check()?;
        let cache = &mut self.cache[id];
        let mut cached = if let Some(cached) = cache.remove(&self.path) {
            cached
        } else {
            let resting = cache.get(&self.resting).cloned().unwrap_or_default();
            self.meter.keep(resting.nonzero())?;
            resting
        };
        cached.keys.truncate(self.first);
        cached.values.truncate(self.first);
        let kept = cached.nonzero();
        let mut buffer = Vec::new();
        for cell in self.stream.chunks_exact(self.cell_size) {
            self.meter.worked(keying)?;
            self.space.apply(&head.matching.key, cell, &mut buffer);
            cached.keys.push(nonzero(&buffer));
            self.space.apply(&head.value, cell, &mut buffer);
            cached.values.push(nonzero(&buffer));
        }
        self.meter.keep(cached.nonzero() - kept)?;
        Ok(cached)
    }

    /// The index of the cell that a cell attends to, out of `count`.
    fn attend(
        &mut self,
        head: &HeadWeights,
        keys: &Matrix,
        number: usize,
        cell: &[f32],
        count: usize,
    ) -> Result<Option<usize>, RunError> {
        let Self { space, meter, query, .. } = self;
        meter.worked(space.work(&head.matching.query))?;
        space.apply(&head.matching.query, cell, query);
        let visible = visible(head.causal_attn, number, count);
        space.dat_max(query, keys, visible, head.matching.count, head.right_match, meter)
    }

    /// The states of the step's cells, concatenated.
    fn states(&self) -> State {
        self.stream.chunks_exact(self.cell_size).flat_map(|cell| self.space.decode(cell)).collect()
    }

    /// Runs a block until it ends: see [the machines' contract](crate::machine#repeat-blocks).
    fn repeat_over_stream(&mut self, block: &Repeat<'_>) -> Result<(), RunError> {
        let Repeat { index, label, until, body, heads } = block;
        let before = self.passes.get(*index).and_then(|counts| counts.get(&self.resting)).copied();
        let least = before.unwrap_or(1);
        let name = || BlockName { number: index + 1, label: label.clone() };
        let mut cycles = CycleDetection::default();
        let mut input = self.states();
        let mut pass = 1;
        loop {
            if cycles.is_closed() {
                self.observer = None;
            } else if pass > self.limits.max_passes {
                return Err(RunError::TooManyPasses { block: name(), max_passes: self.limits.max_passes });
            }
            self.path.push(pass);
            self.resting.push(before.map_or(pass, |last| pass.min(last)));
            self.nodes(body)?;
            self.path.pop();
            self.resting.pop();
            self.meter.worked(self.stream.len() / self.cell_size * self.space.work_of_decoding())?;
            let output = self.states();
            if pass >= least {
                let ends = match until {
                    None => output == input,
                    Some(_) if self.limits.ablates(heads) && output == input => true,
                    Some(_) if before.is_some() => true,
                    Some(matching) => self.space.some_pair_matches(matching, &self.stream, &mut self.meter)?,
                };
                if ends {
                    break;
                }
                if pass == least {
                    cycles.start(&input);
                }
                let registers = self.space.state_registers;
                if let Some(cycle) = cycles.after_pass(&output, self.first, registers, |held| held) {
                    return Err(RunError::Endless { block: name(), cycle });
                }
            }
            input = output;
            pass += 1;
        }
        self.new_passes.push((*index, self.path.clone(), pass));
        Ok(())
    }
}

/// The values that a value vector sets registers to.
fn set(space: &Space, map: &Affine, value: &[(u32, f32)]) -> Vec<(RegisterId, ValueId)> {
    let mut alone = vec![0.0; space.cell_size()];
    space.add(&mut alone, 1.0, map, value);
    map.targets
        .iter()
        .filter_map(|&register| Some((RegisterId::new(register), space.read(&alone, register)?)))
        .collect()
}
