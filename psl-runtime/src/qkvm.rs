//! The query-key-value machine: runs QKVL on symbolic structures (62)-(63).
//!
//! Every layer, in every pass of a repeat block, keeps the keys and values of the cells that have passed it. A new cell
//! adds its own, and can attend to all of them. A pass that the earlier cells did not need starts from a copy of their
//! last pass.

mod attributes;
mod cells;
mod cycle;
mod forward;
mod keys;
mod matching;
mod node_cache;
mod nodes;

use crate::{
    input::{Input, Registers},
    limits::Limits,
    machine::{Machine, Observer, Run, Stopped},
    qkvl,
    run_error::RunError,
    vocabulary::Vocabulary,
};
use attributes::{Lookup, Shifts};
use cells::Cells;
use forward::QkvmForward;
use node_cache::empty_caches;
use nodes::{Node, nodes};

/// The query-key-value machine.
#[derive(Debug)]
pub struct Qkvm<'p> {
    nodes: Vec<Node<'p>>,
    shifts: Shifts<'p>,
    /// The number of registers that hold state.
    width: usize,
    position: Option<usize>,
    output: Option<usize>,
}

impl<'p> Qkvm<'p> {
    /// Loads a program. Names that are not in its `register_map` read as null.
    pub fn new(program: &'p qkvl::Program, vocabulary: &'p Vocabulary) -> Self {
        let Registers { short, roles, .. } = Registers::from(program);
        let lookup = Lookup::new(&short, vocabulary);
        Self {
            nodes: nodes(&program.weights, &lookup),
            shifts: Shifts::new(vocabulary),
            width: short.len(),
            position: roles.position.map(|register| register.0 as usize),
            output: roles.output.map(|register| register.0 as usize),
        }
    }
}

impl Machine for Qkvm<'_> {
    fn run(&self, input: &Input, limits: &Limits, observer: Option<Observer<'_>>) -> Result<Run, RunError> {
        let mut entering = Cells::new(self.width, &input.cells);
        let mut finished = Cells::new(self.width, &[]);
        let mut caches = empty_caches(&self.nodes);
        let mut forward = QkvmForward::new(&self.shifts, limits, observer);
        let mut output = Vec::new();
        loop {
            if limits.recompute {
                finished.clear();
                forward.reset();
                caches = empty_caches(&self.nodes);
            }
            let new = entering.from(finished.len());
            finished.append(forward.run_new_cells(&self.nodes, &mut caches, finished.len(), new)?);
            let stopped = |output, stopped| Ok(Run { output, stopped, states: finished.to_states() });
            if output.len() >= limits.max_new {
                return stopped(output, Stopped::MaxNew);
            }
            let Some(mut last) = finished.last() else { return stopped(output, Stopped::MaxNew) };
            let symbol = self.output.and_then(|register| last.get(register).copied().flatten());
            output.push(symbol);
            if symbol.is_some() && symbol == limits.stop {
                return stopped(output, Stopped::StopSymbol);
            }
            if output.len() >= limits.max_new {
                return stopped(output, Stopped::MaxNew);
            }
            if let Some(position) = self.position.and_then(|register| last.get_mut(register)) {
                *position = self.shifts.position(finished.len() + 1);
            }
            entering.push(&last);
        }
    }
}
