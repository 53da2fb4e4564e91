//! Running a program on prompts given as text: what `run`, `test`, `eval`, the demo and the server share.

use psl_runtime::{
    Embedding, Executable, MachineKind, Observer, Options, Run, RunError, Stopped, Task, Update, Verified, VerifyError,
    trace::TraceNames,
};
use psl_syntax::{
    Program, Span,
    program::{Repeat, Statement, TestCase, TestPrompt},
};
use serde_json::Value;

use crate::{structured_prompt::StructuredPrompt, test_prompts::TestPrompts};

/// A compiled program that takes prompts as text.
pub struct Runner {
    executable: Executable,
    labels: Vec<Option<String>>,
    stop: Option<String>,
    prompts: TestPrompts,
    /// Whether the program's spans are those of a text that its author has.
    located: bool,
}

/// What a prompt was continued with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Continuation {
    /// The symbols; null is `∅`.
    pub symbols: Vec<String>,
    /// What ended it.
    pub stopped: Stopped,
}

impl Continuation {
    fn new(run: &Run, task: &Task) -> Self {
        let symbols = run.output.iter().map(|&value| task.vocabulary.show(value).to_owned()).collect();
        Self { symbols, stopped: run.stopped }
    }

    /// The symbols, separated by spaces.
    pub fn text(&self) -> String {
        self.symbols.join(" ")
    }

    /// The symbols, separated by spaces, with an ellipsis where the continuation was cut off.
    pub fn shown(&self) -> String {
        let more = if self.stopped == Stopped::MaxNew { " …" } else { "" };
        format!("{}{more}", self.text())
    }

    /// Whether it is printed as the expected continuation is, white space collapsed in both: a symbol may hold blanks.
    pub fn is(&self, gold: &str) -> bool {
        self.symbols.iter().flat_map(|symbol| symbol.split_whitespace()).eq(gold.split_whitespace())
    }
}

/// Why a prompt could not be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFailure {
    /// In words.
    pub message: String,
    /// The number of the repeat block that is to blame, where one is: see [`Runner::block`].
    pub block: Option<usize>,
}

impl From<String> for RunFailure {
    fn from(message: String) -> Self {
        Self { message, block: None }
    }
}

impl Runner {
    /// Compiles a program that has no errors.
    pub fn new(program: &Program) -> Self {
        Self { located: true, ..Self::of(Executable::new(program.clone())) }
    }

    /// A program that has no text of its own.
    pub fn of(executable: Executable) -> Self {
        let labels = executable.labels();
        Self { executable, labels, stop: None, prompts: TestPrompts::default(), located: false }
    }

    /// With the stop symbol of a program that does not name its own.
    #[must_use]
    pub fn with_stop(self, stop: Option<String>) -> Self {
        Self { stop, ..self }
    }

    /// With the structured prompts of the program's tests.
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

    /// The given options, and the program's own `//@ stop` and `//@ max-new` where they leave them open, else the configured
    /// stop symbol.
    pub fn options(&self, given: &Options) -> Options {
        let own = Options::of(&self.executable.program);
        let stop = given.stop.clone().or(own.stop).or_else(|| self.stop.clone());
        Options { max_new: given.max_new.or(own.max_new), stop, ..given.clone() }
    }

    /// The run of a prompt, symbols separated by spaces, as the program's directives say.
    ///
    /// # Errors
    ///
    /// The program is loaded weights, and they lack a symbol or a position of the prompt.
    pub fn task(&self, prompt: &str) -> Result<Task, RunFailure> {
        self.task_with(prompt, &self.options(&Options::default()))
    }

    /// The run of a prompt, symbols separated by spaces, with these options.
    ///
    /// # Errors
    ///
    /// The program is loaded weights, and they lack a symbol or a position of the prompt.
    pub fn task_with(&self, prompt: &str, options: &Options) -> Result<Task, RunFailure> {
        let symbols: Vec<&str> = prompt.split_whitespace().collect();
        self.executable.task(&symbols, options).map_err(|error| error.to_string().into())
    }

    /// The run of a structured prompt with these options.
    ///
    /// # Errors
    ///
    /// A cell names a register that the program does not have, or one twice; or the program is loaded weights, and they lack a
    /// value or a position.
    pub fn structured_task(&self, cells: &StructuredPrompt, options: &Options) -> Result<Task, RunFailure> {
        let cells = cells.resolve(&self.executable.registers)?;
        self.executable.structured_task(&cells, options).map_err(|error| error.to_string().into())
    }

    /// The run of a test's prompt, as the program's directives say.
    ///
    /// # Errors
    ///
    /// The prompt is in a file that cannot be used, or the program is loaded weights, and they lack a symbol or a position.
    pub fn test_task(&self, prompt: &TestPrompt) -> Result<Task, RunFailure> {
        match prompt {
            TestPrompt::Plain(symbols) => self.task(symbols),
            TestPrompt::Json(file) => self.structured_task(self.prompts.get(file)?, &self.options(&Options::default())),
        }
    }

    /// What is to be said of a run on these cells: what they do that the program's text does not declare.
    pub fn note(&self, cells: &StructuredPrompt) -> Option<String> {
        cells.undeclared(&self.executable.program).filter(|_| self.located)
    }

