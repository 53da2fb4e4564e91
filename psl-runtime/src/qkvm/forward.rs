//! Forward steps through layers and repeat blocks: the prompt's cells together, then each generated cell alone.

use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
    sync::Arc,
};

use psl_syntax::program::{CausalAttn, RegisterId};

use super::{
    attributes::Shifts,
    cells::Cells,
    cycle::CycleSearch,
    keys::Keys,
    matching::{Matching, Query},
    node_cache::{NodeCache, empty_caches},
    nodes::{Head, Node, QkvmLayer, Repeat},
};
use crate::{
    cell_id::CellId,
    input::State,
    limits::Limits,
    machine::{Observer, show},
    meter::Meter,
    run_error::{Conflict, RunError},
    trace::Update,
    vocabulary::ValueId,
};

/// Runs layers and blocks for new cells.
pub(super) struct QkvmForward<'l, 'o> {
    shifts: &'l Shifts<'l>,
    limits: &'l Limits,
    meter: Meter<'l>,
    observer: Option<Observer<'o>>,
    /// The update of the current cell by each head of the layer, reused.
    updates: Vec<Update>,
    step: usize,
    pass: Vec<usize>,
    /// The number of cells before the new ones.
    first: usize,
    cells: Cells,
    /// Buffer for a cell's query.
    query: Query,
}

impl<'l, 'o> QkvmForward<'l, 'o> {
    /// The work per cell and layer other than comparisons, counted in comparisons.
    const LAYER_COST: usize = 32;
    /// The work per pass of a block other than its layers, counted in comparisons. It is high because each pass has its
    /// own keys.
    const PASS_COST: usize = 512;

    pub(super) fn new(shifts: &'l Shifts<'l>, limits: &'l Limits, observer: Option<Observer<'o>>) -> Self {
        Self {
            shifts,
            limits,
            meter: Meter::new(limits),
            observer,
            updates: Vec::new(),
            step: 0,
            pass: Vec::new(),
            first: 0,
            cells: Cells::new(0, &[]),
            query: Query::new(),
        }
    }

    /// Resets the meter, so that there are no earlier cells.
    pub(super) fn reset(&mut self) {
        self.meter.reset();
    }

