//! Searches for a file, with its tests as examples.

use std::{
    fmt,
    sync::{Arc, atomic::AtomicBool},
};

use psl_program::{File, RunFailure, Runner};
use psl_syntax::{Code, holes::holes};

use crate::{
    example::Example,
    fill::{Fillings, fill},
    judge::Judge,
    repair::{Repairs, repair},
    workers::Workers,
};

/// The reason why a search cannot start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSearch {
    /// The program has errors. For its holes, other errors.
    Errors,
    /// The program has no holes.
    NoHoles,
    /// The program has no tests, and there are no other examples.
    NoTests,
    /// The program has no tests, and there are no other prompts.
    NoPrompts,
    /// All tests pass.
    AllPass,
    /// The program has holes.
    Holes,
    /// An example fails, in words: the test `swap`.
    Fails(String),
    /// The test passes.
    Passes,
    /// The prompt of the test is structured.
    Structured,
    /// The law was not decided.
    Undecided,
    /// The prompt of an example cannot be used.
    Prompt(RunFailure),
}

impl fmt::Display for NoSearch {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Errors => out.write_str("the program has errors"),
            Self::NoHoles => out.write_str("the program has no holes: write `?` for a part that is missing"),
            Self::NoTests => out.write_str(
                "the program has no tests: add one such as `//@ test \"A B\" => \"C\"` for what it should do",
            ),
            Self::NoPrompts => out.write_str(
                "there are no prompts to compare: add a test such as `//@ test \"A B\" => \"C\"`, or a file of data",
            ),
            Self::AllPass => out.write_str("all tests pass"),
            Self::Holes => out.write_str("the program has holes: `psl fill` searches for what belongs there"),
            Self::Fails(which) => write!(out, "{which} fails: mutants need tests that pass"),
            Self::Passes => out.write_str("the test passes: choose one that fails, which `psl test` lists"),
            Self::Structured => out.write_str("the prompt is structured: choose a test with a plain one"),
            Self::Undecided => out.write_str("the law was not decided in time: give more `--seconds`"),
            Self::Prompt(failure) => write!(out, "a test cannot run: {}", failure.message),
        }
    }
}

/// Searches for changes with which all tests of a file pass. Examples held back only decide which repairs are better.
/// All runs end soon after `cancelled` is set.
///
/// # Errors
///
/// A program with errors, without tests, or whose tests pass or cannot run.
pub fn repair_file(
    file: &File,
    held_back: &[Example],
    workers: &dyn Workers,
    cancelled: &Arc<AtomicBool>,
) -> Result<Repairs, NoSearch> {
    let runner = file.runner().map_err(|_| NoSearch::Errors)?;
    let checked = file.checked();
    let judge = |examples: &[Example]| Judge::new(checked, runner, examples, cancelled).map_err(NoSearch::Prompt);
    let tests = Example::of_tests(&checked.analysis.program);
    if tests.is_empty() {
        return Err(NoSearch::NoTests);
    }
    let judged = judge(&tests)?;
    if judged.failures().is_empty() {
        return Err(NoSearch::AllPass);
    }
    let held_back = if held_back.is_empty() { None } else { Some(judge(held_back)?) };
    Ok(repair(&judged, held_back.as_ref(), runner, &tests, workers))
}

/// Searches for what belongs in the holes of a file, so that its tests and more examples pass. All runs end soon after
/// `cancelled` is set.
///
/// # Errors
///
/// A program without holes, with other errors, or without tests and examples, or whose tests cannot run.
pub fn fill_file(
    file: &File,
    examples: &[Example],
    workers: &dyn Workers,
    cancelled: &Arc<AtomicBool>,
) -> Result<Fillings, NoSearch> {
    let checked = file.checked();
    if file.errors().iter().any(|error| error.code != Code::Hole) {
        return Err(NoSearch::Errors);
    }
    if holes(&checked.tree).is_empty() {
        return Err(NoSearch::NoHoles);
    }
    let mut all = Example::of_tests(&checked.analysis.program);
    all.extend_from_slice(examples);
    if all.is_empty() {
        return Err(NoSearch::NoTests);
    }
    let runner = |filled: &psl_syntax::Checked| {
        let runner = Runner::new(&filled.analysis.program).with_stop(file.config().stop.clone());
        runner.with_prompts(file.compiled().prompts().clone())
    };
    fill(checked, runner, &all, workers, cancelled).map_err(NoSearch::Prompt)
}
