//! Mutants: a program's single changes, each with the test that notices it, a proof that nothing could, or a prompt
//! that would.

mod fate;
mod normal_form;
mod pool;
mod variations;

use std::{
    cmp::Reverse,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use psl_program::{File, Prompt, Runner};
use psl_runtime::Options;
use psl_syntax::{Checked, holes::holes, law::Law, program::TestPrompt};

pub use self::fate::{Fate, Killer, ToldApart};
use self::{
    normal_form::NormalForm,
    pool::{Pool, Told},
};
use crate::{
    additions::all_additions,
    change::Change,
    changes::changes,
    example::Example,
    judge::{ALLOWANCE, compile_changed},
    of_file::NoSearch,
    proof::prompts_of,
    reference_run::{Departure, ReferenceRun},
    workers::Workers,
};

/// The indices of the mutants that only a new prompt tells apart: those that differ where the program ends by itself,
/// and on the most prompts, first.
pub fn most_different(fates: &[Option<Fate>]) -> Vec<usize> {
    let rank = |(index, fate): (usize, &Option<Fate>)| match fate {
        Some(Fate::ToldApart(it)) => Some((!it.is_whole, Reverse(it.differs_on), it.prompt.len(), index)),
        _ => None,
    };
    let mut ranks: Vec<_> = fates.iter().enumerate().filter_map(rank).collect();
    ranks.sort_unstable();
    ranks.into_iter().map(|(.., index)| index).collect()
}

/// A program whose examples pass, to try mutants of it.
pub struct MutationTest<'f> {
    checked: &'f Checked,
    runner: &'f Runner,
    stop: Option<String>,
    runs: Vec<(Killer, ReferenceRun)>,
    laws: Vec<(usize, &'f Law, u64)>,
    pool: Option<Pool<'f>>,
    normal_form: NormalForm,
}

/// The prompts of examples that others are made of.
const PROMPTS: usize = 64;
/// The work that every law may take, in comparisons.
const LAW_WORK: u64 = 1_000_000;

impl<'f> MutationTest<'f> {
    /// Runs a program on its tests, laws and data, and on the prompts that may tell mutants apart.
    ///
    /// # Errors
    ///
    /// A program with errors, with holes, without examples, or with an example that fails or cannot run.
    pub fn new(
        file: &'f File,
        data: &[Example],
        workers: &dyn Workers,
        cancelled: &Arc<AtomicBool>,
    ) -> Result<Self, NoSearch> {
        let checked = file.checked();
        if !holes(&checked.tree).is_empty() {
            return Err(NoSearch::Holes);
        }
        let runner = file.runner().map_err(|_| NoSearch::Errors)?;
        let program = &checked.analysis.program;
        if program.tests.is_empty() && data.is_empty() {
            return Err(NoSearch::NoTests);
        }
        let (mut runs, mut laws) = (Vec::new(), Vec::new());
        let of_tests = Example::of_tests(program);
        let all = of_tests.iter().enumerate().map(|(index, example)| (Killer::Test(index), example));
        let all = all.chain(data.iter().enumerate().map(|(index, example)| (Killer::Data(index), example)));
        for (killer, Example { prompt, gold, row }) in all {
            let options = runner.expecting(*row, runner.options(&Options::default())).map_err(NoSearch::Prompt)?;
            let mut task = runner.prompt_task(&Prompt::from(prompt), &options).map_err(NoSearch::Prompt)?;
            task.limits.cancelled.push(Arc::clone(cancelled));
            let run = ReferenceRun::new(runner.executable(), task, u64::MAX);
            // A run that is cancelled does not fail, and no mutant will be tried.
            if cancelled.load(Ordering::Relaxed) {
                break;
            }
            let run =
                run.filter(|run| run.continues_with(gold)).ok_or_else(|| NoSearch::Fails(killer.in_words(program)))?;
            runs.push((killer, run));
        }
        for (index, test) in program.tests.iter().enumerate() {
            let Some(law) = &test.law else { continue };
            match runner.breaks(law, &|| workers.stopped(), u64::MAX) {
                Ok((Some(false), work)) => laws.push((index, law, work)),
                Ok((None, _)) => {}
                Ok((Some(true), _)) => return Err(NoSearch::Fails(Killer::Test(index).in_words(program))),
                Err(failure) => return Err(NoSearch::Prompt(failure)),
            }
        }
        let mut prompts: Vec<Vec<String>> = program.tests.iter().flat_map(prompts_of).collect();
        prompts.extend(data.iter().filter_map(|example| match &example.prompt {
            TestPrompt::Plain(symbols) => Some(symbols.split_whitespace().map(str::to_owned).collect()),
            TestPrompt::Json(_) => None,
        }));
        prompts.truncate(PROMPTS);
        let rows = [false, true].map(|row| of_tests.iter().chain(data).any(|example| example.row == row));
        let pool = if prompts.is_empty() { None } else { Some(Pool::new(runner, &prompts, rows, workers)) };
        let pool = pool.transpose().map_err(NoSearch::Prompt)?;
        let normal_form = NormalForm::new(checked);
        let stop = file.config().stop.clone();
        Ok(Self { checked, runner, stop, runs, laws, pool, normal_form })
    }

    /// The mutants in text order: replacements, removals and swaps, and on request additions, too.
    pub fn mutants(&self, additions: bool, workers: &dyn Workers) -> Vec<Change> {
        let mut found = changes(self.checked);
        if !additions {
            found.retain(|change| !change.is_addition());
            return found;
        }
        found.extend(all_additions(self.checked, workers));
        found.sort_by_key(|change| (change.span, change.operator));
        found
    }

    /// The fate of each mutant. `None` for those that the search is stopped before.
    pub fn fates(&self, mutants: &[&Change], workers: &dyn Workers) -> Vec<Option<Fate>> {
        let fates = Mutex::new(vec![None; mutants.len()]);
        workers.each(mutants.len(), &|number| {
            let Some(mutant) = mutants.get(number).filter(|_| !workers.stopped()) else { return };
            let fate = self.fate(mutant, workers);
            // A run that is stopped has no result.
            if let Some(fate) = fate.filter(|_| !workers.stopped()) {
                let mut fates = fates.lock().unwrap_or_else(PoisonError::into_inner);
                fates.get_mut(number).into_iter().for_each(|slot| *slot = Some(fate.clone()));
                workers.tried();
            }
        });
        fates.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn fate(&self, mutant: &Change, workers: &dyn Workers) -> Option<Fate> {
        let text = mutant.apply(&self.checked.tree.text)?;
        let Some((changed, executable)) = compile_changed(self.checked, self.runner.executable(), &text) else {
            return Some(Fate::Invalid);
        };
        let failed = self.runs.iter().find_map(|(killer, run)| Some((*killer, run.departure(&executable)?)));
        if let Some((by, departure)) = failed {
            return Some(Fate::Killed { by, endless: departure == Departure::Endless });
        }
        if NormalForm::new(&changed) == self.normal_form {
            return Some(Fate::Equal);
        }
        let runner = Runner::of(executable).with_stop(self.stop.clone());
        for (index, law, work) in &self.laws {
            let allowed = work.saturating_mul(ALLOWANCE).max(LAW_WORK);
            let (broken, _) = runner.breaks(law, &|| workers.stopped(), allowed).ok()?;
            if broken != Some(false) {
                return Some(Fate::Killed { by: Killer::Test(*index), endless: broken.is_none() });
            }
        }
        let Some(pool) = &self.pool else { return Some(Fate::Unknown) };
        match pool.tell(runner.executable()).ok()? {
            Told::Apart(found) => Some(Fate::ToldApart(found)),
            Told::EqualUpTo { symbols: 0, .. } => Some(Fate::Unknown),
            Told::EqualUpTo { symbols, without_numbers } => Some(Fate::EqualUpTo { symbols, without_numbers }),
        }
    }
}
