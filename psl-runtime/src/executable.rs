//! A program in the forms that the machines read.

use psl_syntax::program::Program;

use crate::compile::compile;
use crate::dat::{Dat, Maps};
use crate::full_dat::{Embedding, FullDat};
use crate::input::{Cell, InputError, Options, Registers, Task};
use crate::machine::{Machine, MachineKind, Observer, Run, RunError};
use crate::psm::Psm;
use crate::qkvl;
use crate::qkvm::Qkvm;
use crate::verify::{VerifyError, verify};
use crate::vocabulary::Vocabulary;
use crate::weights::weights;

/// A program, ready to run on any machine.
#[derive(Clone, Debug)]
pub struct Executable {
    /// What the PSM reads.
    pub program: Program,
    /// What the QKVM reads, and what the weights are made from.
    pub qkvl: qkvl::Program,
    /// What the DAT reads; none where the weights are no program's.
    maps: Option<Maps>,
    /// The registers of the cells' states.
    pub registers: Registers,
}

impl Executable {
    /// Compiles a program. It should have no errors: productions with one are left out, and layers are numbered without them.
    pub fn new(program: Program) -> Self {
        let qkvl = compile(&program);
        let registers = Registers::from(&program);
        let maps = maps(&qkvl, &constants(&program));
        Self { program, qkvl, maps, registers }
    }

    /// The run of a plain prompt.
    pub fn task(&self, symbols: &[&str], options: &Options) -> Result<Task, InputError> {
        Task::new(&self.registers, &constants(&self.program), symbols, options)
    }

    /// The run of a structured prompt.
    pub fn structured_task(&self, cells: &[Cell<'_>], options: &Options) -> Result<Task, InputError> {
        Task::structured(&self.registers, &constants(&self.program), cells, options)
    }

    /// The label of each layer: entry i is that of layer i + 1.
    pub fn labels(&self) -> Vec<Option<String>> {
        self.qkvl.layers().into_iter().map(|layer| layer.layer_comment.clone()).collect()
    }

    /// Runs a task on one machine. The full arithmetic's weights are made here, for the task's vocabulary.
    pub fn run(&self, kind: MachineKind, task: &Task, observer: Option<Observer<'_>>) -> Result<Run, RunError> {
        let Task { vocabulary, input, limits } = task;
        match (kind, &self.maps) {
            (MachineKind::Psm, _) => Psm::new(&self.program, vocabulary).run(input, limits, observer),
            (MachineKind::Qkvm, _) => Qkvm::new(&self.qkvl, vocabulary).run(input, limits, observer),
            (MachineKind::Dat, Some(maps)) => Dat::new(maps, vocabulary.positions()).run(input, limits, observer),
            (MachineKind::Dat | MachineKind::FullDat, _) => {
                FullDat::new(&weights(&self.qkvl, vocabulary)).run(input, limits, observer)
            }
        }
    }

    /// Runs a task on the DAT in an embedding, by the arithmetic in full.
    pub fn run_embedded(
        &self,
        embedding: Embedding,
        task: &Task,
        observer: Option<Observer<'_>>,
    ) -> Result<Run, RunError> {
        let Task { vocabulary, input, limits } = task;
        FullDat::embedded(&weights(&self.qkvl, vocabulary), embedding)?.run(input, limits, observer)
    }

    /// Runs a task on all machines and compares every cell of every layer.
    pub fn verify(&self, task: &Task) -> Result<Run, VerifyError> {
        verify(|kind, observer| self.run(kind, task, observer))
    }
}

fn constants(program: &Program) -> Vec<&str> {
    program.constants.iter().map(|constant| constant.value.as_str()).collect()
}

/// The maps of the program's weights, which are the same for every vocabulary that starts with these constants.
fn maps(qkvl: &qkvl::Program, constants: &[&str]) -> Option<Maps> {
    // With more values than constants, all but some of them are told from some.
    Maps::new(&weights(qkvl, &Vocabulary::new(constants, &[], constants.len()))).ok()
}
