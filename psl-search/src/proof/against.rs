//! Statements that a program does the same as another one, or as a function.

use std::mem::discriminant;

use psl_program::{Continuation, RunFailure, Runner};
use psl_runtime::{CellId, Executable, MachineKind, Options, Run, RunError, State, Stopped, Task, ValueId};
use psl_syntax::program::DEFAULT_STOP;

use super::{
    flaw::{Flaw, StateFlaw},
    generate::generate,
    short_prompts::{ShortPrompts, Wanted, prompts_of},
    statement::{Statement, Trial},
};

/// The statement that another program generates the same continuations, or fails for the same kind of reason.
pub struct Against<'r> {
    other: &'r Runner,
    /// The indices of registers to compare after the last layer: in the program, and in the other one.
    registers: Vec<(usize, usize)>,
}

/// The statement that a function returns the continuation. The function's list is cut off as a run is: after the first
/// stop symbol, and at the maximum length. `None` is null. A function without a list for a prompt refutes nothing.
pub struct Expected<F>(pub F);

impl<'r> Against<'r> {
    /// Compares continuations with those of a program.
    pub fn new(other: &'r Runner) -> Self {
        Self { other, registers: Vec::new() }
    }

    /// Compares continuations, and in each cell the values of registers of the same name after the last layer.
    pub fn with_states(runner: &Runner, other: &'r Runner) -> Self {
        let [own, others] = [runner, other].map(|runner| &runner.executable().registers.long);
        let of = |name: &String| others.iter().position(|other| other == name);
        let registers = own.iter().enumerate().filter_map(|(index, name)| Some((index, of(name)?))).collect();
        Self { other, registers }
    }

    /// The prompts for the comparison of a program with the other one: those that are wanted and, unless these have
    /// patterns, those of the program's tests and laws with other symbols.
    ///
    /// # Errors
    ///
    /// The failures of [`ShortPrompts::new`].
    pub fn prompts(&self, runner: &Runner, options: &Options, wanted: &Wanted) -> Result<ShortPrompts, RunFailure> {
        let [own, other] = [runner, self.other].map(Runner::executable);
        let tests = own.program.tests.iter().filter(|_| wanted.like.is_empty()).map(prompts_of).collect();
        ShortPrompts::new(&[own, other], options, &Wanted { tests, ..wanted.clone() })
    }

    /// The number of registers that are compared after the last layer.
    pub fn registers(&self) -> usize {
        self.registers.len()
    }

    fn task(&self, trial: &Trial<'_>) -> Result<Task, RunFailure> {
        Ok(self.other.executable().task(trial.prompt, trial.options)?)
    }

    /// The first value after the last layer that is another one.
    fn state_flaw(&self, own: &Runner, [(run, task), (other_run, other_task)]: [(&Run, &Task); 2]) -> Option<Flaw> {
        let text = |task: &Task, state: &State, register: usize| -> Option<String> {
            Some(task.vocabulary.text((*state.get(register)?)?)?.to_owned())
        };
        let cells = CellId::first(run.states.len()).zip(run.states.iter().zip(&other_run.states));
        cells.into_iter().find_map(|(cell, (state, other_state))| {
            self.registers.iter().find_map(|(register, other_register)| {
                let got = text(task, state, *register);
                let expected = text(other_task, other_state, *other_register);
                let register = own.executable().registers.long.get(*register)?.clone();
                (got != expected).then(|| Flaw::State(Box::new(StateFlaw { register, cell, got, expected })))
            })
        })
    }
}

impl Statement for Against<'_> {
    fn flaw(&self, trial: &Trial<'_>) -> Result<Option<Flaw>, RunFailure> {
        let (own, other) = (trial.runner.executable(), self.other.executable());
        let other_task = self.task(trial)?;
        if self.registers.is_empty() {
            let is_same = match (generated(own, &trial.task), generated(other, &other_task)) {
                (Ok(one), Ok(two)) => one == two,
                (Err(one), Err(two)) => discriminant(&one) == discriminant(&two),
                _ => false,
            };
            return Ok((!is_same).then_some(Flaw::Unexpected));
        }
        Ok(match (own.run(MachineKind::Dat, &trial.task, None), other.run(MachineKind::Dat, &other_task, None)) {
            (Ok(one), Ok(two)) if texts(&one.output, &trial.task) == texts(&two.output, &other_task) => {
                self.state_flaw(trial.runner, [(&one, &trial.task), (&two, &other_task)])
            }
            (Err(one), Err(two)) if discriminant(&one) == discriminant(&two) => None,
            _ => Some(Flaw::Unexpected),
        })
    }

    fn expected(&self, trial: &Trial<'_>) -> Option<Result<Continuation, String>> {
        let continuation = self.task(trial).and_then(|task| self.other.complete(&task, MachineKind::Dat, None));
        Some(continuation.map_err(|failure| failure.message))
    }
}

impl<F: Fn(&[&str]) -> Option<Vec<Option<String>>> + Sync> Expected<F> {
    /// The symbols of the function's list up to the end of a run. `None` without a list.
    fn symbols(&self, trial: &Trial<'_>) -> Option<Vec<Option<String>>> {
        let stop = trial.options.stop.as_deref().unwrap_or(DEFAULT_STOP);
        let mut symbols = (self.0)(trial.prompt)?;
        let end = symbols.iter().position(|symbol| symbol.as_deref() == Some(stop));
        symbols.truncate(end.map_or(usize::MAX, |end| end + 1).min(trial.options.max_new.unwrap_or(usize::MAX)));
        Some(symbols)
    }
}

impl<F: Fn(&[&str]) -> Option<Vec<Option<String>>> + Sync> Statement for Expected<F> {
    fn flaw(&self, trial: &Trial<'_>) -> Result<Option<Flaw>, RunFailure> {
        let Some(expected) = self.symbols(trial) else { return Ok(None) };
        let found = generated(trial.runner.executable(), &trial.task);
        Ok((found != Ok(expected)).then_some(Flaw::Unexpected))
    }

    fn expected(&self, trial: &Trial<'_>) -> Option<Result<Continuation, String>> {
        let symbols = self.symbols(trial)?.into_iter();
        let null = || trial.task.vocabulary.show(None).to_owned();
        let symbols: Vec<String> = symbols.map(|it| it.unwrap_or_else(null)).collect();
        let is_cut_off = trial.options.max_new == Some(symbols.len());
        let stop = trial.options.stop.as_deref().unwrap_or(DEFAULT_STOP);
        let is_ended = symbols.last().is_some_and(|symbol| symbol == stop);
        let stopped = if is_cut_off && !is_ended { Stopped::MaxNew } else { Stopped::StopSymbol };
        Some(Ok(Continuation { symbols, stopped }))
    }
}

/// The symbols of a run on the DAT.
fn generated(executable: &Executable, task: &Task) -> Result<Vec<Option<String>>, RunError> {
    let mut symbols = Vec::new();
    generate(executable, task, |text| {
        symbols.push(text.map(str::to_owned));
        true
    })?;
    Ok(symbols)
}

fn texts(symbols: &[Option<ValueId>], task: &Task) -> Vec<Option<String>> {
    symbols.iter().map(|value| Some(task.vocabulary.text((*value)?)?.to_owned())).collect()
}
