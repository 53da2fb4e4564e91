//! The production system machine: runs the resolved program directly (33)-(34).
//!
//! Cells come in forward steps: the prompt's cells together, then each generated cell alone. At every layer and pass, a
//! cell caches what the layer needs from it in later steps. The caches have the structure of the program.

mod conditions;
mod cycle;
mod forward_step;
mod nodes;
mod search;
mod tester;

use psl_syntax::{
    index::at,
    program::{Program, RegisterId},
};

use crate::{
    changes::Change,
    input::{Input, held},
    limits::Limits,
    machine::{Machine, Observer, Run, Stopped},
    run_error::RunError,
    vocabulary::{ValueId, Vocabulary},
};
use conditions::Values;
use forward_step::{PsmForward, empty_caches};
use nodes::{Node, nodes};
pub use tester::{ConditionResult, Right, Tester};

/// The production system machine.
#[derive(Debug)]
pub struct Psm<'p> {
    program: &'p Program,
    nodes: Vec<Node<'p>>,
    values: Values,
    positions: &'p [ValueId],
}

impl<'p> Psm<'p> {
    /// Loads a program. Productions with errors are left out.
    pub fn new(program: &'p Program, vocabulary: &'p Vocabulary) -> Self {
        let nodes = nodes(&program.statements);
        Self { program, nodes, values: Values::new(program, vocabulary), positions: vocabulary.positions() }
    }

    /// Runs with changed registers, as if the states at those times had been the changed ones. Also returns the indices
    /// of the changes that have no effect because the run never reaches their cells, layers and passes.
    ///
    /// # Errors
    ///
    /// The errors of [`Machine::run`].
    pub fn run_changed(
        &self,
        input: &Input,
        limits: &Limits,
        changes: &[Change],
        observer: Option<Observer<'_>>,
    ) -> Result<(Run, Vec<usize>), RunError> {
        let width = self.program.registers.len().max(1);
        let mut entering: Vec<Option<ValueId>> = Vec::with_capacity(2 * input.cells.len() * width);
        for cell in &input.cells {
            entering.extend((0..width).map(|register| cell.get(register).copied().flatten()));
        }
        let mut finished: Vec<Option<ValueId>> = Vec::new();
        let mut caches = empty_caches(&self.nodes, 0);
        let mut output = Vec::new();
        let mut forward = PsmForward::new(&self.values, width, limits, changes, observer);
        let stopped = loop {
            if limits.recompute {
                finished.clear();
                caches = empty_caches(&self.nodes, 0);
                forward.reset();
            }
            let new = at(&entering, finished.len()..);
            finished.extend_from_slice(forward.update_cells(&self.nodes, &mut caches, new)?);
            let last = finished.rchunks_exact(width).next();
            let Some(last) = last.filter(|_| output.len() < limits.max_new) else { break Stopped::MaxNew };
            let symbol = self.program.roles.output.and_then(|register| held(last, register));
            output.push(symbol);
            if symbol.is_some() && symbol == limits.stop {
                break Stopped::StopSymbol;
            }
            if output.len() == limits.max_new {
                break Stopped::MaxNew;
            }
            // A generated cell starts with its predecessor's final state and its own position (34).
            let number = finished.len() / width + 1;
            entering.extend_from_slice(last);
            let start = entering.len() - width;
            let position = self.program.roles.position.map(|RegisterId(register)| start + register as usize);
            if let Some(slot) = position.and_then(|place| entering.get_mut(place)) {
                *slot = self.positions.get(number).copied();
            }
        };
        let registers = self.program.registers.len();
        let states = finished.chunks_exact(width).map(|cell| cell.iter().take(registers).copied().collect());
        let run = Run { output, stopped, states: states.collect() };
        Ok((run, forward.unreached()))
    }
}

impl Machine for Psm<'_> {
    fn run(&self, input: &Input, limits: &Limits, observer: Option<Observer<'_>>) -> Result<Run, RunError> {
        self.run_changed(input, limits, &[], observer).map(|(run, _)| run)
    }
}
