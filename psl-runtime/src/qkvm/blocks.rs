//! Layers and repeat blocks, and what they keep of the cells that have passed them.

use std::collections::BTreeMap;
use std::mem;

use psl_syntax::program::CausalAttn;

use super::attributes::{Filler, Filling, Shifts};
use super::{Held, Layer, Loaded, Matching, Repeat};
use crate::input::State;
use crate::limits::{Limits, Meter};
use crate::machine::{BlockName, Cycle, Observer, RunError, Turning};
use crate::trace::Update;

/// The states of some cells, one after the other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cells {
    width: usize,
    held: Vec<Held>,
}

impl Cells {
    pub(super) fn new(width: usize, states: &[State]) -> Self {
        let held = states.iter().flat_map(|state| (0..width).map(|register| state.get(register).copied().flatten()));
        Self { width, held: held.collect() }
    }

    pub(super) fn len(&self) -> usize {
        self.held.len().checked_div(self.width).unwrap_or_default()
    }

    pub(super) fn clear(&mut self) {
        self.held.clear();
    }

    pub(super) fn from(&self, first: usize) -> Self {
        Self { width: self.width, held: self.held.get(first * self.width..).unwrap_or_default().to_vec() }
    }

    pub(super) fn append(&mut self, mut other: Self) {
        self.held.append(&mut other.held);
    }

    pub(super) fn push(&mut self, state: &[Held]) {
        self.held.extend_from_slice(state);
    }

    pub(super) fn last(&self) -> Option<State> {
        self.iter().next_back().map(<[Held]>::to_vec)
    }

    pub(super) fn to_states(&self) -> Vec<State> {
        self.iter().map(<[Held]>::to_vec).collect()
    }

    fn iter(&self) -> impl DoubleEndedIterator<Item = &[Held]> {
        self.held.chunks_exact(self.width.max(1))
    }

    fn iter_mut(&mut self) -> impl Iterator<Item = &mut [Held]> {
        self.held.chunks_exact_mut(self.width.max(1))
    }
}

/// What a block keeps.
#[derive(Clone, Debug)]
pub(super) enum Kept<'l> {
    /// Keys and values of the cells so far.
    Layer { keys: Vec<Filler<'l>>, values: Vec<Held> },
    /// What the blocks inside keep, pass by pass.
    Repeat(Vec<Vec<Kept<'l>>>),
}

/// What blocks keep before the first cell.
pub(super) fn empty<'l>(blocks: &[Loaded<'_>]) -> Vec<Kept<'l>> {
    let nothing = |block: &Loaded<'_>| match block {
        Loaded::Layer(_) => Kept::Layer { keys: Vec::new(), values: Vec::new() },
        Loaded::Repeat(_) => Kept::Repeat(Vec::new()),
    };
    blocks.iter().map(nothing).collect()
}

impl Kept<'_> {
    /// The number of values.
    fn len(&self) -> usize {
        match self {
            Self::Layer { keys, values } => keys.len() + values.len(),
            Self::Repeat(passes) => passes.iter().flatten().map(Self::len).sum(),
        }
    }
}

/// The new cells on their way through the layers.
pub(super) struct Traffic<'l, 'o> {
    shifts: &'l Shifts<'l>,
    limits: &'l Limits,
    meter: Meter<'l>,
    observer: Option<Observer<'o>>,
    /// What the observer is told, each time anew.
    update: Update,
    step: usize,
    pass: Vec<usize>,
    /// The number of cells before the new ones.
    first: usize,
    cells: Cells,
}

impl<'l, 'o> Traffic<'l, 'o> {
    pub(super) fn new(shifts: &'l Shifts<'l>, limits: &'l Limits, observer: Option<Observer<'o>>) -> Self {
        let cells = Cells::new(0, &[]);
        let update = Update::default();
        Self { shifts, limits, meter: Meter::new(limits), observer, update, step: 0, pass: Vec::new(), first: 0, cells }
    }

    /// There are no earlier cells any more.
    pub(super) fn forget(&mut self) {
        self.meter.forget();
    }

    /// Takes new cells through all blocks, to the right of the `first` ones, and gives their last states.
    pub(super) fn run(
        &mut self,
        blocks: &'l [Loaded<'_>],
        kept: &mut [Kept<'l>],
        first: usize,
        cells: Cells,
    ) -> Result<Cells, RunError> {
        let width = cells.width;
        self.first = first;
        self.cells = cells;
        self.blocks(blocks, kept)?;
        self.step += 1;
        Ok(mem::replace(&mut self.cells, Cells::new(width, &[])))
    }

