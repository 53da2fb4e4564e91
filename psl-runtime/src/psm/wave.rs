//! A wave of cells on its way through layers and repeat blocks.

use std::iter;
use std::ops::Range;

use psl_syntax::program::{CausalAttn, RegisterId, Select, Until};

use super::conditions::{Pair, Values};
use super::cycle::CycleSearch;
use super::search::{Asked, Past, Wanted, reads_source};
use super::{Block, Layer, Step};
use crate::limits::Limits;
use crate::machine::Observer;
use crate::meter::Meter;
use crate::run_error::RunError;
use crate::trace::Update;
use crate::vocabulary::ValueId;

/// What cells leave behind at a statement.
#[derive(Debug)]
pub(super) enum Trail {
    Layer(Past),
    Block(Passes),
}

/// The passes of the cells that came to a block, from the `first` on.
#[derive(Debug)]
pub(super) struct Passes {
    first: usize,
    /// By pass, what those of them that needed it left at each statement of the block.
    trails: Vec<Vec<Trail>>,
    /// After how many passes cells came to rest: ever more of them, as later cells need no fewer.
    rests: Vec<Rest>,
}

/// The cells up to `end` that no earlier entry has came to rest after so many passes.
#[derive(Debug)]
struct Rest {
    passes: usize,
    end: usize,
}

/// What some earlier cells left at the statements of a block, and which cells.
type Piece<'t> = (&'t [Trail], Range<usize>);

/// What no cell has come to yet; the next one is the `first`.
pub(super) fn untrodden(steps: &[Step<'_>], first: usize) -> Vec<Trail> {
    let trail = |step: &Step<'_>| match step {
        Step::Layer(_) => Trail::Layer(Past::default()),
        Step::Block(_) => Trail::Block(Passes { first, trails: Vec::new(), rests: Vec::new() }),
    };
    steps.iter().map(trail).collect()
}

impl Passes {
    /// The cells among those given, by the number of passes after which they came to rest.
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

/// Cells that are updated side by side, after those that stay as they were.
pub(super) struct Wave<'r, 'o> {
    values: &'r Values,
    limits: &'r Limits,
    meter: Meter<'r>,
    observer: Option<Observer<'o>>,
    /// 0 for the prompt's wave, k for that of the k-th generated cell.
    step: usize,
    /// The passes of the enclosing blocks.
    pass: Vec<usize>,
    /// The number of registers, at least 1.
    width: usize,
    /// The number of cells before the wave.
    first: usize,
    /// The registers of the wave's cells, as they are now, cell after cell.
    states: Vec<Option<ValueId>>,
    /// Room for what a cell looks for, and for what it is set to.
    wanted: Vec<Wanted>,
    set: Vec<(usize, ValueId)>,
}

impl<'r, 'o> Wave<'r, 'o> {
    /// What a cell's way through a layer takes besides its comparisons, in comparisons.
    const PASSAGE: usize = 32;
    /// The same for the cells' pass through a block, and for each time at which earlier cells came to rest.
    const PASS: usize = 32;

    pub(super) fn new(values: &'r Values, width: usize, limits: &'r Limits, observer: Option<Observer<'o>>) -> Self {
        Self {
            values,
            limits,
            meter: Meter::new(limits),
            observer,
            step: 0,
            pass: Vec::new(),
            width,
            first: 0,
            states: Vec::new(),
            wanted: Vec::new(),
            set: Vec::new(),
        }
    }

    /// There are no earlier cells any more.
    pub(super) fn reset(&mut self) {
        self.first = 0;
        self.meter.reset();
    }

