//! A program in the forms that the machines read.

use std::borrow::Cow;

use indexmap::IndexSet;
use psl_syntax::Span;
use psl_syntax::program::{Constant, Program};

use crate::compile::compile;
use crate::dat::{Dat, Maps};
use crate::decompile::{self, NoPsl};
use crate::full_dat::{Embedding, FullDat};
use crate::input::{Cell, InputError, Options, Registers, Task};
use crate::machine::{Machine, MachineKind, Observer, Run};
use crate::psm::Psm;
use crate::qkvl;
use crate::qkvm::Qkvm;
use crate::run_error::RunError;
use crate::verify::{Verified, VerifyError, verify};
use crate::vocabulary::Vocabulary;
use crate::weights::file::Model;
use crate::weights::{self, Weights, weights};

/// A program, ready to run on any machine.
#[derive(Clone, Debug)]
pub struct Executable {
    /// What the PSM reads.
    pub program: Program,
    /// What the QKVM reads, and what the weights are made from.
    pub qkvl: qkvl::Program,
    /// The registers of the cells' states.
    pub registers: Registers,
    origin: Origin,
}

/// What a program was made from, which decides what the machines have to run. Without `maps` the weights belong to no
/// program, and the DAT runs them by the full arithmetic.
#[derive(Clone, Debug)]
enum Origin {
    /// A PSL program, which every machine runs.
    Psl { maps: Option<Maps> },
    /// QKVL; `not_psl` says why there is no program for the PSM.
    Qkvl { maps: Option<Maps>, not_psl: Option<NoPsl> },
    /// Weights with their vocabulary, which the DATs run as they are.
    Weights { model: Box<Model>, maps: Option<Maps>, lacks: Option<Lack> },
}

/// What weights could not be turned back into.
#[derive(Clone, Debug)]
enum Lack {
    /// Neither QKVL nor PSL.
    Qkvl(NoPsl),
    /// PSL, but QKVL.
    Psl(NoPsl),
}

impl Executable {
    /// Compiles a program. It should have no errors: productions with one are left out, and layers are numbered without them.
    pub fn new(program: Program) -> Self {
        let qkvl = compile(&program);
        let registers = Registers::from(&program);
        let maps = maps(&qkvl, &constants(&program));
        Self { program, qkvl, registers, origin: Origin::Psl { maps } }
    }

    /// Loads QKVL. The PSM runs the program that it is turned back into.
    pub fn of_qkvl(qkvl: qkvl::Program) -> Self {
        let (program, not_psl) = psl(&qkvl);
        let registers = Registers::from(&qkvl);
        let maps = maps(&qkvl, &constants(&program));
        Self { program, qkvl, registers, origin: Origin::Qkvl { maps, not_psl } }
    }

    /// Loads weights, which then are those that the DATs run. The other machines run the program that they are turned back
    /// into.
    pub fn of_weights(model: Model) -> Self {
        let (program, qkvl, lacks) = match weights::program::program(&model) {
            Ok(qkvl) => {
                let (program, not_psl) = psl(&qkvl);
                (program, qkvl, not_psl.map(Lack::Psl))
            }
            Err(not_qkvl) => (Program::default(), model.names.clone(), Some(Lack::Qkvl(not_qkvl))),
        };
        let registers = Registers::from(&qkvl);
        // No prompt adds to the vocabulary of weights.
        let maps = Maps::new(&model.weights, &[]).ok();
        Self { program, qkvl, registers, origin: Origin::Weights { model: Box::new(model), maps, lacks } }
    }

    /// Why a machine cannot run it.
    pub fn lacks(&self, kind: MachineKind) -> Option<&NoPsl> {
        match (kind, &self.origin) {
            (MachineKind::Psm, Origin::Qkvl { not_psl, .. }) => not_psl.as_ref(),
            (MachineKind::Psm, Origin::Weights { lacks: Some(Lack::Qkvl(reason) | Lack::Psl(reason)), .. })
            | (MachineKind::Qkvm, Origin::Weights { lacks: Some(Lack::Qkvl(reason)), .. }) => Some(reason),
            _ => None,
        }
    }

    /// The run of a plain prompt.
    ///
    /// # Errors
    ///
    /// An empty prompt, or one that with its continuation has too many cells; weights from elsewhere that lack a value or a
    /// position.
    pub fn task(&self, symbols: &[&str], options: &Options) -> Result<Task, InputError> {
        self.structured_task(&self.registers.cells(symbols), options)
    }

