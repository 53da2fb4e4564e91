//! Runs the program of a Turing machine, and follows its steps in the updates of the run.

use std::{io, ops::ControlFlow};

use psl_program::{Runner, StructuredPrompt, count};
use psl_runtime::{MachineKind, Options, Registers, RunError, Task, Update, ValueId, Vocabulary};
use psl_syntax::program::{ProductionId, RegisterId};

use super::{program::TuringProgram, table::Direction, tape::Tape};

/// A machine before its first step or after a step.
pub struct Configuration<'t> {
    vocabulary: &'t Vocabulary,
    symbols: Vec<Option<ValueId>>,
    /// The index of the square with the head, or `None` after the head left the tape.
    head: Option<usize>,
    state: Option<ValueId>,
    /// The number of steps so far.
    pub steps: usize,
}

impl Configuration<'_> {
    /// The symbols of the tape.
    pub fn tape(&self) -> String {
        let symbols: Vec<&str> = self.symbols.iter().map(|&symbol| self.vocabulary.show(symbol)).collect();
        symbols.join(" ")
    }

    /// The tape with `^` before the square with the head.
    pub fn marked_tape(&self) -> String {
        let square = |(index, &symbol): (usize, &Option<ValueId>)| {
            let mark = if self.head == Some(index) { "^ " } else { "" };
            format!("{mark}{}", self.vocabulary.show(symbol))
        };
        self.symbols.iter().enumerate().map(square).collect::<Vec<_>>().join(" ")
    }

    /// The state of the machine.
    pub fn state(&self) -> &str {
        self.vocabulary.show(self.state)
    }
}

/// The end of a run.
pub struct Outcome {
    /// The final tape.
    pub tape: String,
    /// The final state.
    pub state: String,
    /// The number of steps.
    pub steps: usize,
    /// The direction in which the head left the tape in the last step, or `None` if the machine halted.
    pub left: Option<Direction>,
}

/// The reason why a run did not end.
pub enum NoEnd {
    /// The run failed.
    Failed(String),
    /// A step could not be reported.
    Unreported(io::Error),
}

/// Runs the program of a machine on a tape, and reports the start and each step.
///
/// # Errors
///
/// A machine that never halts or takes more passes than allowed, a limit of the runtime, or an error of `report`.
pub fn run(
    program: &TuringProgram<'_>,
    tape: &Tape,
    machine: MachineKind,
    max_passes: Option<usize>,
    report: &mut dyn FnMut(&Configuration<'_>) -> io::Result<()>,
) -> Result<Outcome, NoEnd> {
    let runner = Runner::new(&psl_syntax::check(&program.text(None)).analysis.program);
    // The tape is read from the prompt's cells, so no cell is generated.
    let options = Options { max_new: Some(0), max_passes, ..Options::default() };
    let prompt = StructuredPrompt::parse(&tape.to_json()).map_err(|error| NoEnd::Failed(error.to_string()))?;
    let task = runner.structured_task(&prompt, &options).map_err(|failure| NoEnd::Failed(failure.message))?;
    let mut follower = Follower::new(program, &runner.executable().registers, &task);
    report(&follower.configuration).map_err(NoEnd::Unreported)?;
    let mut reported = Ok(());
    let mut observer = |update: &Update| {
        if follower.is_after_step(update) {
            reported = report(&follower.configuration);
        }
        if reported.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let result = runner.executable().run(machine, &task, Some(&mut observer));
    reported.map_err(NoEnd::Unreported)?;
    let Follower { configuration, moved, .. } = follower;
    result.map_err(|error| {
        NoEnd::Failed(message(&error, configuration.steps, &runner.executable().registers, &task.vocabulary))
    })?;
    Ok(Outcome {
        tape: configuration.tape(),
        state: configuration.state().to_owned(),
        steps: configuration.steps,
        left: moved.filter(|_| configuration.head.is_none()),
    })
}

/// The message for a failed run.
fn message(error: &RunError, steps: usize, registers: &Registers, vocabulary: &Vocabulary) -> String {
    match error {
        RunError::Endless { cycle, .. } => format!(
            "the machine never halts: tape, head and state are the same again after {} of the repeat block",
            count(cycle.passes, "pass")
        ),
        RunError::TooManyPasses { .. } => {
            format!("the machine did not halt within {}: raise `--max-passes`", count(steps, "step"))
        }
        other => {
            let message = other.message(registers, vocabulary);
            format!("the machine did not halt within {}: {message}", count(steps, "step"))
        }
    }
}

/// Reads the steps from the updates of the prompt pass.
struct Follower<'t> {
    configuration: Configuration<'t>,
    /// The first layer of the instructions, and the move of each.
    first: ProductionId,
    moves: Vec<Direction>,
    /// The last layer of a pass.
    last: ProductionId,
    /// The registers.
    symbol: Option<RegisterId>,
    head: Option<RegisterId>,
    state: Option<RegisterId>,
    /// The value of `head` in the square with the head.
    mark: Option<ValueId>,
    /// Whether an instruction was applied in the current pass.
    applied: bool,
    /// The last move.
    moved: Option<Direction>,
}

impl<'t> Follower<'t> {
    fn new(program: &TuringProgram<'_>, registers: &Registers, task: &'t Task) -> Self {
        let vocabulary = &task.vocabulary;
        let mut follower = Self {
            configuration: Configuration { vocabulary, symbols: Vec::new(), head: None, state: None, steps: 0 },
            first: TuringProgram::FIRST_INSTRUCTION,
            moves: program.moves().collect(),
            last: program.last_layer_of_pass(),
            symbol: registers.by_long("symbol"),
            head: registers.by_long("head"),
            state: registers.by_long("state"),
            mark: vocabulary.get("1"),
            applied: false,
            moved: None,
        };
        follower.configuration.symbols = vec![None; task.input.cells.len()];
        task.input.cells.iter().enumerate().for_each(|(index, cell)| follower.take(index, cell));
        follower
    }

    /// Takes an update, and returns whether it is the last one of a step.
    fn is_after_step(&mut self, update: &Update) -> bool {
        if update.step > 0 {
            return false;
        }
        let instruction = update.layer.index().checked_sub(self.first.index());
        let instruction = instruction.and_then(|instruction| self.moves.get(instruction));
        if let Some(&direction) = instruction.filter(|_| update.attends.is_some()) {
            self.applied = true;
            self.moved = Some(direction);
            // The head may leave the tape in this step, and then no cell has the state.
            self.configuration.state = self.state.and_then(|state| update.state.get(state.index()).copied().flatten());
        }
        if update.layer != self.last {
            return false;
        }
        self.take(update.cell.index(), &update.state);
        let is_step = self.applied && update.cell.number() == self.configuration.symbols.len();
        if is_step {
            self.applied = false;
            self.configuration.steps += 1;
        }
        is_step
    }

    /// Takes the registers of a cell. Cells come from left to right.
    fn take(&mut self, index: usize, cell: &[Option<ValueId>]) {
        let value = |register: Option<RegisterId>| cell.get(register?.index()).copied().flatten();
        let Configuration { symbols, head, state, .. } = &mut self.configuration;
        if let Some(symbol) = symbols.get_mut(index) {
            *symbol = value(self.symbol);
        }
        if index == 0 {
            *head = None;
        }
        if value(self.head).is_some() && value(self.head) == self.mark {
            *head = Some(index);
            *state = value(self.state);
        }
    }
}
