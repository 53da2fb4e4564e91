//! A program in the forms that the machines read.

use psl_syntax::program::Program;

use crate::compile::compile;
use crate::full_dat::FullDat;
use crate::input::{InputError, Options, Registers, Task};
use crate::machine::{Machine, MachineKind, Observer, Run, RunError};
use crate::psm::Psm;
use crate::qkvl;
use crate::qkvm::Qkvm;
use crate::verify::{VerifyError, verify};
use crate::weights::weights;

/// A program, ready to run on any machine.
#[derive(Clone, Debug)]
pub struct Executable {
    /// What the PSM reads.
    pub program: Program,
    /// What the QKVM reads, and what the weights are made from.
    pub qkvl: qkvl::Program,
    /// The registers of the cells' states.
    pub registers: Registers,
}

impl Executable {
    /// Compiles a program. It should have no errors: productions with one are left out, and layers are numbered without them.
    pub fn new(program: Program) -> Self {
        let qkvl = compile(&program);
        let registers = Registers::from(&program);
        Self { program, qkvl, registers }
    }

    /// The run of a plain prompt.
    pub fn task(&self, symbols: &[&str], options: &Options) -> Result<Task, InputError> {
        let constants: Vec<&str> = self.program.constants.iter().map(|constant| constant.value.as_str()).collect();
        Task::new(&self.registers, &constants, symbols, options)
    }

    /// The label of each layer: entry i is that of layer i + 1.
    pub fn labels(&self) -> Vec<Option<String>> {
        self.qkvl.layers().into_iter().map(|layer| layer.layer_comment.clone()).collect()
    }

    /// Runs a task on one machine. The DAT's weights are made here, for the task's vocabulary.
    pub fn run(&self, kind: MachineKind, task: &Task, observer: Option<Observer<'_>>) -> Result<Run, RunError> {
        let Task { vocabulary, input, limits } = task;
        match kind {
            MachineKind::Psm => Psm::new(&self.program, vocabulary).run(input, limits, observer),
            MachineKind::Qkvm => Qkvm::new(&self.qkvl, vocabulary).run(input, limits, observer),
            MachineKind::Dat | MachineKind::FullDat => {
                FullDat::new(&weights(&self.qkvl, vocabulary)).run(input, limits, observer)
            }
        }
    }

    /// Runs a task on all machines and compares every cell of every layer.
    pub fn verify(&self, task: &Task) -> Result<Run, VerifyError> {
        verify(|kind, observer| self.run(kind, task, Some(observer)))
    }
}
