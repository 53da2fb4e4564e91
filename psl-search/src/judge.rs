//! Runs changed programs on prompts whose continuations are known.

use std::{
    cmp::Reverse,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use psl_program::{Prompt, RunFailure, Runner};
use psl_runtime::{Executable, Options, Task, ValueId};
use psl_syntax::{Checked, reread};

use crate::{example::Example, workers::Workers};

/// A program, and the examples that its changes are run on.
pub struct Judge<'p> {
    before: &'p Checked,
    executable: &'p Executable,
    trials: Vec<Trial>,
}

/// A prompt with its continuation.
struct Trial {
    task: Task,
    gold: Vec<Box<str>>,
    /// The number of changed programs that failed it.
    failed: AtomicU64,
}

/// The result of a changed program on all examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The program completes all prompts.
    Passes,
    /// The program fails the example with this index, and perhaps others.
    Fails(usize),
    /// The program has an error.
    Invalid,
}

/// The result of a program on one example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Right,
    /// The continuation is wrong at the symbol with this index, or ends before it.
    Wrong(usize),
    /// The run failed.
    Failed,
}

/// The work that a changed program may take, as a multiple of the program's own.
pub const ALLOWANCE: u64 = 10;
/// The work of one cell in one layer that every program may take, in comparisons.
const OF_EACH_LAYER: usize = 64;

/// The work that a changed program may take with this many cells, in comparisons, if the program itself takes `own`.
pub fn allowed_work(executable: &Executable, cells: usize, own: u64) -> u64 {
    let layers = executable.program.productions().len();
    // A block may pass once for each cell.
    let usual = (OF_EACH_LAYER * layers).saturating_mul(cells).saturating_mul(cells) as u64;
    own.saturating_mul(ALLOWANCE).max(usual)
}

/// Compiles a changed text of a program. `None` if it has an error.
pub fn compile_changed(before: &Checked, executable: &Executable, text: &str) -> Option<(Checked, Executable)> {
    let changed = reread(before, text);
    if !changed.compiles() {
        return None;
    }
    let executable = executable.changed(changed.analysis.program.clone());
    Some((changed, executable))
}

impl<'p> Judge<'p> {
    /// Prepares the examples for changes of a program without errors, which `runner` runs. Runs each once. All runs end
    /// soon after `cancelled` is set.
    ///
    /// # Errors
    ///
    /// An example whose prompt cannot be used.
    pub fn new(
        before: &'p Checked,
        runner: &'p Runner,
        examples: &[Example],
        cancelled: &Arc<AtomicBool>,
    ) -> Result<Self, RunFailure> {
        let executable = runner.executable();
        let trial = |example: &Example| {
            let options = runner.expecting(example.row, runner.options(&Options::default()))?;
            let mut task = runner.prompt_task(&Prompt::from(&example.prompt), &options)?;
            task.limits.cancelled.push(Arc::clone(cancelled));
            let gold: Vec<Box<str>> = example.gold.split_whitespace().map(Box::from).collect();
            let cells = task.input.cells.len() + gold.len();
            task.limits.max_work = task.limits.max_work.min(allowed_work(executable, cells, 0));
            let mut trial = Trial { task, gold, failed: AtomicU64::new(0) };
            let own = trial.work(executable).unwrap_or(0);
            trial.task.limits.max_work = allowed_work(executable, cells, own);
            Ok(trial)
        };
        let trials = examples.iter().map(trial).collect::<Result<_, RunFailure>>()?;
        Ok(Self { before, executable, trials })
    }

