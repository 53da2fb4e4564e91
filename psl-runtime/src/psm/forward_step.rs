//! Forward steps through layers and repeat blocks: the prompt's cells together, then each generated cell alone.

use std::{iter, ops::Range, sync::Arc};

use psl_syntax::{
    index::{at, at_mut},
    program::{CausalAttn, ProductionId, RegisterId, Select, Until},
};

use super::{
    conditions::{Pair, Values},
    cycle::CycleSearch,
    nodes::{BlockNode, Head, Node, PsmLayer},
    search::{LayerCache, Requirement, SplitConditions, reads_source},
};
use crate::{
    cell_id::CellId,
    changes::{Change, ChangeTime},
    input::State,
    limits::Limits,
    machine::{Observer, show},
    meter::Meter,
    run_error::{Conflict, RunError},
    trace::Update,
    vocabulary::ValueId,
};

/// The cache of a statement, for later cells.
#[derive(Debug)]
pub(super) enum NodeCache {
    /// Head by head.
    Layer(Vec<LayerCache>),
    Block(BlockCache),
}

/// The passes that a block took for the cells from `first` on.
#[derive(Debug)]
pub(super) struct BlockCache {
    first: usize,
    /// By pass: the caches of the block's statements, for the cells that needed that pass.
    caches: Vec<Vec<NodeCache>>,
    /// The passes after which cells came to rest, in increasing order, because later cells never need fewer.
    rests: Vec<Rest>,
}

/// The cells up to `end`, from the end of the previous entry, that came to rest after `passes` passes.
#[derive(Debug)]
struct Rest {
    passes: usize,
    end: usize,
}

/// Caches of a block's statements, and the range of earlier cells that they are valid for.
type CachePiece<'t> = (&'t [NodeCache], Range<usize>);

/// Caches without any cells. The next cell is `first`.
pub(super) fn empty_caches(nodes: &[Node<'_>], first: usize) -> Vec<NodeCache> {
    let empty = |node: &Node<'_>| match node {
        Node::Layer(layer) => NodeCache::Layer(layer.heads.iter().map(|_| LayerCache::default()).collect()),
        Node::Block(_) => NodeCache::Block(BlockCache { first, caches: Vec::new(), rests: Vec::new() }),
    };
    nodes.iter().map(empty).collect()
}

impl BlockCache {
    /// The given cells by the number of passes after which they came to rest.
    fn at_rest(&self, cells: Range<usize>) -> impl Iterator<Item = (usize, Range<usize>)> {
        let starts = iter::once(self.first).chain(self.rests.iter().map(|rest| rest.end));
        starts.zip(&self.rests).filter_map(move |(start, rest)| {
            let cells = start.max(cells.start)..rest.end.min(cells.end);
            (!cells.is_empty()).then_some((rest.passes, cells))
        })
    }

    fn rest(&mut self, passes: usize, end: usize) {
        match self.rests.last_mut() {
            Some(last) if last.passes == passes => last.end = end,
            _ => self.rests.push(Rest { passes, end }),
        }
    }
}

/// The effect of a head on a cell.
#[derive(Default)]
struct Effect {
    /// The cell attended to.
    attends: Option<usize>,
    /// Registers with their new values.
    set: Vec<(RegisterId, ValueId)>,
}

/// Cells that are updated together, after earlier cells that do not change.
pub(super) struct PsmForward<'r, 'o> {
    values: &'r Values,
    limits: &'r Limits,
    changes: &'r [Change],
    /// Whether the run reached each change.
    reached: Vec<bool>,
    meter: Meter<'r>,
    observer: Option<Observer<'o>>,
    /// 0 for the prompt's step, k for the step of the k-th generated cell.
    step: usize,
    /// The passes of the enclosing blocks.
    pass: Vec<usize>,
    /// The number of registers, at least 1.
    width: usize,
    /// The number of cells before the step.
    first: usize,
    /// The current registers of the step's cells, cell after cell.
    states: Vec<Option<ValueId>>,
    /// Buffer for a cell's requirements.
    required: Vec<Requirement>,
    /// The effects of the layer on a cell, head by head.
    effects: Vec<Effect>,
}

