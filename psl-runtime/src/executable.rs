//! A program in the forms that the machines read.

use std::{borrow::Cow, sync::OnceLock};

use indexmap::IndexSet;
use psl_syntax::{
    Span,
    program::{Constant, Program},
};

use crate::{
    changes::Change,
    compile::compile,
    dat::{Dat, Maps},
    decompile::{self, DecompileError},
    full_dat::{Embedding, FullDat},
    heads::HeadPlace,
    input::{Cell, InputError, Options, Registers, Task, held},
    layers::{self, Layers, constants},
    machine::{Machine, MachineKind, Observer, Run, Stopped},
    psm::Psm,
    qkvl,
    qkvm::Qkvm,
    run_error::RunError,
    verify::{Verified, VerifyError, verify},
    vocabulary::{ValueId, Vocabularies, Vocabulary},
    weights::{self, Weights, file::Model, weights},
};

/// A program, ready to run on any machine.
#[derive(Clone, Debug)]
pub struct Executable {
    /// The program that the PSM runs.
    pub program: Program,
    /// The registers of the cells' states.
    pub registers: Registers,
    qkvl: OnceLock<qkvl::Program>,
    loaded: Loaded,
    vocabularies: Vocabularies,
}

/// The form that a program was loaded in, which decides what the machines can run. If `maps` is `None`, no program has
/// these weights, and the DAT runs them by the full arithmetic.
#[derive(Clone, Debug)]
enum Loaded {
    /// A PSL program, which every machine runs.
    Psl { layers: Layers, maps: Option<Maps> },
    /// QKVL, which the PSM can run unless it failed to decompile.
    Qkvl { maps: Option<Maps>, error: Option<DecompileError> },
    /// Weights with their vocabulary, which the DATs run unchanged.
    Weights { model: Box<Model>, maps: Option<Maps>, lacks: Option<Lack> },
}

/// The form that weights could not be converted to.
#[derive(Clone, Debug)]
enum Lack {
    /// Neither QKVL nor PSL.
    Qkvl(DecompileError),
    /// QKVL, but not PSL.
    Psl(DecompileError),
}

impl Executable {
    /// Compiles a program without errors. Productions with an error are left out, and layers are numbered without them.
    pub fn new(program: Program) -> Self {
        let qkvl = compile(&program);
        let (layers, maps) = layers::of_program(&program, &qkvl).unzip();
        let registers = Registers::from(&program);
        let loaded = Loaded::Psl { layers: layers.unwrap_or_default(), maps };
        Self { program, qkvl: qkvl.into(), registers, loaded, vocabularies: Vocabularies::default() }
    }

    /// Compiles a program that differs from this one in few productions, and shares the layers of the others. The
    /// result is the same as that of [`Executable::new`].
    #[must_use]
    pub fn changed(&self, program: Program) -> Self {
        let Loaded::Psl { layers, .. } = &self.loaded else { return Self::new(program) };
        let Some((layers, maps)) = layers::of_changed(&program, &self.program, layers) else {
            return Self::new(program);
        };
        Self {
            program,
            qkvl: OnceLock::new(),
            registers: self.registers.clone(),
            loaded: Loaded::Psl { layers, maps: Some(maps) },
            vocabularies: self.vocabularies.clone(),
        }
    }

    /// The program that the QKVM runs and that the weights are made from.
    pub fn qkvl(&self) -> &qkvl::Program {
        self.qkvl.get_or_init(|| compile(&self.program))
    }

    /// Loads QKVL. The PSM runs the program that it decompiles to.
    pub fn of_qkvl(qkvl: qkvl::Program) -> Self {
        let (program, error) = psl(&qkvl);
        let registers = Registers::from(&qkvl);
        let maps = layers::maps(&qkvl, &constants(&program));
        let loaded = Loaded::Qkvl { maps, error };
        Self { program, qkvl: qkvl.into(), registers, loaded, vocabularies: Vocabularies::default() }
    }