    /// The program before any change.
    pub(crate) fn before(&self) -> &'p Checked {
        self.before
    }

    /// Compiles a changed text. `None` if it has an error.
    pub(crate) fn compile(&self, text: &str) -> Option<(Checked, Executable)> {
        compile_changed(self.before, self.executable, text)
    }

    /// Runs a changed text. The example that most changed texts have failed comes first, and the first wrong symbol
    /// ends it.
    pub fn judge(&self, text: &str) -> Verdict {
        self.compile(text).map_or(Verdict::Invalid, |(_, executable)| self.verdict(&executable))
    }

    /// A changed text that completes all prompts, compiled.
    pub(crate) fn passing(&self, text: &str) -> Option<(Checked, Executable)> {
        self.compile(text).filter(|(_, executable)| self.verdict(executable) == Verdict::Passes)
    }

    fn verdict(&self, executable: &Executable) -> Verdict {
        let mut order: Vec<(usize, &Trial)> = self.trials.iter().enumerate().collect();
        order.sort_by_key(|(_, trial)| Reverse(trial.failed.load(Ordering::Relaxed)));
        for (index, trial) in order {
            if trial.run(executable) != Outcome::Right {
                trial.failed.fetch_add(1, Ordering::Relaxed);
                return Verdict::Fails(index);
            }
        }
        Verdict::Passes
    }

    /// The number of examples that a changed text completes, or `None` if it has an error.
    pub(crate) fn score(&self, text: &str) -> Option<usize> {
        let (_, executable) = self.compile(text)?;
        Some(self.trials.iter().filter(|trial| trial.run(&executable) == Outcome::Right).count())
    }

    /// The number of symbols of all examples that a changed text generates before the first wrong one of each, or
    /// `None` if it has an error.
    pub(crate) fn progress(&self, text: &str) -> Option<usize> {
        let (_, executable) = self.compile(text)?;
        let right = |trial: &Trial| match trial.run(&executable) {
            // The end of the continuation counts as a symbol.
            Outcome::Right => trial.gold.len() + 1,
            Outcome::Wrong(symbols) => symbols,
            Outcome::Failed => 0,
        };
        Some(self.trials.iter().map(right).sum())
    }

    /// The numbers of examples that changed texts complete, and of all. None for those that the search is stopped
    /// before.
    pub(crate) fn scores(&self, texts: &[&str], workers: &dyn Workers) -> Vec<Option<(usize, usize)>> {
        let scores = Mutex::new(vec![None; texts.len()]);
        workers.each(texts.len(), &|number| {
            let score = texts.get(number).filter(|_| !workers.stopped()).and_then(|text| self.score(text));
            let mut scores = scores.lock().unwrap_or_else(PoisonError::into_inner);
            // A run that is stopped has no result.
            if let Some(slot) = scores.get_mut(number).filter(|_| !workers.stopped()) {
                *slot = score.map(|score| (score, self.trials.len()));
            }
        });
        scores.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The examples that the program itself fails, each with the index of its first wrong symbol, which is 0 if the run
    /// fails.
    pub(crate) fn failures(&self) -> Vec<(usize, usize)> {
        let outcomes = self.trials.iter().map(|trial| trial.run(self.executable)).enumerate();
        let failed = outcomes.filter_map(|(index, outcome)| match outcome {
            Outcome::Right => None,
            Outcome::Wrong(symbol) => Some((index, symbol)),
            Outcome::Failed => Some((index, 0)),
        });
        failed.collect()
    }

    /// The run of an example.
    pub(crate) fn task(&self, example: usize) -> Option<&Task> {
        Some(&self.trials.get(example)?.task)
    }
}

impl Trial {
    fn run(&self, executable: &Executable) -> Outcome {
        let mut left = self.gold.iter();
        let (mut symbols, mut right) = (0, true);
        let accept = |symbol: Option<ValueId>| {
            // A symbol may contain blanks, and so be several words.
            let mut names = self.task.vocabulary.show(symbol).split_whitespace();
            right = names.all(|word| left.next().is_some_and(|gold| **gold == *word));
            symbols += usize::from(right);
            right
        };
        match executable.generate(&self.task, accept) {
            Some(Ok(_)) if right && left.next().is_none() => Outcome::Right,
            Some(Ok(_)) => Outcome::Wrong(symbols),
            Some(Err(_)) | None => Outcome::Failed,
        }
    }

    /// The work of a program that generates as many symbols as the example has, in comparisons. `None` if it takes too
    /// much.
    fn work(&self, executable: &Executable) -> Option<u64> {
        let mut symbols = 0;
        let accept = |_| {
            symbols += 1;
            symbols <= self.gold.len()
        };
        executable.generate(&self.task, accept)?.ok()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, atomic::AtomicBool};

    use psl_program::Runner;
    use psl_syntax::read;

    use super::Judge;
    use crate::example::Example;

    /// A program that writes a symbol after A, and another one after B.
    fn program(after_a: &str, after_b: &str) -> String {
        format!(
            "registers: {{symbol: 's', position: 'p'}}\nconstants: {{A, B, C, END: '.'}}
system: {{symbol: symbol, position: position, output: symbol}}
//@ test \"C A\" => \"B .\"
where symbol[N] == B: symbol[N] = {after_b}
where symbol[N] == A: symbol[N] = {after_a}"
        )
    }

    #[test]
    fn the_end_of_a_continuation_counts_as_a_symbol() {
        let checked = read(program("C", "C"));
        let runner = Runner::new(&checked.analysis.program);
        let examples = Example::of_tests(&checked.analysis.program);
        let judge = Judge::new(&checked, &runner, &examples, &Arc::new(AtomicBool::new(false))).expect("its tests");
        let progress = |after_a, after_b| judge.progress(&program(after_a, after_b));
        assert_eq!(progress("C", "C"), Some(0));
        assert_eq!(progress("B", "C"), Some(1));
        assert_eq!(progress("B", "END"), Some(3));
        assert_eq!(progress("D", "END"), None, "an error");
    }
}
