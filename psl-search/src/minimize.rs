//! A smaller program that does the same on some prompts.

mod removals;
mod sizes;
mod trial;
mod version;

use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashSet},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use psl_program::{File, Prompt, RunFailure};
use psl_syntax::program::{TestCase, TestPrompt};

pub use self::sizes::Sizes;
use self::{
    removals::{Part, Removal, removals},
    trial::{Trial, Wanted},
    version::Version,
};
use crate::{example::Example, of_file::NoSearch, proof::prompts_of, workers::Workers};

/// A program that does the same as a greater one on some prompts.
#[derive(Clone, Debug)]
pub struct Minimal {
    /// The text.
    pub text: String,
    /// The numbers of parts of the original.
    pub before: Sizes,
    /// The numbers of parts that are left.
    pub after: Sizes,
    /// The number of prompts that were compared.
    pub prompts: usize,
    /// The number of programs that one processor tries.
    pub tried: usize,
    /// Whether the search was stopped. Otherwise, each single further removal changes the run of a prompt.
    pub cut_off: bool,
}

/// The number of lines of data in the first sample.
const FIRST: usize = 8;
/// The maximum number of lines that join the sample at once.
const JOIN: usize = 4;
/// The number of removals that are tried side by side.
const SIDE_BY_SIDE: usize = 16;
/// The number of prompts that are compared side by side.
const LINES: usize = 256;

/// Leaves out what the runs of a file's tests and laws and of data do not need. All continuations stay, and unless
/// `outputs_only`, so do the states: after each layer that is left, in each pass, each register that is left has the
/// same value in each cell. A run that fails still fails for the same kind of reason. All runs end soon after
/// `cancelled` is set.
///
/// # Errors
///
/// A program with errors, without tests and data, or whose prompts cannot be used.
pub fn minimize_file(
    file: &File,
    data: &[Example],
    outputs_only: bool,
    workers: &dyn Workers,
    cancelled: &Arc<AtomicBool>,
) -> Result<Minimal, NoSearch> {
    file.runner().map_err(|_| NoSearch::Errors)?;
    let original = Version::original(file);
    let (tests, prompts) = prompts(file, data);
    if prompts.is_empty() {
        return Err(NoSearch::NoPrompts);
    }
    let trial = |prompt: &Wanted| Trial::new(&original.runner, prompt.clone(), outputs_only, cancelled);
    let trials = in_parallel(workers, &prompts, &trial).map_err(NoSearch::Prompt)?;
    let sample = (0..trials.len().min(tests + FIRST)).collect();
    let before = Sizes::of(&original.checked);
    let mut search = Search { file, trials, sample, workers, tried: 0 };
    let mut right = Version::original(file);
    let cut_off = loop {
        let before = right.checked.tree.text.clone();
        for part in Part::ALL {
            right = search.without(part, right);
        }
        if workers.stopped() || cancelled.load(Ordering::Relaxed) {
            break true;
        }
        if right.checked.tree.text == before {
            break false;
        }
    };
    Ok(Minimal {
        text: right.checked.tree.text.to_string(),
        before,
        after: Sizes::of(&right.checked),
        prompts: search.trials.len(),
        tried: search.tried,
        cut_off,
    })
}

/// The different prompts of tests and laws, and their number, then those of data.
fn prompts(file: &File, data: &[Example]) -> (usize, Vec<Wanted>) {
    let of_test = |test: &TestCase| {
        let row = test.row;
        let of_prompts = match prompts_of(test) {
            plain if plain.is_empty() => vec![test.prompt.clone()],
            plain => plain.iter().map(|symbols| TestPrompt::Plain(symbols.join(" "))).collect(),
        };
        of_prompts.into_iter().map(move |prompt| (prompt, row))
    };
    let of_tests = file.program().tests.iter().flat_map(of_test).collect::<Vec<_>>();
    let mut known = HashSet::new();
    let mut is_new = |it: &(TestPrompt, bool)| known.insert(it.clone());
    let wanted = |(prompt, row): (TestPrompt, bool)| Wanted { prompt: Prompt::from(&prompt), row };
    let mut different: Vec<Wanted> = of_tests.into_iter().filter(&mut is_new).map(wanted).collect();
    let tests = different.len();
    let of_data = data.iter().map(|example| (example.prompt.clone(), example.row));
    different.extend(of_data.filter(is_new).map(wanted));
    (tests, different)
}

