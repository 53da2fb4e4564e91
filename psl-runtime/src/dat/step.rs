//! The cells of one forward step, which are updated together, and what later steps read of them.

use std::mem;

use psl_syntax::{index::IndexVec, program::ProductionId};
use rustc_hash::FxHashMap;

use super::{
    bits::{Bits, cells},
    columns::Columns,
    history::History,
    index::{Index, Indexes},
    maps::{HeadMaps, Maps, Node, Readers, Repeat},
    reading::{Assigned, Shifts},
    search::SHARED,
    timeline::{Pass, Timeline},
    value::{NULL, Value},
};

/// The cells that attend to a cell.
#[derive(Debug, Default)]
pub(super) struct Matches {
    /// The cells of the step that attend to a cell.
    pub(super) targets: Bits,
    /// The cell that each of them attends to, by its index from the first cell of the prompt.
    pub(super) sources: Vec<usize>,
    /// For each register that is set to another register's value, the value that each of them receives.
    pub(super) received: Vec<Value>,
}

impl Matches {
    /// The value that a cell of the step receives for a register, by the index of its source. `register` is that of the
    /// value in the layer.
    pub(super) fn received(&self, layer: &HeadMaps, register: usize, source: usize) -> Value {
        let before = layer.value.iter().take(register).filter(|(_, assigned)| assigned.reading().is_some()).count();
        match layer.value.get(register) {
            Some((_, Assigned::Constant(value))) => *value,
            _ => self.received.get(before * self.sources.len() + source).copied().unwrap_or(NULL),
        }
    }
}

/// The memory of runs, kept for the next one.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) shifts: Shifts,
    /// The registers with which cells enter, cell after cell.
    pub(super) entering: Vec<Value>,
    /// Those of the cells of earlier steps after the last layer.
    pub(super) finished: Vec<Value>,
    /// The registers of the step's cells, cell after cell.
    pub(super) states: Vec<Value>,
    /// Those of the current layer, or of the current head.
    pub(super) matches: Matches,
    /// Those of each head of a layer with several.
    pub(super) by_head: Vec<Matches>,
    /// The cells, registers and values that such heads set.
    pub(super) sets: Vec<(usize, usize, Value)>,
    /// The number of writes before this pass of the innermost block.
    before_pass: usize,
    /// The cells of which a layer changes a register.
    changed: Bits,
    pub(super) columns: Columns,
    pub(super) history: History,
    pub(super) timeline: Timeline,
    /// By head.
    pub(super) layers: IndexVec<ProductionId, LayerState>,
    /// By outermost block and register: the last pass in which an earlier step wrote the register.
    last_written: FxHashMap<(usize, usize), usize>,
    pub(super) queries: Bits,
    pub(super) keys: Bits,
    pub(super) indexes: Indexes,
}

impl Scratch {
    /// The number of values, with those of the history, of the keys of generated cells and of matches, that it has
    /// memory for.
    pub(super) fn kept(&self) -> usize {
        let later = self.layers.iter().map(|layer| layer.later.capacity());
        let by_head = self.by_head.iter().map(|matches| matches.sources.capacity());
        self.finished.len() + self.history.len() + later.sum::<usize>() + by_head.sum::<usize>()
    }
}

/// The state of a layer between its runs.
#[derive(Debug, Default)]
pub(super) struct LayerState {
    /// For a layer of a block: whether it has run in this step.
    pub(super) ran: bool,
    /// Whether no earlier cell could change its last run, in which the updated cell failed its tests.
    pub(super) asleep: bool,
    /// The cells of the step that it has to update again since their registers changed.
    pub(super) changed_queries: Bits,
    /// The cells whose registers changed that it reads as those of the cell attended to.
    pub(super) changed_keys: Bits,
    /// For a layer outside blocks: the cells of the prompt that can be attended to.
    pub(super) of_prompt: Bits,
    /// The cells of earlier steps that can be attended to.
    pub(super) earlier: Index,
    /// The number of cells that `earlier` takes account of.
    pub(super) indexed: usize,
    /// For a layer outside blocks: further such cells that were generated, and their key.
    pub(super) later: Vec<(Value, u32)>,
}

/// A forward step: all cells of a prompt together, or one generated cell.
#[derive(Debug)]
pub(super) struct DatStep<'m> {
    pub(super) maps: &'m Maps,
    pub(super) shifts: &'m Shifts,
    /// Whether each cell's position is its index.
    pub(super) pinned: bool,
    /// The number of registers, at least 1.
    pub(super) width: usize,
    /// The number of cells before the step.
    pub(super) first: usize,
    /// The number of cells of the step.
    pub(super) cells: usize,
    /// The number of cells of the first step.
    pub(super) prompt: usize,
    /// The number of layers that the step has passed.
    pub(super) tick: u32,
    /// The blocks around the current layer.
    pub(super) path: Vec<Pass>,
    /// By register: the layers of the last outermost block that it matters to.
    readers: Option<&'m Readers>,
    /// Whether later steps read this one.
    pub(super) keeps: bool,
    pub(super) scratch: Box<Scratch>,
}