    /// The run of a structured prompt.
    ///
    /// # Errors
    ///
    /// A prompt that is empty, sets the position, or with its continuation has too many cells; weights from elsewhere that
    /// lack a value or a position.
    pub fn structured_task(&self, cells: &[Cell<'_>], options: &Options) -> Result<Task, InputError> {
        match self.model() {
            None => Task::structured(&self.registers, &constants(&self.program), cells, options),
            Some(model) => Task::within(&self.registers, &model.vocabulary, cells, options),
        }
    }

    /// The label of each layer: entry i is that of layer i + 1.
    pub fn labels(&self) -> Vec<Option<String>> {
        match self.model() {
            None => self.qkvl.layers().into_iter().map(|layer| layer.layer_comment.clone()).collect(),
            Some(model) => model.weights.labels(),
        }
    }

    /// Runs a task on one machine. The full arithmetic's weights are made here, for the task's vocabulary.
    ///
    /// # Errors
    ///
    /// A repeat block that never ends or takes too many passes, a run that goes past the task's limits, or one that is
    /// cancelled.
    pub fn run(&self, kind: MachineKind, task: &Task, observer: Option<Observer<'_>>) -> Result<Run, RunError> {
        let Task { vocabulary, input, limits } = task;
        match (kind, self.maps()) {
            (MachineKind::Psm, _) => Psm::new(&self.program, vocabulary).run(input, limits, observer),
            (MachineKind::Qkvm, _) => Qkvm::new(&self.qkvl, vocabulary).run(input, limits, observer),
            (MachineKind::Dat, Some(maps)) => Dat::new(maps, vocabulary.positions()).run(input, limits, observer),
            (MachineKind::Dat | MachineKind::FullDat, _) => {
                FullDat::new(&self.weights(vocabulary), limits)?.run(input, limits, observer)
            }
        }
    }

    /// Runs a task on the DAT in an embedding, by the arithmetic in full.
    ///
    /// # Errors
    ///
    /// A repeat block that never ends or takes too many passes, a run that goes past the task's limits, one that is
    /// cancelled, or dense vectors of more than [`FullDat::MAX_DENSE`] components.
    pub fn run_embedded(
        &self,
        embedding: Embedding,
        task: &Task,
        observer: Option<Observer<'_>>,
    ) -> Result<Run, RunError> {
        let Task { vocabulary, input, limits } = task;
        FullDat::embedded(&self.weights(vocabulary), embedding, limits)?.run(input, limits, observer)
    }

    /// Weights that came from elsewhere.
    fn model(&self) -> Option<&Model> {
        match &self.origin {
            Origin::Weights { model, .. } => Some(model),
            Origin::Psl { .. } | Origin::Qkvl { .. } => None,
        }
    }

    fn maps(&self) -> Option<&Maps> {
        match &self.origin {
            Origin::Psl { maps } | Origin::Qkvl { maps, .. } | Origin::Weights { maps, .. } => maps.as_ref(),
        }
    }

    fn weights(&self, vocabulary: &Vocabulary) -> Cow<'_, Weights> {
        match self.model() {
            Some(model) => Cow::Borrowed(&model.weights),
            None => Cow::Owned(weights(&self.qkvl, vocabulary)),
        }
    }

    /// Runs a task on all machines and compares every cell of every layer.
    ///
    /// # Errors
    ///
    /// What all machines report, a limit that one of them goes past, or the first place where two differ.
    pub fn verify(&self, task: &Task) -> Result<Verified, VerifyError> {
        verify(|kind, observer| self.run(kind, task, observer))
    }
}

/// The program that compiles to QKVL. Where there is none, why, and a program that has the constants alone.
fn psl(qkvl: &qkvl::Program) -> (Program, Option<NoPsl>) {
    match decompile::program(qkvl) {
        Ok(program) => (program, None),
        Err(reason) => {
            let constant = |value: &str| Constant { name: value.into(), value: value.into(), span: Span::default() };
            let distinct: IndexSet<&str> = qkvl.constants().into_iter().collect();
            let constants = distinct.into_iter().map(constant).collect();
            (Program { constants, ..Program::default() }, Some(reason))
        }
    }
}

fn constants(program: &Program) -> Vec<&str> {
    program.constants.iter().map(|constant| constant.value.as_str()).collect()
}

/// The maps of a program for the vocabulary of any prompt. `constants` have every value that it names.
///
/// They are read off the weights for one such vocabulary, and hold only what is the same in all of them:
/// - the components of constants, which come first in each;
/// - lists of constants and complements of lists, told apart by a value that the program cannot name: no list has it, every
///   complement does, and so it is with every value that another vocabulary adds;
/// - which blocks copy a register and which count its positions up or down: there are several positions here, and values
///   that are none, so that no two of these blocks are alike. Where the positions are each run says for itself.
fn maps(qkvl: &qkvl::Program, constants: &[&str]) -> Option<Maps> {
    // No position, and longer than all that have a name.
    let longest = constants.iter().map(|constant| constant.len()).max().unwrap_or_default();
    let unnamed = "?".repeat(longest.max(Vocabulary::EOP.len()) + 1);
    let vocabulary = Vocabulary::new(constants, &[&unnamed], 0);
    let unnamed: Vec<u32> = vocabulary.get(&unnamed).map(|value| value.0).into_iter().collect();
    Maps::new(&weights(qkvl, &vocabulary), &unnamed).ok()
}