    fn blocks(&mut self, blocks: &'l [Loaded<'_>], kept: &mut [Kept<'l>]) -> Result<(), RunError> {
        for (block, kept) in blocks.iter().zip(kept) {
            match (block, kept) {
                (Loaded::Layer(layer), Kept::Layer { keys, values }) => self.layer(layer, keys, values)?,
                (Loaded::Repeat(repeat), Kept::Repeat(passes)) => self.repeat(repeat, passes)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn layer(&mut self, layer: &'l Layer, keys: &mut Vec<Filler<'l>>, values: &mut Vec<Held>) -> Result<(), RunError> {
        let count = self.first + self.cells.len();
        self.meter.layer(self.cells.len(), count)?;
        self.meter.keep(self.cells.len() * (layer.matching.key.len() + layer.value.len()))?;
        for cell in self.cells.iter() {
            keys.extend(layer.matching.key.iter().map(|filling| self.shifts.fill(filling, cell)));
            values.extend(layer.value.iter().map(|(_, reading)| self.shifts.read(*reading, cell)));
        }
        let mut query = Vec::new();
        for (cell, state) in (self.first..).zip(self.cells.iter_mut()) {
            query.clear();
            query.extend(layer.matching.query.iter().map(|filling| self.shifts.fill(filling, state)));
            let visible = match layer.causal_attn {
                Some(CausalAttn::True) => 0..=cell,
                Some(CausalAttn::Reverse) => cell..=count - 1,
                Some(CausalAttn::False) | None => 0..=count - 1,
            };
            // What every key says alike is asked once.
            let may_match = layer.matching.fixed.iter().all(|slot| match (query.get(*slot), keys.get(*slot)) {
                (Some(query), Some(key)) => query.matches(*key),
                _ => false,
            });
            let attends = may_match.then(|| attend(&query, keys, visible, layer.right_match)).flatten();
            let width = layer.value.len();
            let value = attends.and_then(|n| values.get(n * width..(n + 1) * width)).unwrap_or_default();
            for ((register, _), value) in layer.value.iter().zip(value) {
                if let Some(slot) = state.get_mut(*register) {
                    *slot = value.or(*slot);
                }
            }
            if let Some(observer) = &mut self.observer {
                let set = layer.value.iter().zip(value);
                let update = &mut self.update;
                update.step = self.step;
                update.layer = layer.number;
                update.pass.clone_from(&self.pass);
                update.cell = cell + 1;
                update.attends = attends.map(|n| n + 1);
                update.set.clear();
                update.set.extend(set.filter_map(|((register, _), value)| Some((*register, (*value)?))));
                update.state.clear();
                update.state.extend_from_slice(state);
                observer(update);
            }
        }
        Ok(())
    }

    fn repeat(&mut self, repeat: &'l Repeat<'_>, passes: &mut Vec<Vec<Kept<'l>>>) -> Result<(), RunError> {
        let recorded = passes.len();
        // Taken before the new cells add theirs.
        let resting = passes.last().cloned().unwrap_or_else(|| empty(&repeat.body));
        let mut round = Round::new(&self.cells, 1);
        for index in 0.. {
            if index == self.limits.max_passes {
                return Err(RunError::TooManyPasses { block: repeat.name(), max_passes: index });
            }
            if index >= recorded {
                self.meter.keep(resting.iter().map(Kept::len).sum())?;
                passes.push(resting.clone());
            }
            let Some(pass) = passes.get_mut(index) else { break };
            let before = self.cells.clone();
            self.pass.push(index + 1);
            self.blocks(&repeat.body, pass)?;
            self.pass.pop();
            if index + 1 < recorded {
                continue;
            }
            let ends = match &repeat.until {
                None => self.cells == before,
                // Of the earlier cells, at rest in their last pass, a pair satisfies the conditions already.
                Some(_) if recorded > 0 => true,
                Some(conditions) => self.some_pair_matches(conditions),
            };
            if ends {
                break;
            }
            if index + 1 == recorded {
                round = Round::new(&before, 1);
            }
            if let Some(cycle) = round.after_pass(&self.cells, self.first) {
                return Err(RunError::Endless { block: repeat.name(), cycle });
            }
        }
        Ok(())
    }

    fn some_pair_matches<'s>(&'s self, conditions: &'s Matching) -> bool {
        let fill = |side: &'s [Filling], cell: &[Held]| -> Vec<Filler<'s>> {
            side.iter().map(|filling| self.shifts.fill(filling, cell)).collect()
        };
        let keys: Vec<_> = self.cells.iter().map(|cell| fill(&conditions.key, cell)).collect();
        self.cells.iter().any(|cell| {
            let query = fill(&conditions.query, cell);
            keys.iter().any(|key| matches(&query, key))
        })
    }
}

impl Repeat<'_> {
    fn name(&self) -> BlockName {
        BlockName { number: self.number, label: self.label.map(str::to_owned) }
    }
}

/// The cell whose key matches the query: the first such in the visible range, or the last.
fn attend(
    query: &[Filler<'_>],
    keys: &[Filler<'_>],
    mut visible: std::ops::RangeInclusive<usize>,
    right_match: bool,
) -> Option<usize> {
    let slots = query.len();
    let matches = |n: &usize| keys.get(n * slots..(n + 1) * slots).is_some_and(|key| matches(query, key));
    if right_match { visible.rfind(matches) } else { visible.find(matches) }
}

fn matches(query: &[Filler<'_>], key: &[Filler<'_>]) -> bool {
    query.iter().zip(key).all(|(query, key)| query.matches(*key))
}

/// Finds out whether the cells come back to a state, once they depend on nothing else: a state stays marked until twice as
/// many passes have gone by as did for the one before it.
struct Round {
    marked: Cells,
    since: usize,
    lasts: usize,
    /// What each register of each cell has held since, where it changed.
    turning: BTreeMap<(usize, usize), Vec<Held>>,
}

impl Round {
    fn new(cells: &Cells, lasts: usize) -> Self {
        Self { marked: cells.clone(), since: 0, lasts, turning: BTreeMap::new() }
    }

    fn after_pass(&mut self, cells: &Cells, first: usize) -> Option<Cycle> {
        self.since += 1;
        if self.marked == *cells {
            let turning = mem::take(&mut self.turning).into_iter();
            let turning =
                turning.map(|((cell, register), values)| Turning { cell: first + cell + 1, register, values });
            return Some(Cycle { passes: self.since, turning: turning.collect() });
        }
        for (index, (was, is)) in self.marked.held.iter().zip(&cells.held).enumerate() {
            let place = (index / cells.width, index % cells.width);
            if was != is {
                let values = self.turning.entry(place).or_insert_with(|| vec![*was]);
                if !values.contains(is) {
                    values.push(*is);
                }
            }
        }
        if self.since == self.lasts {
            *self = Self::new(cells, 2 * self.lasts);
        }
        None
    }
}