    /// Runs all blocks for new cells, to the right of the `first` ones. Returns their final states.
    pub(super) fn run_new_cells(
        &mut self,
        nodes: &[Node<'_>],
        caches: &mut [NodeCache],
        first: usize,
        cells: Cells,
    ) -> Result<Cells, RunError> {
        let width = cells.width;
        self.first = first;
        self.cells = cells;
        self.nodes(nodes, caches)?;
        self.step += 1;
        Ok(mem::replace(&mut self.cells, Cells::new(width, &[])))
    }

    fn nodes(&mut self, nodes: &[Node<'_>], caches: &mut [NodeCache]) -> Result<(), RunError> {
        for (node, cache) in nodes.iter().zip(caches) {
            match (node, cache) {
                (Node::Layer(layer), NodeCache::Layer(keys)) => self.layer(layer, keys)?,
                (Node::Repeat(repeat), NodeCache::Repeat { passes, before }) => {
                    *before = passes.len();
                    self.repeat_with_keys(repeat, passes)?;
                }
                _ => unreachable!("the keys of a node are those of another"),
            }
        }
        Ok(())
    }

    /// Runs one layer. All heads read its input.
    fn layer(&mut self, layer: &QkvmLayer, keys: &mut [Keys]) -> Result<(), RunError> {
        for (head, keys) in layer.heads.iter().zip(&mut *keys) {
            self.add_keys(head, keys)?;
        }
        let Self { shifts, limits, meter, observer, updates, first, cells, query, .. } = self;
        let count = *first + cells.len();
        updates.resize_with(layer.heads.len(), Update::default);
        let mut delayed = Vec::new();
        for (number, state) in (*first..).zip(cells.iter_mut()) {
            for (update, (head, keys)) in updates.iter_mut().zip(layer.heads.iter().zip(&*keys)) {
                let visible = match head.causal_attn {
                    Some(CausalAttn::True) => 0..number + 1,
                    Some(CausalAttn::Reverse) => number..count,
                    Some(CausalAttn::False) | None => 0..count,
                };
                meter.compared(1)?;
                let index = if head.matching.query(shifts, state, query) {
                    keys.matching(query, &visible, head.right_match, meter)?
                } else {
                    None
                };
                update.attends = index.and_then(|index| keys.cell(index)).map(CellId::new);
                update.set.clear();
                if let Some(index) = index.filter(|_| !limits.ablated.contains(&head.id)) {
                    let values = head.value.iter().zip(keys.values(index));
                    update
                        .set
                        .extend(values.filter_map(|((register, _), value)| Some((RegisterId::new(*register), value?))));
                }
            }
            if layer.heads.len() > 1
                && let Some((register, values)) = conflict(updates)
            {
                let (step, layer, pass, cell) = (self.step, layer.id, self.pass.clone(), CellId::new(number));
                return Err(RunError::Conflict(Box::new(Conflict { step, layer, pass, cell, register, values })));
            }
            for update in &*updates {
                for &(register, value) in &update.set {
                    if let Some(slot) = state.get_mut(register.index()) {
                        *slot = Some(value);
                    }
                }
            }
            let Some(observer) = observer else { continue };
            for (update, head) in updates.iter_mut().zip(&layer.heads) {
                update.step = self.step;
                update.layer = head.id;
                update.pass.clone_from(&self.pass);
                update.cell = CellId::new(number);
                update.state = Arc::new(State::from(&*state));
                if layer.heads.len() > 1 {
                    delayed.push(update.clone());
                } else {
                    show(observer, update)?;
                }
            }
        }
        if let Some(observer) = observer {
            // An observer gets all cells of a head before those of the next.
            for head in &layer.heads {
                let of_head = |update: &&Update| update.layer == head.id;
                delayed.iter().filter(of_head).try_for_each(|update| show(observer, update))?;
            }
        }
        Ok(())
    }

    /// Adds the keys and values of the new cells.
    fn add_keys(&mut self, head: &Head, keys: &mut Keys) -> Result<(), RunError> {
        let Self { shifts, meter, first, cells, .. } = self;
        meter.check()?;
        for (number, cell) in (*first..).zip(cells.iter()) {
            meter.passed(Self::LAYER_COST)?;
            meter.keep(keys.add(&head.matching, &head.value, shifts, number, cell))?;
        }
        Ok(())
    }

    /// Runs a block until it ends: see [the machines' contract](crate::machine#repeat-blocks).
    fn repeat_with_keys(&mut self, repeat: &Repeat<'_>, passes: &mut Vec<Vec<NodeCache>>) -> Result<(), RunError> {
        let recorded = passes.len();
        let mut cycle = CycleSearch::new(&self.cells, 1);
        for index in 0.. {
            if index == self.limits.max_passes {
                return Err(RunError::TooManyPasses { block: repeat.name(), max_passes: index });
            }
            if index >= recorded {
                let last = recorded.checked_sub(1).and_then(|last| passes.get(last));
                let of_first = |last: &Vec<NodeCache>| last.iter().map(|cache| cache.of_first(self.first)).collect();
                let resting: Vec<NodeCache> = last.map_or_else(|| empty_caches(&repeat.body), of_first);
                self.meter.keep(resting.iter().map(NodeCache::len).sum())?;
                passes.push(resting);
            }
            let Some(pass) = passes.get_mut(index) else { unreachable!("the recorded pass of a block is missing") };
            self.meter.worked(Self::PASS_COST + self.cells.held.len())?;
            let before = self.cells.clone();
            self.pass.push(index + 1);
            self.nodes(&repeat.body, pass)?;
            self.pass.pop();
            if index + 1 < recorded {
                continue;
            }
            let ends = match &repeat.until {
                None => self.cells == before,
                Some(_) if recorded > 0 => true,
                Some(_) if self.limits.ablates(&repeat.heads) && self.cells == before => true,
                Some(conditions) => self.some_pair_matches(conditions)?,
            };
            if ends {
                break;
            }
            if index + 1 == recorded {
                cycle = CycleSearch::new(&before, 1);
            }
            if let Some(cycle) = cycle.after_pass(&self.cells, self.first, &mut self.meter)? {
                return Err(RunError::Endless { block: repeat.name(), cycle });
            }
        }
        Ok(())
    }

    fn some_pair_matches(&mut self, conditions: &Matching) -> Result<bool, RunError> {
        let Self { shifts, meter, cells, query, .. } = self;
        let mut keys = Keys::default();
        for (number, cell) in cells.iter().enumerate() {
            meter.compared(1)?;
            keys.add(conditions, &[], shifts, number, cell);
        }
        for cell in cells.iter() {
            meter.compared(1)?;
            if conditions.query(shifts, cell, query) && keys.matching(query, &(0..cells.len()), false, meter)?.is_some()
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The first register of a cell that is set to different values, and these, ascending.
fn conflict(updates: &[Update]) -> Option<(RegisterId, Vec<ValueId>)> {
    let mut values: BTreeMap<RegisterId, BTreeSet<ValueId>> = BTreeMap::new();
    for &(register, value) in updates.iter().flat_map(|update| &update.set) {
        values.entry(register).or_default().insert(value);
    }
    let (register, values) = values.into_iter().find(|(_, values)| values.len() > 1)?;
    Some((register, values.into_iter().collect()))
}