    /// What is to be said of a run of a test's prompt.
    pub fn test_note(&self, prompt: &TestPrompt) -> Option<String> {
        match prompt {
            TestPrompt::Plain(_) => None,
            TestPrompt::Json(file) => self.note(self.prompts.get(file).ok()?),
        }
    }

    /// A run whose vocabulary is fit for showing weights: of the first test that can run, else of the symbol `x`.
    ///
    /// # Errors
    ///
    /// The program is loaded weights that lack the symbol `x` and those of every test.
    pub fn example_task(&self) -> Result<Task, RunFailure> {
        let tests = &self.executable.program.tests;
        let first = tests.iter().find_map(|test| self.test_task(&test.prompt).ok());
        first.map_or_else(|| self.task("x"), Ok)
    }

    /// A test's prompt as JSON: its symbols, or the cells in its file; null where there are none.
    pub fn prompt_to_json(&self, prompt: &TestPrompt) -> Value {
        match prompt {
            TestPrompt::Plain(symbols) => Value::from(symbols.as_str()),
            TestPrompt::Json(file) => self.prompts.get(file).map_or(Value::Null, StructuredPrompt::to_json),
        }
    }

    /// Completes a prompt on one machine, telling `observer` of every cell of every layer.
    ///
    /// # Errors
    ///
    /// The machine cannot run the program, a limit was reached or a block runs forever, or the run was cancelled.
    pub fn complete(
        &self,
        task: &Task,
        machine: MachineKind,
        observer: Option<&mut dyn FnMut(&Update)>,
    ) -> Result<Continuation, RunFailure> {
        self.can_run_on(machine)?;
        let run = self.executable.run(machine, task, observer);
        run.map(|run| Continuation::new(&run, task)).map_err(|error| self.failure(&error, task))
    }

    /// Completes a prompt on the DAT in an embedding, telling `observer` of every cell of every layer.
    ///
    /// # Errors
    ///
    /// A limit was reached or a block runs forever, or the run was cancelled.
    pub fn complete_embedded(
        &self,
        task: &Task,
        embedding: Embedding,
        observer: Option<Observer<'_>>,
    ) -> Result<Continuation, RunFailure> {
        let run = self.executable.run_embedded(embedding, task, observer);
        run.map(|run| Continuation::new(&run, task)).map_err(|error| self.failure(&error, task))
    }

    /// Completes a prompt on all machines and compares every register of every cell after every layer. Gives the number of
    /// [states](psl_runtime::Verified::states) too.
    ///
    /// # Errors
    ///
    /// A machine cannot run the program, a limit was reached or a block runs forever, the run was cancelled, or two machines
    /// disagree.
    pub fn verify(&self, task: &Task) -> Result<(Continuation, usize), RunFailure> {
        MachineKind::ALL.into_iter().try_for_each(|machine| self.can_run_on(machine))?;
        let verified = self.executable.verify(task);
        verified.map(|Verified { run, states }| (Continuation::new(&run, task), states)).map_err(|error| match error {
            VerifyError::Run(error) => self.failure(&error, task),
            VerifyError::Diverged(divergence) => divergence.message(&self.names(task)).into(),
        })
    }

    fn can_run_on(&self, machine: MachineKind) -> Result<(), RunFailure> {
        let lacks = self.executable.lacks(machine);
        lacks.map_or(Ok(()), |reason| Err(format!("no {} can run it: {reason}", machine.name()).into()))
    }

    /// Runs a test of the program.
    ///
    /// # Errors
    ///
    /// The prompt cannot be used, or its run fails: see [`Runner::test_task`] and [`Runner::complete`].
    pub fn test(&self, test: &TestCase, machine: MachineKind) -> Result<Continuation, RunFailure> {
        self.complete(&self.test_task(&test.prompt)?, machine, None)
    }

    /// An update as a line of the trace.
    pub fn trace_line(&self, update: &Update, task: &Task) -> Value {
        update.to_json(&self.names(task))
    }

    fn names<'a>(&'a self, task: &'a Task) -> TraceNames<'a> {
        TraceNames { registers: &self.executable.registers, vocabulary: &task.vocabulary, labels: &self.labels }
    }

    fn failure(&self, error: &RunError, task: &Task) -> RunFailure {
        let message = error.message(&self.executable.registers, &task.vocabulary);
        RunFailure { message, block: error.block().map(|block| block.number) }
    }

    /// Where the repeat block begins that is to blame for a failure, where one is and the program has a text.
    pub fn block(&self, failure: &RunFailure) -> Option<Span> {
        let blocks = repeats(&self.executable.program.statements);
        let block = blocks.get(failure.block?.checked_sub(1)?);
        block.filter(|_| self.located).map(|block| block.keyword)
    }
}

/// The repeat blocks, in the order in which they open.
fn repeats(statements: &[Statement]) -> Vec<&Repeat> {
    let blocks = statements.iter().filter_map(|statement| match statement {
        Statement::Repeat(repeat) => Some(repeat),
        Statement::Production(_) => None,
    });
    blocks.flat_map(|block| [vec![block], repeats(&block.body)].concat()).collect()
}