    /// Loads weights. The DATs run the weights themselves. The other machines run the program that the weights convert
    /// back to.
    pub fn of_weights(model: Model) -> Self {
        let (program, qkvl, lacks) = match weights::program::program(&model) {
            Ok(qkvl) => {
                let (program, error) = psl(&qkvl);
                (program, qkvl, error.map(Lack::Psl))
            }
            Err(not_qkvl) => (Program::default(), model.names.clone(), Some(Lack::Qkvl(not_qkvl))),
        };
        let registers = Registers::from(&qkvl);
        // A prompt adds nothing to the vocabulary of weights.
        let maps = Maps::new(&model.weights, &[]).ok();
        let loaded = Loaded::Weights { model: Box::new(model), maps, lacks };
        Self { program, qkvl: qkvl.into(), registers, loaded, vocabularies: Vocabularies::default() }
    }

    /// The reason why a machine cannot run it, or `None` if it can.
    pub fn why_not_on(&self, kind: MachineKind) -> Option<&DecompileError> {
        match (kind, &self.loaded) {
            (MachineKind::Psm, Loaded::Qkvl { error, .. }) => error.as_ref(),
            (MachineKind::Psm, Loaded::Weights { lacks: Some(Lack::Qkvl(reason) | Lack::Psl(reason)), .. })
            | (MachineKind::Qkvm, Loaded::Weights { lacks: Some(Lack::Qkvl(reason)), .. }) => Some(reason),
            _ => None,
        }
    }

    /// The task for a plain prompt.
    ///
    /// # Errors
    ///
    /// A prompt that is empty or, with its continuation, has too many cells. For loaded weights, a value or a position
    /// outside their vocabulary.
    pub fn task(&self, symbols: &[&str], options: &Options) -> Result<Task, InputError> {
        self.structured_task(&self.registers.cells(symbols), options)
    }