fn in_parallel(
    workers: &dyn Workers,
    prompts: &[Wanted],
    trial: &(dyn Fn(&Wanted) -> Result<Trial, RunFailure> + Sync),
) -> Result<Vec<Trial>, RunFailure> {
    let made = Mutex::new(Vec::new());
    workers.each(prompts.len(), &|number| {
        let Some(prompt) = prompts.get(number) else { return };
        let trial = trial(prompt);
        made.lock().unwrap_or_else(PoisonError::into_inner).push((number, trial));
    });
    let mut made = made.into_inner().unwrap_or_else(PoisonError::into_inner);
    made.sort_by_key(|(number, _)| *number);
    made.into_iter().map(|(_, trial)| trial).collect()
}

struct Search<'s> {
    file: &'s File,
    trials: Vec<Trial>,
    /// The trials that decide about a removal. All are compared before a version counts as right.
    sample: Vec<usize>,
    workers: &'s dyn Workers,
    tried: usize,
}

/// A version, and the first of its removals that is not tried yet.
struct Step {
    version: Version,
    next: usize,
}

impl Search<'_> {
    /// Leaves out all that it can of a part, from a version that is right on all prompts. The result is right, too.
    fn without(&mut self, part: Part, right: Version) -> Version {
        let mut steps = vec![Step { version: right, next: 0 }];
        loop {
            while let Some(step) = steps.last_mut()
                && let Some((index, version)) = self.smaller(part, step)
            {
                step.next = index;
                steps.push(Step { version, next: index });
            }
            let last = steps.len() - 1;
            let wrong = match steps.last() {
                Some(step) if last > 0 => self.wrong(&step.version),
                _ => Vec::new(),
            };
            if self.workers.stopped() && self.sample.len() < self.trials.len() {
                steps.truncate(1);
                break;
            }
            if wrong.is_empty() {
                break;
            }
            self.sample.extend(&wrong);
            let keeps = |step: &Step| wrong.iter().all(|trial| self.is_kept(*trial, &step.version));
            steps.truncate(steps.iter().rposition(keeps).unwrap_or(0) + 1);
        }
        match steps.pop() {
            Some(step) => step.version,
            None => Version::original(self.file),
        }
    }

    /// The first removal from the next one on that the sample allows, with its index.
    fn smaller(&mut self, part: Part, step: &Step) -> Option<(usize, Version)> {
        let removals = removals(&step.version.checked, part);
        let mut sample: Vec<&Trial> = self.sample.iter().filter_map(|trial| self.trials.get(*trial)).collect();
        // What has refuted most others is likely to refute the next one.
        sample.sort_by_key(|trial| Reverse(trial.refuted.load(Ordering::Relaxed)));
        let smaller = |removal: &Removal| {
            self.workers.tried();
            let version = step.version.without(removal, self.file)?;
            let keeps = |trial: &&Trial| trial.is_kept_by(&version);
            sample.iter().all(keeps).then_some(version)
        };
        for (number, part) in removals.get(step.next..)?.chunks(SIDE_BY_SIDE).enumerate() {
            if self.workers.stopped() {
                return None;
            }
            let found = first(self.workers, part, &smaller);
            // Not those that were tried side by side after it: their number depends on the processors.
            self.tried += found.as_ref().map_or(part.len(), |(index, _)| index + 1);
            if let Some((index, version)) = found {
                return Some((step.next + number * SIDE_BY_SIDE + index, version));
            }
        }
        None
    }

    /// The first prompts outside the sample that a version changes.
    fn wrong(&self, version: &Version) -> Vec<usize> {
        let others: Vec<usize> = (0..self.trials.len()).filter(|trial| !self.sample.contains(trial)).collect();
        for part in others.chunks(LINES) {
            let wrong = Mutex::new(BTreeSet::new());
            self.workers.each(part.len(), &|number| {
                let trial = part.get(number).filter(|trial| !self.is_kept(**trial, version));
                wrong.lock().unwrap_or_else(PoisonError::into_inner).extend(trial);
            });
            let wrong = wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
            if !wrong.is_empty() {
                return wrong.into_iter().take(JOIN).collect();
            }
        }
        Vec::new()
    }

    fn is_kept(&self, trial: usize, version: &Version) -> bool {
        self.trials.get(trial).is_none_or(|trial| trial.is_kept_by(version))
    }
}

/// The first item of which the test makes something, with its index. Does not try those after it.
fn first<T: Sync, R: Send>(
    workers: &dyn Workers,
    items: &[T],
    test: &(impl Fn(&T) -> Option<R> + Sync),
) -> Option<(usize, R)> {
    let found: Mutex<Option<(usize, R)>> = Mutex::new(None);
    let lock = || found.lock().unwrap_or_else(PoisonError::into_inner);
    workers.each(items.len(), &|number| {
        if lock().as_ref().is_some_and(|(earlier, _)| *earlier < number) {
            return;
        }
        let Some(result) = items.get(number).and_then(test) else { return };
        let mut found = lock();
        if found.as_ref().is_none_or(|(other, _)| number < *other) {
            *found = Some((number, result));
        }
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}
