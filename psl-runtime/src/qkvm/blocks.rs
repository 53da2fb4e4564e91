//! Layers and repeat blocks, and what they keep of the cells that have passed them.

use std::collections::BTreeMap;
use std::mem;

use psl_syntax::program::CausalAttn;

use super::attributes::Shifts;
use super::keys::{Keys, Query};
use super::{Held, Layer, Loaded, Matching, Repeat};
use crate::input::State;
use crate::limits::Limits;
use crate::machine::Observer;
use crate::meter::Meter;
use crate::run_error::{BlockName, Cycle, RunError, Turning};
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
pub(super) enum Kept {
    /// Keys and values of the cells so far.
    Layer(Keys),
    Repeat {
        /// What the blocks inside keep, pass by pass.
        passes: Vec<Vec<Kept>>,
        /// How many passes there were before the new cells came.
        before: usize,
    },
}

/// What blocks keep before the first cell.
pub(super) fn empty(blocks: &[Loaded<'_>]) -> Vec<Kept> {
    let nothing = |block: &Loaded<'_>| match block {
        Loaded::Layer(_) => Kept::Layer(Keys::default()),
        Loaded::Repeat(_) => Kept::Repeat { passes: Vec::new(), before: 0 },
    };
    blocks.iter().map(nothing).collect()
}

impl Kept {
    /// The number of values.
    fn len(&self) -> usize {
        match self {
            Self::Layer(keys) => keys.len(),
            Self::Repeat { passes, .. } => passes.iter().flatten().map(Self::len).sum(),
        }
    }

    /// What the first cells left, so many, before the new ones came.
    fn of_first(&self, cells: usize) -> Self {
        match self {
            Self::Layer(keys) => Self::Layer(keys.of_first(cells)),
            Self::Repeat { passes, before } => {
                let of_first = |pass: &Vec<Self>| pass.iter().map(|kept| kept.of_first(cells)).collect();
                Self::Repeat { passes: passes.iter().take(*before).map(of_first).collect(), before: *before }
            }
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
    /// Room for a cell's query.
    query: Query,
}

impl<'l, 'o> Traffic<'l, 'o> {
    /// What a cell's way through a layer takes besides its comparisons, in comparisons.
    const PASSAGE: usize = 32;
    /// The same for a pass through a block, of which each has keys of its own.
    const PASS: usize = 512;

    pub(super) fn new(shifts: &'l Shifts<'l>, limits: &'l Limits, observer: Option<Observer<'o>>) -> Self {
        Self {
            shifts,
            limits,
            meter: Meter::new(limits),
            observer,
            update: Update::default(),
            step: 0,
            pass: Vec::new(),
            first: 0,
            cells: Cells::new(0, &[]),
            query: Query::new(),
        }
    }

    /// There are no earlier cells any more.
    pub(super) fn reset(&mut self) {
        self.meter.reset();
    }

    /// Takes new cells through all blocks, to the right of the `first` ones, and gives their last states.
    pub(super) fn run(
        &mut self,
        blocks: &[Loaded<'_>],
        kept: &mut [Kept],
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

    fn blocks(&mut self, blocks: &[Loaded<'_>], kept: &mut [Kept]) -> Result<(), RunError> {
        for (block, kept) in blocks.iter().zip(kept) {
            match (block, kept) {
                (Loaded::Layer(layer), Kept::Layer(keys)) => self.layer(layer, keys)?,
                (Loaded::Repeat(repeat), Kept::Repeat { passes, before }) => {
                    *before = passes.len();
                    self.repeat(repeat, passes)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn layer(&mut self, layer: &Layer, keys: &mut Keys) -> Result<(), RunError> {
        let Self { shifts, meter, observer, update, first, cells, query, .. } = self;
        let count = *first + cells.len();
        meter.look()?;
        for (number, cell) in (*first..).zip(cells.iter()) {
            meter.passed(Self::PASSAGE)?;
            meter.keep(keys.add(&layer.matching, &layer.value, shifts, number, cell))?;
        }
        for (number, state) in (*first..).zip(cells.iter_mut()) {
            let visible = match layer.causal_attn {
                Some(CausalAttn::True) => 0..number + 1,
                Some(CausalAttn::Reverse) => number..count,
                Some(CausalAttn::False) | None => 0..count,
            };
            meter.compared(1)?;
            let index = if layer.matching.query(shifts, state, query) {
                keys.matching(query, &visible, layer.right_match, meter)?
            } else {
                None
            };
            update.set.clear();
            if let Some(index) = index {
                let values = layer.value.iter().zip(keys.values(index));
                update.set.extend(values.filter_map(|((register, _), value)| Some((*register, value?))));
            }
            for &(register, value) in &update.set {
                if let Some(slot) = state.get_mut(register) {
                    *slot = Some(value);
                }
            }
            if let Some(observer) = observer {
                update.step = self.step;
                update.layer = layer.number;
                update.pass.clone_from(&self.pass);
                update.cell = number + 1;
                update.attends = index.and_then(|index| keys.cell(index)).map(|n| n + 1);
                update.state.clear();
                update.state.extend_from_slice(state);
                observer(update);
            }
        }
        Ok(())
    }

    /// Runs a block until it ends: see [the machines' contract](crate::machine#repeat-blocks).
    fn repeat(&mut self, repeat: &Repeat<'_>, passes: &mut Vec<Vec<Kept>>) -> Result<(), RunError> {
        let recorded = passes.len();
        let mut round = Round::new(&self.cells, 1);
        for index in 0.. {
            if index == self.limits.max_passes {
                return Err(RunError::TooManyPasses { block: repeat.name(), max_passes: index });
            }
            if index >= recorded {
                let last = recorded.checked_sub(1).and_then(|last| passes.get(last));
                let of_first = |last: &Vec<Kept>| last.iter().map(|kept| kept.of_first(self.first)).collect();
                let resting: Vec<Kept> = last.map_or_else(|| empty(&repeat.body), of_first);
                self.meter.keep(resting.iter().map(Kept::len).sum())?;
                passes.push(resting);
            }
            let Some(pass) = passes.get_mut(index) else { break };
            self.meter.worked(Self::PASS + self.cells.held.len())?;
            let before = self.cells.clone();
            self.pass.push(index + 1);
            self.blocks(&repeat.body, pass)?;
            self.pass.pop();
            if index + 1 < recorded {
                continue;
            }
            let ends = match &repeat.until {
                None => self.cells == before,
                Some(_) if recorded > 0 => true,
                Some(conditions) => self.some_pair_matches(conditions)?,
            };
            if ends {
                break;
            }
            if index + 1 == recorded {
                round = Round::new(&before, 1);
            }
            if let Some(cycle) = round.after_pass(&self.cells, self.first, &mut self.meter)? {
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

impl Repeat<'_> {
    fn name(&self) -> BlockName {
        BlockName { number: self.number, label: self.label.map(str::to_owned) }
    }
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

    fn after_pass(&mut self, cells: &Cells, first: usize, meter: &mut Meter<'_>) -> Result<Option<Cycle>, RunError> {
        self.since += 1;
        if self.marked == *cells {
            let turning = mem::take(&mut self.turning).into_iter();
            let turning =
                turning.map(|((cell, register), values)| Turning { cell: first + cell + 1, register, values });
            return Ok(Some(Cycle { passes: self.since, turning: turning.collect() }));
        }
        for (index, (was, is)) in self.marked.held.iter().zip(&cells.held).enumerate() {
            meter.compared(1)?;
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
        Ok(None)
    }
}
