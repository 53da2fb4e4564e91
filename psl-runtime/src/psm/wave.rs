//! A wave of cells on its way through layers and repeat blocks.

use std::rc::Rc;

use psl_syntax::program::{CausalAttn, Condition, Production, RegisterId, Repeat, Select, Until};

use super::conditions::{Pair, Values};
use super::{CellState, Step};
use crate::limits::{Limits, Meter};
use crate::machine::{BlockName, Cycle, Observer, RunError, Turning};
use crate::trace::Update;
use crate::vocabulary::ValueId;

/// What later cells read of a cell at one statement.
#[derive(Debug)]
pub(super) enum Record {
    /// The state in which it entered the layer.
    Layer(CellState),
    /// Its passes through the block.
    Block(Vec<Pass>),
}

#[derive(Debug)]
pub(super) struct Pass {
    /// One record a statement of the block.
    records: Vec<Record>,
    /// The state after the pass.
    after: CellState,
}

impl Record {
    fn entered(&self) -> Option<&CellState> {
        match self {
            Self::Layer(state) => Some(state),
            Self::Block(_) => None,
        }
    }

    fn passes(&self) -> &[Pass] {
        match self {
            Self::Layer(_) => &[],
            Self::Block(passes) => passes,
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
    /// The wave's cells, as they are now.
    states: Vec<CellState>,
}

impl<'r, 'o> Wave<'r, 'o> {
    pub(super) fn new(values: &'r Values, limits: &'r Limits, observer: Option<Observer<'o>>) -> Self {
        Self { values, limits, meter: Meter::new(limits), observer, step: 0, pass: Vec::new(), states: Vec::new() }
    }

    /// There are no earlier cells any more.
    pub(super) fn forget(&mut self) {
        self.meter.forget();
    }

    /// Takes new cells through the program; gives their last states and their records.
    pub(super) fn run(
        &mut self,
        steps: &[Step<'_>],
        earlier: &[&[Record]],
        entering: &[CellState],
    ) -> Result<(Vec<CellState>, Vec<Vec<Record>>), RunError> {
        self.states = entering.to_vec();
        let records = self.steps(steps, earlier)?;
        self.step += 1;
        Ok((std::mem::take(&mut self.states), records))
    }

    /// `earlier` has each earlier cell's records of these steps; gives the wave's.
    fn steps(&mut self, steps: &[Step<'_>], earlier: &[&[Record]]) -> Result<Vec<Vec<Record>>, RunError> {
        let mut records: Vec<Vec<Record>> = self.states.iter().map(|_| Vec::with_capacity(steps.len())).collect();
        for (index, step) in steps.iter().enumerate() {
            let earlier: Vec<&Record> = earlier.iter().filter_map(|records| records.get(index)).collect();
            let new: Vec<Record> = match step {
                Step::Layer { number, production } => {
                    let inputs: Vec<CellState> =
                        earlier.iter().filter_map(|record| record.entered()).chain(&self.states).cloned().collect();
                    self.layer(*number, production, &inputs)?;
                    inputs.into_iter().skip(earlier.len()).map(Record::Layer).collect()
                }
                Step::Block { number, repeat, body } => {
                    let earlier: Vec<&[Pass]> = earlier.iter().map(|record| record.passes()).collect();
                    let name = || BlockName { number: *number, label: repeat.label.clone() };
                    self.block(name, repeat, body, &earlier)?.into_iter().map(Record::Block).collect()
                }
            };
            for (records, record) in records.iter_mut().zip(new) {
                records.push(record);
            }
        }
        Ok(records)
    }

    /// One layer for all cells of the wave; `inputs` are the states in which the cells enter it, earlier ones first.
    fn layer(&mut self, number: usize, production: &Production, inputs: &[CellState]) -> Result<(), RunError> {
        let compared = if production.binds_n() { inputs.len() } else { 1 };
        self.meter.layer(self.states.len(), compared)?;
        self.meter.keep(self.states.len())?;
        let first = inputs.len() - self.states.len();
        for (updated, state) in (first..).zip(&mut self.states) {
            let attends = attended(self.values, production, updated, inputs);
            let mut set = Vec::new();
            if let (Some(source), Some(input)) = (attends.and_then(|n| inputs.get(n)), inputs.get(updated)) {
                let pair = Pair { source, updated: input };
                for assignment in &production.assignments {
                    let RegisterId(register) = assignment.target;
                    if let Some(value) = self.values.of(assignment.source, pair) {
                        set.push((register as usize, value));
                    }
                }
            }
            if write(state, &set) {
                self.meter.keep(state.len())?;
            }
            if let Some(observer) = &mut self.observer {
                observer(&Update {
                    step: self.step,
                    layer: number,
                    pass: self.pass.clone(),
                    cell: updated + 1,
                    attends: attends.map(|n| n + 1),
                    set,
                    state: state.to_vec(),
                });
            }
        }
        Ok(())
    }

    /// Runs a block until it ends; `earlier` has the earlier cells' passes, and so are the wave's that it gives.
    fn block(
        &mut self,
        name: impl Fn() -> BlockName,
        repeat: &Repeat,
        body: &[Step<'_>],
        earlier: &[&[Pass]],
    ) -> Result<Vec<Vec<Pass>>, RunError> {
        let least = earlier.iter().map(|passes| passes.len()).max().unwrap_or_default().max(1);
        let mut passes: Vec<Vec<Pass>> = self.states.iter().map(|_| Vec::new()).collect();
        let mut cycle = CycleSearch::new(&self.states, 1);
        for pass in 1.. {
            if pass > self.limits.max_passes {
                return Err(RunError::TooManyPasses { block: name(), max_passes: self.limits.max_passes });
            }
            if pass == least {
                cycle = CycleSearch::new(&self.states, 1);
            }
            let before = self.states.clone();
            let clamped: Vec<&Pass> = earlier.iter().filter_map(|own| own.get(pass - 1).or(own.last())).collect();
            let earlier_records: Vec<&[Record]> = clamped.iter().map(|pass| pass.records.as_slice()).collect();
            self.pass.push(pass);
            let records = self.steps(body, &earlier_records)?;
            self.pass.pop();
            for ((passes, records), after) in passes.iter_mut().zip(records).zip(&self.states) {
                passes.push(Pass { records, after: after.clone() });
            }
            let ended = match &repeat.until {
                Until::NoChange => self.states == before,
                Until::Conditions(conditions) => {
                    let rested = earlier.iter().filter_map(|own| own.last()).map(|pass| &pass.after);
                    let cells: Vec<&CellState> = rested.chain(&self.states).collect();
                    some_pair_satisfies(self.values, conditions, &cells)
                }
            };
            if pass < least {
                continue;
            }
            if ended {
                break;
            }
            let first = earlier.len();
            if let Some(cycle) = cycle.visit(&self.states, first) {
                return Err(RunError::Endless { block: name(), cycle });
            }
        }
        Ok(passes)
    }
}

/// The cell that cell `updated` attends to, counting from 0.
fn attended(values: &Values, production: &Production, updated: usize, inputs: &[CellState]) -> Option<usize> {
    let updated_state = inputs.get(updated)?;
    let matches = |n: &usize| {
        inputs.get(*n).is_some_and(|source| {
            let pair = Pair { source, updated: updated_state };
            production.conditions.iter().all(|condition| values.holds(condition, pair))
        })
    };
    let mut visible = if production.binds_n() {
        match production.causal_attn {
            Some(CausalAttn::True) => 0..updated + 1,
            Some(CausalAttn::Reverse) => updated..inputs.len(),
            Some(CausalAttn::False) | None => 0..inputs.len(),
        }
    } else {
        updated..updated + 1
    };
    match production.select {
        Select::Leftmost => visible.find(matches),
        Select::Rightmost => visible.rfind(matches),
    }
}

fn some_pair_satisfies(values: &Values, conditions: &[Condition], cells: &[&CellState]) -> bool {
    let holds = |source: &CellState, updated: &CellState| {
        conditions.iter().all(|condition| values.holds(condition, Pair { source, updated }))
    };
    if conditions.iter().any(Condition::mentions_n) {
        cells.iter().any(|updated| cells.iter().any(|source| holds(source, updated)))
    } else {
        cells.iter().any(|cell| holds(cell, cell))
    }
}

/// Whether that changed the state.
fn write(state: &mut CellState, set: &[(usize, ValueId)]) -> bool {
    let differs = |&(register, value): &(usize, ValueId)| state.get(register) != Some(&Some(value));
    let changes = set.iter().any(differs);
    if changes {
        let mut written = state.to_vec();
        for &(register, value) in set {
            if let Some(slot) = written.get_mut(register) {
                *slot = Some(value);
            }
        }
        *state = Rc::from(written);
    }
    changes
}

/// Looks for a state that comes back, from where on one pass follows from the other. Compares with one state kept, which it
/// replaces after 1, 2, 4, … passes, so that memory does not grow with the passes.
struct CycleSearch {
    kept: Vec<CellState>,
    passes: usize,
    patience: usize,
    /// By cell and register: what it held since, where that is more than one thing.
    seen: Vec<Vec<Vec<Option<ValueId>>>>,
}

impl CycleSearch {
    fn new(states: &[CellState], patience: usize) -> Self {
        let seen = states.iter().map(|state| vec![Vec::new(); state.len()]).collect();
        Self { kept: states.to_vec(), passes: 0, patience, seen }
    }

    /// Takes the states after a pass; `first` is the number of cells to their left.
    fn visit(&mut self, states: &[CellState], first: usize) -> Option<Cycle> {
        self.passes += 1;
        if self.kept == states {
            return Some(Cycle { passes: self.passes, turning: self.turning(first) });
        }
        for ((kept, state), seen) in self.kept.iter().zip(states).zip(&mut self.seen) {
            for ((was, is), seen) in kept.iter().zip(state.iter()).zip(seen) {
                if seen.is_empty() && was != is {
                    seen.push(*was);
                }
                if !seen.is_empty() && !seen.contains(is) {
                    seen.push(*is);
                }
            }
        }
        if self.passes == self.patience {
            *self = Self::new(states, 2 * self.patience);
        }
        None
    }

    fn turning(&self, first: usize) -> Vec<Turning> {
        let of_cell = |(cell, seen)| {
            let seen: &Vec<Vec<_>> = seen;
            let turning = seen.iter().enumerate().filter(|(_, values)| !values.is_empty());
            turning.map(move |(register, values)| Turning { cell, register, values: values.clone() })
        };
        (first + 1..).zip(&self.seen).flat_map(of_cell).collect()
    }
}