impl<'m> DatStep<'m> {
    pub(super) fn new(maps: &'m Maps, shifts: &'m Shifts, pinned: bool, keeps: bool, scratch: Box<Scratch>) -> Self {
        let mut step = Self {
            maps,
            shifts,
            pinned,
            width: maps.width.max(1),
            first: 0,
            cells: 0,
            prompt: 0,
            tick: 0,
            path: Vec::new(),
            readers: None,
            keeps,
            scratch,
        };
        step.reset();
        step
    }

    /// Forgets all cells.
    pub(super) fn reset(&mut self) {
        let Self { maps, width, scratch, .. } = self;
        self.first = 0;
        self.prompt = 0;
        scratch.history.reset(*width);
        scratch.timeline.reset(maps.blocks);
        scratch.last_written.clear();
        scratch.layers.resize_with(maps.heads, LayerState::default);
        for layer in scratch.layers.as_mut_slice() {
            if layer.indexed > 0 {
                layer.earlier.clear();
                layer.indexed = 0;
            }
            layer.later.clear();
        }
    }

    /// Starts a step with these cells.
    pub(super) fn enter(&mut self, states: &[Value]) {
        let Self { maps, width, scratch, .. } = self;
        self.tick = 0;
        self.cells = states.len() / *width;
        scratch.states.clear();
        scratch.states.extend_from_slice(states);
        if self.keeps || maps.blocks > 0 {
            scratch.history.enter(states.len());
        }
        if self.first == 0 {
            self.prompt = self.cells;
            scratch.columns.enter(&maps.watches, states, *width);
        }
        for node in &maps.nodes {
            if let Node::Repeat(repeat) = node {
                ProductionId::each(repeat.heads.clone()).for_each(|head| scratch.layers[head].ran = false);
            }
        }
    }

    /// Whether the step has all cells of a prompt. Else it has one cell, which reads earlier ones.
    pub(super) fn is_prefill(&self) -> bool {
        self.first == 0
    }

    /// Sets the layers that registers matter to, for an outermost block.
    pub(super) fn set_readers(&mut self, readers: &'m Readers) {
        self.readers = Some(readers);
    }

    /// Forgets which cells attend to a cell.
    pub(super) fn clear_matches(&mut self) {
        let words = self.cells.div_ceil(64);
        let Matches { targets, sources, received } = &mut self.scratch.matches;
        targets.reset(words);
        sources.clear();
        received.clear();
    }

    /// Takes note that a layer runs for all cells that it has to update.
    pub(super) fn start_layer(&mut self, layer: &HeadMaps) {
        let words = self.cells.div_ceil(64);
        let state = &mut self.scratch.layers[layer.id];
        state.ran = true;
        state.asleep = false;
        state.changed_queries.reset(words);
        state.changed_keys.reset(words);
    }

    /// Whether the step has one cell, and that fails its tests. Takes note that the layer has run, and for later steps
    /// whether the cell can be attended to.
    #[inline]
    pub(super) fn passes_by(&mut self, layer: &HeadMaps) -> bool {
        if self.first == 0 || layer.conditions.query_tests_pass(self.shifts, &self.scratch.states) {
            return false;
        }
        if self.path.is_empty() {
            self.note_key(layer);
        } else {
            self.start_layer(layer);
            self.scratch.layers[layer.id].asleep = true;
        }
        true
    }

    /// Notes for later steps whether the step's cell can be attended to, by a layer outside blocks.
    #[inline]
    pub(super) fn note_key(&mut self, layer: &HeadMaps) {
        let Self { shifts, first, scratch, .. } = self;
        let itself = |reading| shifts.read(reading, &scratch.states);
        let is_neighbor = self.pinned && layer.conditions.offset().is_some();
        if !is_neighbor && layer.conditions.key_tests_pass(itself) {
            let value = layer.conditions.equal.first().map_or(SHARED, |pair| itself(pair.key));
            scratch.layers[layer.id].later.push((value, *first as u32));
        }
    }

