//! Runs programs on textual prompts, for `run`, `test`, `eval`, the demo and the server.

use std::{collections::BTreeSet, num::NonZeroUsize};

use psl_runtime::{
    Change, Continuation, Embedding, Executable, FailureCause, HeadPlace, LayerId, MachineKind, Observer, Options, Run,
    RunError, RunFailure, Task, Update, Verified, VerifyError, place_of, trace::TraceNames,
};
use psl_syntax::{
    Program, Span, plain_label,
    program::{ProductionId, RegisterId, TestCase},
    schedule::schedule,
};
use serde_json::Value;

use crate::{
    ranges::{NoLayer, Ranges},
    structured_prompt::StructuredPrompt,
    test_prompts::TestPrompts,
};

/// The message for a program whose runs show no states to compare.
pub const NO_LAYERS: &str = "nothing is verified: the program has no layers";

#[cfg(test)]
thread_local! {
    /// The number of runs that this thread began with [`Runner::complete`].
    pub(crate) static RUNS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// A compiled program that takes prompts as text.
pub struct Runner {
    executable: Executable,
    labels: Vec<Option<String>>,
    heads: Vec<HeadPlace>,
    stop: Option<String>,
    /// The name of the register of rows, for programs that do not name one.
    answer: Option<String>,
    prompts: TestPrompts,
    /// Whether the program's spans refer to a text of its author.
    located: bool,
}

impl Runner {
    /// Compiles a program without errors.
    pub fn new(program: &Program) -> Self {
        Self { located: true, ..Self::of(Executable::new(program.clone())) }
    }

    /// Creates a runner for a program without a text.
    pub fn of(executable: Executable) -> Self {
        let (labels, heads) = (executable.labels(), executable.heads());
        Self { executable, labels, heads, stop: None, answer: None, prompts: TestPrompts::default(), located: false }
    }

    /// Sets the stop symbol for programs that do not name one.
    #[must_use]
    pub fn with_stop(self, stop: Option<String>) -> Self {
        Self { stop, ..self }
    }

    /// Sets the register of rows for programs that do not name one, by its long name.
    #[must_use]
    pub fn with_answer(self, answer: Option<String>) -> Self {
        Self { answer, ..self }
    }

    /// Sets the structured prompts of the program's tests.
    #[must_use]
    pub fn with_prompts(self, prompts: TestPrompts) -> Self {
        Self { prompts, ..self }
    }

    /// The structured prompts of the program's tests.
    pub fn prompts(&self) -> &TestPrompts {
        &self.prompts
    }

    /// The compiled program.
    pub fn executable(&self) -> &Executable {
        &self.executable
    }

    /// Whether the program's spans refer to a text of its author.
    pub const fn is_located(&self) -> bool {
        self.located
    }

    /// The number of layers.
    pub fn layers(&self) -> usize {
        self.heads.last().map_or(self.labels.len(), |place| place.layer.number())
    }

    /// The number of productions.
    pub fn productions(&self) -> usize {
        self.labels.len()
    }

    /// The label of a production, without its comment mark.
    pub fn label(&self, production: ProductionId) -> Option<&str> {
        let label = plain_label(self.labels.get(production.index())?.as_deref()?);
        Some(label).filter(|label| !label.is_empty())
    }

    /// The layer of a production.
    pub fn layer_of(&self, production: ProductionId) -> LayerId {
        self.heads.get(production.index()).map_or(LayerId::new(production.index()), |place| place.layer)
    }

    /// The place of a production: `layer 3`, or `layer 2, head 1` if some layer has several heads.
    pub fn place_in_words(&self, production: ProductionId) -> String {
        place_of(production, &self.heads)
    }

    /// The productions of the chosen layers.
    ///
    /// # Errors
    ///
    /// Names a layer that the program lacks.
    pub fn chosen(&self, layers: &Ranges) -> Result<BTreeSet<ProductionId>, NoLayer> {
        let layers = layers.layers(self.layers())?;
        let is_chosen = |production: &ProductionId| layers.contains(&self.layer_of(*production));
        Ok(ProductionId::first(self.productions()).filter(is_chosen).collect())
    }

    /// The program, to be scheduled.
    ///
    /// # Errors
    ///
    /// Fails if it has no form in PSL, or if it has layers with several heads already.
    pub fn unscheduled(&self) -> Result<&Program, RunFailure> {
        if let Some(reason) = self.executable.why_not_on(MachineKind::Psm) {
            return Err(RunFailure::refused(format!("only programs with a form in PSL can be scheduled: {reason}")));
        }
        let program = &self.executable.program;
        if program.productions().iter().any(|production| production.shares_layer) {
            return Err(RunFailure::refused("its layers have several heads already"));
        }
        Ok(program)
    }

    /// The program with productions that do not affect each other as the heads of one layer: see
    /// [`psl_syntax::schedule`].
    ///
    /// # Errors
    ///
    /// The failures of [`Runner::unscheduled`].
    pub fn scheduled(&self, max_heads: Option<NonZeroUsize>) -> Result<Self, RunFailure> {
        let program = self.unscheduled()?;
        let executable = Executable::new(schedule(program, max_heads).apply(program));
        let (stop, answer, prompts) = (self.stop.clone(), self.answer.clone(), self.prompts.clone());
        Ok(Self { stop, answer, prompts, located: self.located, ..Self::of(executable) })
    }

    /// Fills in options that are not given: from the program's `//@ stop` and `//@ max-new`, then from the configured
    /// stop symbol.
    pub fn options(&self, given: &Options) -> Options {
        let own = Options::of(&self.executable.program);
        let stop = given.stop.clone().or(own.stop).or_else(|| self.stop.clone());
        let answer = given.answer.or(own.answer);
        Options { max_new: given.max_new.or(own.max_new), stop, answer, ..given.clone() }
    }

    /// The register of rows.
    pub(crate) fn answer(&self) -> Option<RegisterId> {
        let named = || self.answer.as_ref().and_then(|name| self.executable.registers.by_long(name));
        self.executable.program.answer.or_else(named)
    }

    /// Options for a row, if one is expected: the values of the program's `//@ answer`.
    ///
    /// # Errors
    ///
    /// Fails if a row is expected, and no register is named for it.
    pub fn expecting(&self, row: bool, options: Options) -> Result<Options, RunFailure> {
        match self.answer() {
            _ if !row => Ok(options),
            Some(register) => Ok(Options { answer: Some(register), ..options }),
            None => Err(RunFailure::refused(
                "no register answers in the cells of the prompt: name one, as in `//@ answer count`",
            )),
        }
    }

    /// Creates the run of a prompt, symbols separated by spaces, with the options of the program's directives.
    ///
    /// # Errors
    ///
    /// Fails if the program was loaded from weights that lack a symbol or a position of the prompt.
    pub fn task(&self, prompt: &str) -> Result<Task, RunFailure> {
        self.task_with(prompt, &self.options(&Options::default()))
    }

    /// Creates the run of a prompt, symbols separated by spaces, with these options.
    ///
    /// # Errors
    ///
    /// Fails if the program was loaded from weights that lack a symbol or a position of the prompt.
    pub fn task_with(&self, prompt: &str, options: &Options) -> Result<Task, RunFailure> {
        let symbols: Vec<&str> = prompt.split_whitespace().collect();
        Ok(self.executable.task(&symbols, options)?)
    }

    /// Creates the run of a structured prompt with these options.
    ///
    /// # Errors
    ///
    /// Fails if a cell names an unknown register or the same register twice, or if the program was loaded from weights
    /// that lack a value or a position.
    pub fn structured_task(&self, cells: &StructuredPrompt, options: &Options) -> Result<Task, RunFailure> {
        let cells = cells.resolve(&self.executable.registers)?;
        Ok(self.executable.structured_task(&cells, options)?)
    }

    /// Returns a note about undeclared parts of a structured prompt, if there are any.
    pub fn note(&self, cells: &StructuredPrompt) -> Option<String> {
        cells.undeclared(&self.executable.program).filter(|_| self.located)
    }

    /// Creates a run whose vocabulary is suitable for showing weights: of the first test that can run, otherwise of the
    /// symbol `x`.
    ///
    /// # Errors
    ///
    /// Fails if the program was loaded from weights that lack the symbol `x` and those of every test.
    pub fn example_task(&self) -> Result<Task, RunFailure> {
        let tests = &self.executable.program.tests;
        let first = tests.iter().find_map(|test| self.test_task(test).ok());
        first.map_or_else(|| self.task("x"), Ok)
    }

    /// Completes a prompt on one machine and passes every cell of every layer to `observer`.
    ///
    /// # Errors
    ///
    /// Fails if the machine cannot run the program, a limit is reached, a block runs forever, or the run is cancelled.
    pub fn complete(
        &self,
        task: &Task,
        machine: MachineKind,
        observer: Option<Observer<'_>>,
    ) -> Result<Continuation, RunFailure> {
        self.can_run_on(machine)?;
        #[cfg(test)]
        RUNS.set(RUNS.get() + 1);
        self.outcome(self.executable.run(machine, task, observer), task)
    }

    /// Completes a prompt with changed registers on the PSM and passes every cell of every layer to `observer`. Also
    /// returns the indices of the changes that the run does not reach.
    ///
    /// # Errors
    ///
    /// Fails if the PSM cannot run the program, a limit is reached, a block runs forever, or the run is cancelled.
    pub fn complete_changed(
        &self,
        task: &Task,
        changes: &[Change],
        observer: Option<Observer<'_>>,
    ) -> Result<(Continuation, Vec<usize>), RunFailure> {
        let (run, unreached) = self.run_changed(task, changes, observer)?;
        Ok((Continuation::new(&run, &task.vocabulary), unreached))
    }

    /// Like [`Runner::complete_changed`], but returns the whole result of the run.
    pub(crate) fn run_changed(
        &self,
        task: &Task,
        changes: &[Change],
        observer: Option<Observer<'_>>,
    ) -> Result<(Run, Vec<usize>), RunFailure> {
        self.can_run_on(MachineKind::Psm)?;
        self.executable.run_changed(task, changes, observer).map_err(|error| self.failure(error, task))
    }

    /// Completes a prompt on the DAT in an embedding and passes every cell of every layer to `observer`.
    ///
    /// # Errors
    ///
    /// Fails if a limit is reached, a block runs forever, or the run is cancelled.
    pub fn complete_embedded(
        &self,
        task: &Task,
        embedding: Embedding,
        observer: Option<Observer<'_>>,
    ) -> Result<Continuation, RunFailure> {
        self.outcome(self.executable.run_embedded(embedding, task, observer), task)
    }

    fn outcome(&self, run: Result<Run, RunError>, task: &Task) -> Result<Continuation, RunFailure> {
        run.map(|run| Continuation::new(&run, &task.vocabulary)).map_err(|error| self.failure(error, task))
    }

    /// Completes a prompt on all machines and compares every register of every cell after every layer. Also returns the
    /// number of [states](psl_runtime::Verified::states).
    ///
    /// # Errors
    ///
    /// Fails if a machine cannot run the program, a limit is reached, a block runs forever, the run is cancelled, or
    /// two machines disagree.
    pub fn verify(&self, task: &Task) -> Result<(Continuation, usize), RunFailure> {
        MachineKind::ALL.into_iter().try_for_each(|machine| self.can_run_on(machine))?;
        let verified = self.executable.verify(task);
        match verified {
            Ok(Verified { states: 0, .. }) => Err(RunFailure::refused(NO_LAYERS)),
            Ok(Verified { run, states }) => Ok((self.outcome(Ok(run), task)?, states)),
            Err(VerifyError::Run(error)) => Err(self.failure(error, task)),
            Err(VerifyError::Diverged(divergence)) => {
                Err(RunFailure { message: divergence.message(&self.names(task)), cause: FailureCause::Disagreement })
            }
        }
    }

    fn can_run_on(&self, machine: MachineKind) -> Result<(), RunFailure> {
        let lacks = self.executable.why_not_on(machine);
        let cannot = |reason| RunFailure::refused(format!("`{}` cannot run this program: {reason}", machine.name()));
        lacks.map_or(Ok(()), |reason| Err(cannot(reason)))
    }

    /// Runs a test of the program.
    ///
    /// # Errors
    ///
    /// Fails if the prompt cannot be used or its run fails: see [`Runner::test_task`] and [`Runner::complete`].
    pub fn test(&self, test: &TestCase, machine: MachineKind) -> Result<Continuation, RunFailure> {
        self.complete(&self.test_task(test)?, machine, None)
    }

    /// Returns an update as a line of the trace.
    pub fn trace_line(&self, update: &Update, task: &Task) -> Value {
        update.to_json(&self.names(task))
    }

    fn names<'a>(&'a self, task: &'a Task) -> TraceNames<'a> {
        TraceNames {
            registers: &self.executable.registers,
            vocabulary: &task.vocabulary,
            labels: &self.labels,
            heads: &self.heads,
        }
    }

    pub(crate) fn failure(&self, error: RunError, task: &Task) -> RunFailure {
        let message = error.message(&self.executable.registers, &task.vocabulary);
        RunFailure { message, cause: FailureCause::Run(error) }
    }

    /// The start of the repeat block that causes a failure, or `None` if there is none or the program has no text.
    pub fn block(&self, failure: &RunFailure) -> Option<Span> {
        let blocks = self.executable.program.repeats();
        let block = blocks.get(failure.block()?.checked_sub(1)?);
        block.filter(|_| self.located).map(|block| block.keyword)
    }
}