impl<'r, 'o> PsmForward<'r, 'o> {
    /// The work per cell and layer other than comparisons, counted in comparisons.
    const LAYER_COST: usize = 32;
    /// The work per pass of a block other than its layers, and per entry of [`BlockCache::rests`], counted in
    /// comparisons.
    const PASS_COST: usize = 32;

    pub(super) fn new(
        values: &'r Values,
        width: usize,
        limits: &'r Limits,
        changes: &'r [Change],
        observer: Option<Observer<'o>>,
    ) -> Self {
        Self {
            values,
            limits,
            changes,
            reached: vec![false; changes.len()],
            meter: Meter::new(limits),
            observer,
            step: 0,
            pass: Vec::new(),
            width,
            first: 0,
            states: Vec::new(),
            required: Vec::new(),
            effects: Vec::new(),
        }
    }

    /// The indices of the changes that the run has not reached.
    pub(super) fn unreached(&self) -> Vec<usize> {
        self.reached.iter().enumerate().filter(|(_, reached)| !**reached).map(|(index, _)| index).collect()
    }

    /// Resets the step, so that there are no earlier cells.
    pub(super) fn reset(&mut self) {
        self.first = 0;
        self.meter.reset();
    }

    /// Runs the program for new cells, which fill the caches for later cells. Returns their final states.
    pub(super) fn update_cells(
        &mut self,
        nodes: &[Node<'_>],
        caches: &mut [NodeCache],
        entering: &[Option<ValueId>],
    ) -> Result<&[Option<ValueId>], RunError> {
        self.states.clear();
        self.states.extend_from_slice(entering);
        self.change(0..self.cells(), &|change, _| change.at == ChangeTime::Start);
        self.meter.keep(entering.len())?;
        self.nodes(nodes, &[], caches)?;
        self.step += 1;
        self.first += self.cells();
        Ok(&self.states)
    }

    fn cells(&self) -> usize {
        self.states.len() / self.width
    }

    /// Runs statements. `earlier` are the pieces of other caches that hold the leftmost cells, and `here` is the cache
    /// of all others.
    fn nodes(
        &mut self,
        nodes: &[Node<'_>],
        earlier: &[CachePiece<'_>],
        here: &mut [NodeCache],
    ) -> Result<(), RunError> {
        for (index, (node, here)) in nodes.iter().zip(here).enumerate() {
            let earlier = earlier.iter().map(|(caches, cells)| (caches.get(index), cells.clone()));
            match (node, here) {
                (Node::Layer(layer), NodeCache::Layer(caches)) => {
                    let earlier = earlier.map(|(cache, cells)| match cache {
                        Some(NodeCache::Layer(caches)) => (caches.as_slice(), cells),
                        _ => unreachable!("a layer has the cache of another node"),
                    });
                    self.layer(layer, &earlier.collect::<Vec<_>>(), caches)?;
                }
                (Node::Block(block), NodeCache::Block(passes)) => {
                    let earlier = earlier.map(|(cache, cells)| match cache {
                        Some(NodeCache::Block(passes)) => (passes, cells),
                        _ => unreachable!("a block has the cache of another node"),
                    });
                    self.repeat_with_caches(block, &earlier.collect::<Vec<_>>(), passes)?;
                }
                _ => unreachable!("a node has the cache of another one"),
            }
        }
        Ok(())
    }

    /// Runs one layer for all cells of the step. All heads read the layer's input.
    fn layer(
        &mut self,
        layer: &PsmLayer<'_>,
        earlier: &[(&[LayerCache], Range<usize>)],
        caches: &mut [LayerCache],
    ) -> Result<(), RunError> {
        let is_at = |time: fn(ProductionId) -> ChangeTime| {
            move |change: &Change, pass: &[usize]| layer.heads.iter().any(|head| change.is_at(time(head.id), pass))
        };
        self.change(0..self.cells(), &is_at(ChangeTime::Before));
        for (head, cache) in layer.heads.iter().zip(&mut *caches) {
            self.add_cells(head, cache)?;
        }
        self.effects.resize_with(layer.heads.len(), Effect::default);
        let mut delayed = Vec::new();
        for place in 0..self.cells() {
            for (index, (head, cache)) in layer.heads.iter().zip(&*caches).enumerate() {
                self.meter.passed(Self::LAYER_COST)?;
                self.attend(head, index, place, earlier, cache)?;
            }
            self.write(layer, place)?;
            self.change(place..place + 1, &is_at(ChangeTime::After));
            self.report(layer, place, &mut delayed)?;
        }
        if let Some(observer) = &mut self.observer {
            // Head by head. The sort keeps the cells of each in order.
            delayed.sort_by_key(|update: &Update| update.layer);
            delayed.iter().try_for_each(|update| show(observer, update))?;
        }
        Ok(())
    }

    /// Caches what a head needs from the cells of the step.
    fn add_cells(&mut self, head: &Head<'_>, cache: &mut LayerCache) -> Result<(), RunError> {
        let Self { values, meter, states, width, first, .. } = self;
        meter.check()?;
        if head.production.binds_n() {
            for (cell, state) in (*first..).zip(states.chunks_exact(*width)) {
                meter.compared(1)?;
                meter.keep(cache.add(&head.conditions, &head.production.assignments, values, cell, state))?;
            }
        }
        Ok(())
    }

    /// Makes the changes of these cells of the step that are due in the current passes.
    fn change(&mut self, places: Range<usize>, is_due: &dyn Fn(&Change, &[usize]) -> bool) {
        let Self { changes, reached, states, pass, first, width, .. } = self;
        for (change, reached) in changes.iter().zip(reached).filter(|(change, _)| is_due(change, pass)) {
            let place = change.cell.index().checked_sub(*first).filter(|place| places.contains(place));
            let state = place.and_then(|place| states.chunks_exact_mut(*width).nth(place));
            if let Some(slot) = state.and_then(|state| state.get_mut(change.register.index())) {
                *slot = change.value;
                *reached = true;
            }
        }
    }

    /// The first pass of a block after all changes in single passes of it. From there on, a pass depends only on the
    /// previous one.
    fn first_after_changes(&self, block: &BlockNode<'_>) -> usize {
        let BlockNode { heads, first_layer, .. } = block;
        let cells = self.first..self.first + self.cells();
        let own = self.changes.iter().filter(|change| cells.contains(&change.cell.index()));
        own.filter_map(|change| change.first_pass_after(&self.pass, heads, first_layer)).max().unwrap_or(1)
    }

    /// Finds what a head, by its index in the layer, does to a cell, by its index in the step.
    fn attend<'c>(
        &mut self,
        head: &Head<'_>,
        index: usize,
        place: usize,
        earlier: &[(&'c [LayerCache], Range<usize>)],
        cache: &'c LayerCache,
    ) -> Result<(), RunError> {
        let (production, updated) = (head.production, self.first + place);
        let end = self.first + self.cells();
        let registers = place * self.width..(place + 1) * self.width;
        let (state, effect) = (at(&self.states, registers), at_mut(&mut self.effects, index));
        let pair = Pair { source: state, updated: state };
        effect.attends = None;
        effect.set.clear();
        let mut found = None;
        if head.conditions.of_updated(self.values, state, &mut self.required) {
            if production.binds_n() {
                let visible = match production.causal_attn {
                    Some(CausalAttn::True) => 0..updated + 1,
                    Some(CausalAttn::Reverse) => updated..end,
                    Some(CausalAttn::False) | None => 0..end,
                };
                let here = iter::once((cache, earlier.last().map_or(0, |(_, cells)| cells.end)..end));
                let of_head = |(caches, cells): &(&'c [LayerCache], _)| (at(caches, index), Range::clone(cells));
                let all = earlier.iter().map(of_head).chain(here);
                let pieces =
                    all.map(|(cache, cells)| (cache, cells.start.max(visible.start)..cells.end.min(visible.end)));
                found = match production.select {
                    Select::Leftmost => first_found(pieces, &self.required, production.select, &mut self.meter)?,
                    Select::Rightmost => {
                        let pieces: Vec<_> = pieces.collect();
                        first_found(pieces.into_iter().rev(), &self.required, production.select, &mut self.meter)?
                    }
                };
                effect.attends = found.and_then(|(cache, index)| cache.cell(index));
            } else {
                effect.attends = Some(updated);
            }
        }
        if effect.attends.is_some() && !self.limits.ablated.contains(&head.id) {
            for (number, assignment) in production.assignments.iter().enumerate() {
                let value = match found {
                    Some((cache, index)) if reads_source(assignment) => cache.value(number, index),
                    _ => self.values.of(assignment.source, pair),
                };
                effect.set.extend(value.map(|value| (assignment.target, value)));
            }
        }
        Ok(())
    }

    /// Sets the registers of a cell to what the heads of a layer set them to.
    fn write(&mut self, layer: &PsmLayer<'_>, place: usize) -> Result<(), RunError> {
        let all = || self.effects.iter().flat_map(|effect| &effect.set);
        let others = |of: &(RegisterId, ValueId)| all().any(|(register, value)| *register == of.0 && *value != of.1);
        if self.effects.len() > 1
            && let Some(register) = all().filter(|set| others(set)).map(|(register, _)| *register).min()
        {
            let mut values: Vec<ValueId> = all().filter(|(other, _)| *other == register).map(|set| set.1).collect();
            values.sort_unstable();
            values.dedup();
            let (step, pass, cell) = (self.step, self.pass.clone(), CellId::new(self.first + place));
            return Err(RunError::Conflict(Box::new(Conflict { step, layer: layer.id, pass, cell, register, values })));
        }
        let state = at_mut(&mut self.states, place * self.width..(place + 1) * self.width);
        for effect in &self.effects {
            for &(register, value) in &effect.set {
                *at_mut(state, register.index()) = Some(value);
            }
        }
        Ok(())
    }

    /// Reports a cell to the observer, or adds it to `delayed` if other cells come before it.
    fn report(&mut self, layer: &PsmLayer<'_>, place: usize, delayed: &mut Vec<Update>) -> Result<(), RunError> {
        let Some(observer) = &mut self.observer else { return Ok(()) };
        let state = at(&self.states, place * self.width..(place + 1) * self.width);
        let state = Arc::new(State::from(state));
        for (head, effect) in layer.heads.iter().zip(&self.effects) {
            let update = Update {
                step: self.step,
                layer: head.id,
                pass: self.pass.clone(),
                cell: CellId::new(self.first + place),
                attends: effect.attends.map(CellId::new),
                set: effect.set.clone(),
                state: Arc::clone(&state),
            };
            if layer.heads.len() > 1 {
                delayed.push(update);
            } else {
                show(observer, &update)?;
            }
        }
        Ok(())
    }

    /// Runs a block until it ends: see [the machines' contract](crate::machine#repeat-blocks).
    fn repeat_with_caches(
        &mut self,
        block: &BlockNode<'_>,
        earlier: &[(&BlockCache, Range<usize>)],
        here: &mut BlockCache,
    ) -> Result<(), RunError> {
        let (first, end) = (self.first, self.first + self.cells());
        let rested =
            |passes: &BlockCache, cells: &Range<usize>| passes.at_rest(cells.clone()).map(|(passes, _)| passes).max();
        let elsewhere = earlier.iter().filter_map(|(passes, cells)| rested(passes, cells));
        let before = elsewhere.chain(rested(here, &(0..first))).max();
        let least = before.unwrap_or(1);
        let settles = self.limits.ablates(&block.heads);
        let searched = least.max(self.first_after_changes(block));
        let mut cycle = None;
        for pass in 1.. {
            if pass > self.limits.max_passes {
                return Err(RunError::TooManyPasses { block: block.name(), max_passes: self.limits.max_passes });
            }
            if here.caches.len() < pass {
                here.caches.push(empty_caches(&block.body, first));
            }
            let mut pieces: Vec<CachePiece<'_>> = Vec::new();
            for (passes, cells) in earlier {
                let at_rest = passes.at_rest(cells.clone());
                pieces.extend(at_rest.map(|(rest, cells)| (of_pass(&passes.caches, rest.min(pass)), cells)));
            }
            let at_rest: Vec<_> = here.at_rest(0..first).filter(|(rest, _)| *rest < pass).collect();
            let Some((this, others)) = here.caches.get_mut(..pass).and_then(<[_]>::split_last_mut) else {
                unreachable!("a block lacks the cache of a pass");
            };
            pieces.extend(at_rest.into_iter().map(|(rest, cells)| (of_pass(others, rest), cells)));
            let rests = earlier.iter().map(|(passes, _)| passes.rests.len()).sum::<usize>() + here.rests.len();
            self.meter.worked(Self::PASS_COST * (4 + rests) + self.states.len())?;
            self.pass.push(pass);
            // A change before the first layer of a pass is made before the pass.
            for head in ProductionId::each(block.first_layer.clone()) {
                self.change(0..self.cells(), &|change, pass| change.starts_pass(head, pass));
            }
            if pass == searched {
                cycle = Some(CycleSearch::new(&self.states, 1));
            }
            let entering = self.states.clone();
            self.nodes(&block.body, &pieces, this)?;
            self.pass.pop();
            if pass < least {
                continue;
            }
            let ended = match &block.repeat.until {
                Until::NoChange => self.states == entering,
                Until::Conditions(_) if before.is_some() => true,
                Until::Conditions(_) => {
                    (settles && self.states == entering) || self.some_pair_satisfies(&block.until)?
                }
            };
            if ended {
                here.rest(pass, end);
                break;
            }
            if let Some(search) = &mut cycle
                && let Some(cycle) = search.visit(&self.states, first, self.width, &mut self.meter)?
            {
                return Err(RunError::Endless { block: block.name(), cycle });
            }
        }
        Ok(())
    }

    /// Whether the conditions hold for some pair of the step's cells, or without `n` for some cell.
    fn some_pair_satisfies(&mut self, conditions: &SplitConditions<'_>) -> Result<bool, RunError> {
        let Self { values, meter, states, width, required, .. } = self;
        let mut cells = LayerCache::default();
        for (cell, state) in states.chunks_exact(*width).enumerate() {
            meter.passed(Self::PASS_COST)?;
            cells.add(conditions, &[], values, cell, state);
        }
        for (cell, state) in states.chunks_exact(*width).enumerate() {
            meter.passed(Self::PASS_COST)?;
            let sees = if conditions.binds_n() { 0..states.len() } else { cell..cell + 1 };
            if conditions.of_updated(values, state, required)
                && cells.find(&sees, required, Select::Leftmost, meter)?.is_some()
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn of_pass(caches: &[Vec<NodeCache>], pass: usize) -> &[NodeCache] {
    at(caches, pass - 1)
}

/// Searches one piece of a cache after the other.
fn first_found<'t>(
    pieces: impl Iterator<Item = (&'t LayerCache, Range<usize>)>,
    required: &[Requirement],
    select: Select,
    meter: &mut Meter<'_>,
) -> Result<Option<(&'t LayerCache, usize)>, RunError> {
    for (cache, cells) in pieces {
        if let Some(index) = cache.find(&cells, required, select, meter)? {
            return Ok(Some((cache, index)));
        }
    }
    Ok(None)
}