    /// Sets the registers of the cells that attend to a cell. Null sets nothing. Returns the number of values kept for
    /// later steps.
    pub(super) fn write(&mut self, layer: &HeadMaps) -> usize {
        let Self { maps, width, first, tick, path, readers, keeps, scratch, .. } = self;
        let Scratch { states, matches, columns, history, changed, layers, last_written, .. } = &mut **scratch;
        let Matches { targets, sources, received } = matches;
        let (prefill, outermost, offset) = (*first == 0, path.first(), *first * *width);
        let (mut all, mut received) = (0, received.as_slice());
        for (register, source) in &layer.value {
            let is_noted = outermost.is_some() || (*keeps && maps.read_as_key.get(*register) == Some(&true));
            let mut written = 0;
            let mut set = |cell: usize, value: Value| {
                let place = cell * *width + register;
                let old = states.get_mut(place).map_or(value, |slot| mem::replace(slot, value));
                if old == value {
                    return None;
                }
                written += 1;
                if is_noted {
                    history.write(offset + place, *tick, old);
                }
                Some(old)
            };
            changed.reset(targets.words());
            match source {
                Assigned::Constant(value) if prefill => {
                    for word in 0..columns.words {
                        let filled = columns.fill(&maps.watches, *register, word, targets.word(word), *value);
                        changed.set_word(word, filled);
                        for cell in cells(word, filled) {
                            set(cell, *value);
                        }
                    }
                }
                Assigned::Constant(value) => {
                    if !targets.is_empty() && set(0, *value).is_some() {
                        changed.insert(0);
                    }
                }
                Assigned::Register(_) => {
                    let (values, rest) = received.split_at(sources.len());
                    received = rest;
                    let mut values = values.iter();
                    for cell in targets.iter() {
                        let Some(value) = values.next().filter(|value| **value != NULL) else { continue };
                        let Some(old) = set(cell, *value) else { continue };
                        changed.insert(cell);
                        if prefill {
                            columns.set(&maps.watches, *register, cell, old, *value);
                        }
                    }
                }
            }
            all += written;
            let Some(Pass { block, pass }) = outermost.filter(|_| written > 0) else { continue };
            for reader in readers.and_then(|readers| readers.get(register)).into_iter().flatten() {
                let state = &mut layers[reader.head];
                if !state.ran {
                    continue;
                }
                if reader.query {
                    state.changed_queries.extend(changed);
                }
                if reader.key {
                    state.changed_keys.extend(changed);
                }
            }
            let last = last_written.entry((*block, *register)).or_default();
            *last = (*last).max(*pass);
        }
        if *keeps { 2 * all } else { 0 }
    }

    /// The passes that the cells so far take in a block, which are those of the last one.
    pub(super) fn passes_of_earlier(&self, block: &Repeat) -> usize {
        let last = self.first.checked_sub(self.prompt).filter(|_| !self.is_prefill());
        last.map_or(0, |last| self.scratch.timeline.passes(last, &self.path, block.index))
    }

    /// Starts a pass of a block.
    pub(super) fn start_pass(&mut self) {
        if !self.keeps {
            self.scratch.history.clear();
        }
        self.scratch.before_pass = self.scratch.history.len();
    }

    /// Whether every register has the value that it had before the pass of the innermost block, which its first change
    /// recorded.
    pub(super) fn is_unchanged(&self) -> bool {
        let Scratch { history, states, before_pass, .. } = &*self.scratch;
        let offset = self.first * self.width;
        let is_back = |(place, old): &(usize, Value)| states.get(place - offset) == Some(old);
        let mut changes = history.since(*before_pass);
        if changes.next().is_some_and(|change| !is_back(&change)) {
            return false;
        }
        let mut first: Vec<(usize, Value)> = history.since(*before_pass).collect();
        first.sort_by_key(|(place, _)| *place);
        first.dedup_by_key(|(place, _)| *place);
        first.iter().all(is_back)
    }

    /// Whether a run of a layer of a block in this pass would change nothing: no register that matters changed since
    /// its last run in this step, and the earlier cells are as they were then.
    pub(super) fn rests(&self, layer: &HeadMaps) -> bool {
        let state = &self.scratch.layers[layer.id];
        state.ran
            && state.changed_queries.is_empty()
            && state.changed_keys.is_empty()
            && (self.is_prefill() || state.asleep || self.earlier_rest(layer))
    }

    /// Whether what a layer of a block without inner blocks reads of the earlier cells is the same in this pass and in
    /// the one before. What is written in a pass can make a difference in the next one, too.
    fn earlier_rest(&self, layer: &HeadMaps) -> bool {
        let [Pass { block, pass }] = self.path.as_slice() else { return false };
        let last = |register: &usize| self.scratch.last_written.get(&(*block, *register)).copied().unwrap_or_default();
        layer.key_registers.iter().map(last).all(|last| last + 1 < *pass)
    }
}