    /// The task for a structured prompt.
    ///
    /// # Errors
    ///
    /// A prompt that is empty, sets the position or, with its continuation, has too many cells. For loaded weights, a
    /// value or a position outside their vocabulary.
    pub fn structured_task(&self, cells: &[Cell<'_>], options: &Options) -> Result<Task, InputError> {
        match self.model() {
            None => {
                let vocabulary = |last| self.vocabularies.with_positions(last, || constants(&self.program));
                Task::growing(&self.registers, vocabulary, cells, options)
            }
            Some(model) => Task::within(&self.registers, &model.vocabulary, cells, options),
        }
    }

    /// The given values that the vocabulary of loaded weights lacks, without duplicates. A program lacks none.
    pub fn unknown<'t>(&self, values: &[&'t str]) -> Vec<&'t str> {
        self.model().map(|model| model.vocabulary.unknown(values)).unwrap_or_default()
    }

    /// The largest position of loaded weights; `None` for a program, whose positions follow the prompt.
    pub fn last_position(&self) -> Option<usize> {
        self.model().map(|model| model.vocabulary.positions().len().saturating_sub(1))
    }

    /// The place of each production, in program order. Empty if every layer has one head.
    pub fn heads(&self) -> Vec<HeadPlace> {
        match self.model() {
            None => self.qkvl().heads(),
            Some(model) => model.weights.heads(),
        }
    }

    /// The label of each production, in program order.
    pub fn labels(&self) -> Vec<Option<String>> {
        match self.model() {
            None => self.qkvl().layers().into_iter().map(|layer| layer.layer_comment.clone()).collect(),
            Some(model) => model.weights.labels(),
        }
    }

    /// Runs a task on one machine. For the full arithmetic, the weights are made here, for the task's vocabulary.
    ///
    /// # Errors
    ///
    /// A repeat block that never ends or takes too many passes, a run that exceeds the task's limits, or a cancelled
    /// run.
    pub fn run(&self, kind: MachineKind, task: &Task, observer: Option<Observer<'_>>) -> Result<Run, RunError> {
        let Task { vocabulary, input, limits, .. } = task;
        let run = match (kind, self.maps()) {
            (MachineKind::Psm, _) => Psm::new(&self.program, vocabulary).run(input, limits, observer),
            (MachineKind::Qkvm, _) => Qkvm::new(self.qkvl(), vocabulary).run(input, limits, observer),
            (MachineKind::Dat, Some(maps)) => Dat::new(maps, vocabulary.positions()).run(input, limits, observer),
            (MachineKind::Dat | MachineKind::FullDat, _) => {
                FullDat::new(&self.weights(vocabulary), limits)?.run(input, limits, observer)
            }
        };
        run.map(|run| answered(task, run))
    }

    /// Runs a task on the DAT, and passes each symbol of the continuation or row to `accept`, which ends the run by
    /// returning false. Returns the work of the run, in comparisons as [`Limits::max_work`](crate::Limits::max_work)
    /// counts them.
    /// `None` if no program has the loaded weights, which only the full arithmetic runs.
    ///
    /// # Errors
    ///
    /// A repeat block that never ends or takes too many passes, a run that exceeds the task's limits, or a cancelled
    /// run.
    pub fn generate(&self, task: &Task, accept: impl FnMut(Option<ValueId>) -> bool) -> Option<Result<u64, RunError>> {
        let Task { vocabulary, input, limits, .. } = task;
        Some(Dat::new(self.maps()?, vocabulary.positions()).generate(input, limits, task.answer, accept))
    }

    /// Runs a task with changed registers: see [`Psm::run_changed`]. Only the PSM supports changes. The other machines
    /// would agree, as they do on every run.
    ///
    /// # Errors
    ///
    /// A repeat block that never ends or takes too many passes, a run that exceeds the task's limits, or a cancelled
    /// run.
    pub fn run_changed(
        &self,
        task: &Task,
        changes: &[Change],
        observer: Option<Observer<'_>>,
    ) -> Result<(Run, Vec<usize>), RunError> {
        let Task { vocabulary, input, limits, .. } = task;
        let (run, unreached) = Psm::new(&self.program, vocabulary).run_changed(input, limits, changes, observer)?;
        Ok((answered(task, run), unreached))
    }

    /// Runs a task on the DAT in an embedding, by the full arithmetic.
    ///
    /// # Errors
    ///
    /// A repeat block that never ends or takes too many passes, a run that exceeds the task's limits, a cancelled run,
    /// or dense vectors of more than [`FullDat::MAX_DENSE`] components.
    pub fn run_embedded(
        &self,
        embedding: Embedding,
        task: &Task,
        observer: Option<Observer<'_>>,
    ) -> Result<Run, RunError> {
        let Task { vocabulary, input, limits, .. } = task;
        let run = FullDat::embedded(&self.weights(vocabulary), embedding, limits)?.run(input, limits, observer)?;
        Ok(answered(task, run))
    }

    /// The loaded weights, or `None` for another source.
    pub fn model(&self) -> Option<&Model> {
        match &self.loaded {
            Loaded::Weights { model, .. } => Some(model),
            Loaded::Psl { .. } | Loaded::Qkvl { .. } => None,
        }
    }

    fn maps(&self) -> Option<&Maps> {
        match &self.loaded {
            Loaded::Psl { maps, .. } | Loaded::Qkvl { maps, .. } | Loaded::Weights { maps, .. } => maps.as_ref(),
        }
    }

    /// The loaded weights, or those of the program for a vocabulary.
    pub fn weights(&self, vocabulary: &Vocabulary) -> Cow<'_, Weights> {
        match self.model() {
            Some(model) => Cow::Borrowed(&model.weights),
            None => Cow::Owned(weights(self.qkvl(), vocabulary)),
        }
    }

    /// Runs a task on all machines and compares every cell of every layer.
    ///
    /// # Errors
    ///
    /// An error that all machines return, a limit that one of them exceeds, or the first difference between two of
    /// them.
    pub fn verify(&self, task: &Task) -> Result<Verified, VerifyError> {
        verify(|kind, observer| self.run(kind, task, observer))
    }
}

/// A run with its row in place of a continuation, if that is the result.
fn answered(task: &Task, run: Run) -> Run {
    let Some(register) = task.answer else { return run };
    let output = run.states.iter().map(|state| held(state, register)).collect();
    Run { output, stopped: Stopped::PromptPass, ..run }
}

/// The program that compiles to some QKVL. If there is none, a program with only the constants, and the reason.
fn psl(qkvl: &qkvl::Program) -> (Program, Option<DecompileError>) {
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