    /// Takes new cells through the program, which leave their trail; gives their last states.
    pub(super) fn run(
        &mut self,
        steps: &[Step<'_>],
        trails: &mut [Trail],
        entering: &[Option<ValueId>],
    ) -> Result<&[Option<ValueId>], RunError> {
        self.states.clear();
        self.states.extend_from_slice(entering);
        self.meter.keep(entering.len())?;
        self.steps(steps, &[], trails)?;
        self.step += 1;
        self.first += self.cells();
        Ok(&self.states)
    }

    fn cells(&self) -> usize {
        self.states.len() / self.width
    }

    /// `earlier` are the pieces of trail that other cells left elsewhere, from the left; `here` is that of all others.
    fn steps(&mut self, steps: &[Step<'_>], earlier: &[Piece<'_>], here: &mut [Trail]) -> Result<(), RunError> {
        for (index, (step, here)) in steps.iter().zip(here).enumerate() {
            let earlier = earlier.iter().filter_map(|(trails, cells)| Some((trails.get(index)?, cells.clone())));
            match (step, here) {
                (Step::Layer(layer), Trail::Layer(past)) => {
                    let earlier = earlier.filter_map(|(trail, cells)| match trail {
                        Trail::Layer(past) => Some((past, cells)),
                        Trail::Block(_) => None,
                    });
                    self.layer(layer, &earlier.collect::<Vec<_>>(), past)?;
                }
                (Step::Block(block), Trail::Block(passes)) => {
                    let earlier = earlier.filter_map(|(trail, cells)| match trail {
                        Trail::Layer(_) => None,
                        Trail::Block(passes) => Some((passes, cells)),
                    });
                    self.block(block, &earlier.collect::<Vec<_>>(), passes)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// One layer for all cells of the wave.
    fn layer(&mut self, layer: &Layer<'_>, earlier: &[(&Past, Range<usize>)], past: &mut Past) -> Result<(), RunError> {
        let Self { values, meter, states, width, first, .. } = self;
        let production = layer.production;
        meter.look()?;
        if production.binds_n() {
            for (cell, state) in (*first..).zip(states.chunks_exact(*width)) {
                meter.compared(1)?;
                meter.keep(past.add(&layer.asked, &production.assignments, values, cell, state))?;
            }
        }
        for place in 0..self.cells() {
            self.meter.passed(Self::PASSAGE)?;
            self.update(layer, place, earlier, past)?;
        }
        Ok(())
    }

    /// One layer for one cell, by its place in the wave.
    fn update(
        &mut self,
        layer: &Layer<'_>,
        place: usize,
        earlier: &[(&Past, Range<usize>)],
        past: &Past,
    ) -> Result<(), RunError> {
        let (production, updated) = (layer.production, self.first + place);
        let end = self.first + self.cells();
        let registers = place * self.width..(place + 1) * self.width;
        let Some(state) = self.states.get(registers.clone()) else { return Ok(()) };
        let pair = Pair { source: state, updated: state };
        let mut attends = None;
        let mut found = None;
        if layer.asked.of_updated(self.values, state, &mut self.wanted) {
            if production.binds_n() {
                let visible = match production.causal_attn {
                    Some(CausalAttn::True) => 0..updated + 1,
                    Some(CausalAttn::Reverse) => updated..end,
                    Some(CausalAttn::False) | None => 0..end,
                };
                let here = iter::once((past, earlier.last().map_or(0, |(_, cells)| cells.end)..end));
                let all = earlier.iter().cloned().chain(here);
                let pieces =
                    all.map(|(past, cells)| (past, cells.start.max(visible.start)..cells.end.min(visible.end)));
                found = match production.select {
                    Select::Leftmost => first_found(pieces, &self.wanted, production.select, &mut self.meter)?,
                    Select::Rightmost => {
                        let pieces: Vec<_> = pieces.collect();
                        first_found(pieces.into_iter().rev(), &self.wanted, production.select, &mut self.meter)?
                    }
                };
                attends = found.and_then(|(past, index)| past.cell(index));
            } else {
                attends = Some(updated);
            }
        }
        self.set.clear();
        if attends.is_some() {
            for (number, assignment) in production.assignments.iter().enumerate() {
                let RegisterId(register) = assignment.target;
                let value = match found {
                    Some((past, index)) if reads_source(assignment) => past.value(number, index),
                    _ => self.values.of(assignment.source, pair),
                };
                self.set.extend(value.map(|value| (register as usize, value)));
            }
        }
        let Some(state) = self.states.get_mut(registers) else { return Ok(()) };
        for &(register, value) in &self.set {
            if let Some(slot) = state.get_mut(register) {
                *slot = Some(value);
            }
        }
        if let Some(observer) = &mut self.observer {
            observer(&Update {
                step: self.step,
                layer: layer.number,
                pass: self.pass.clone(),
                cell: updated + 1,
                attends: attends.map(|n| n + 1),
                set: self.set.clone(),
                state: state.to_vec(),
            });
        }
        Ok(())
    }

    /// Runs a block until it ends: see [the machines' contract](crate::machine#repeat-blocks).
    fn block(
        &mut self,
        block: &Block<'_>,
        earlier: &[(&Passes, Range<usize>)],
        here: &mut Passes,
    ) -> Result<(), RunError> {
        let (first, end) = (self.first, self.first + self.cells());
        let rested =
            |passes: &Passes, cells: &Range<usize>| passes.at_rest(cells.clone()).map(|(passes, _)| passes).max();
        let elsewhere = earlier.iter().filter_map(|(passes, cells)| rested(passes, cells));
        let before = elsewhere.chain(rested(here, &(0..first))).max();
        let least = before.unwrap_or(1);
        let mut cycle = None;
        for pass in 1.. {
            if pass > self.limits.max_passes {
                return Err(RunError::TooManyPasses { block: block.name(), max_passes: self.limits.max_passes });
            }
            if pass == least {
                cycle = Some(CycleSearch::new(&self.states, 1));
            }
            let entering = self.states.clone();
            if here.trails.len() < pass {
                here.trails.push(untrodden(&block.body, first));
            }
            let mut pieces: Vec<Piece<'_>> = Vec::new();
            for (passes, cells) in earlier {
                let at_rest = passes.at_rest(cells.clone());
                pieces
                    .extend(at_rest.filter_map(|(rest, cells)| Some((trail(&passes.trails, rest.min(pass))?, cells))));
            }
            let at_rest: Vec<_> = here.at_rest(0..first).filter(|(rest, _)| *rest < pass).collect();
            let Some((this, others)) = here.trails.get_mut(..pass).and_then(<[_]>::split_last_mut) else { break };
            pieces.extend(at_rest.into_iter().filter_map(|(rest, cells)| Some((trail(others, rest)?, cells))));
            let rests = earlier.iter().map(|(passes, _)| passes.rests.len()).sum::<usize>() + here.rests.len();
            self.meter.worked(Self::PASS * (4 + rests) + self.states.len())?;
            self.pass.push(pass);
            self.steps(&block.body, &pieces, this)?;
            self.pass.pop();
            if pass < least {
                continue;
            }
            let ended = match &block.repeat.until {
                Until::NoChange => self.states == entering,
                Until::Conditions(_) if before.is_some() => true,
                Until::Conditions(_) => self.some_pair_satisfies(&block.until)?,
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

    /// Whether the conditions hold for some pair of the wave's cells, or without `n` for some cell.
    fn some_pair_satisfies(&mut self, asked: &Asked<'_>) -> Result<bool, RunError> {
        let Self { values, meter, states, width, wanted, .. } = self;
        let mut cells = Past::default();
        for (cell, state) in states.chunks_exact(*width).enumerate() {
            meter.passed(Self::PASS)?;
            cells.add(asked, &[], values, cell, state);
        }
        for (cell, state) in states.chunks_exact(*width).enumerate() {
            meter.passed(Self::PASS)?;
            let sees = if asked.binds_n() { 0..states.len() } else { cell..cell + 1 };
            if asked.of_updated(values, state, wanted) && cells.find(&sees, wanted, Select::Leftmost, meter)?.is_some()
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn trail(trails: &[Vec<Trail>], pass: usize) -> Option<&[Trail]> {
    trails.get(pass.checked_sub(1)?).map(Vec::as_slice)
}

/// Looks in one piece of trail after the other.
fn first_found<'t>(
    pieces: impl Iterator<Item = (&'t Past, Range<usize>)>,
    wanted: &[Wanted],
    select: Select,
    meter: &mut Meter<'_>,
) -> Result<Option<(&'t Past, usize)>, RunError> {
    for (past, cells) in pieces {
        if let Some(index) = past.find(&cells, wanted, select, meter)? {
            return Ok(Some((past, index)));
        }
    }
    Ok(None)
}
