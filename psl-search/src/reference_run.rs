//! Prompts with what a program does for them, which changed programs are compared with.

use std::mem::{Discriminant, discriminant};

use psl_runtime::{Executable, RunError, Task};

use crate::{judge::allowed_work, proof::generate};

/// A prompt with what a program does for it.
pub struct ReferenceRun {
    /// The run, with a limit on the work of changed programs.
    task: Task,
    /// The work of the program, in comparisons. 0 if the run fails.
    work: u64,
    /// The continuation, or the kind of failure. Null is `None`.
    end: Result<Vec<Option<String>>, Discriminant<RunError>>,
}

/// The way in which a changed program departs from what the program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// Another continuation, or another kind of failure.
    Other,
    /// A repeat block never ends, or the run takes many times the work.
    Endless,
}

impl ReferenceRun {
    /// Runs a prompt with at most this work, in comparisons. `None` if the program takes more.
    pub fn new(executable: &Executable, mut task: Task, max_work: u64) -> Option<Self> {
        task.limits.max_work = task.limits.max_work.min(max_work);
        let mut symbols = Vec::new();
        let end = generate(executable, &task, |text| {
            symbols.push(text.map(str::to_owned));
            true
        });
        if matches!(end, Err(RunError::TooMuchWork { .. })) {
            return None;
        }
        let cells = task.input.cells.len() + symbols.len();
        let work = *end.as_ref().unwrap_or(&0);
        task.limits.max_work = allowed_work(executable, cells, work);
        Some(Self { task, work, end: end.map(|_| symbols).map_err(|error| discriminant(&error)) })
    }

    /// The way in which a changed program departs. `None` if it does the same.
    pub fn departure(&self, changed: &Executable) -> Option<Departure> {
        let mut left = self.end.iter().flatten();
        let mut is_same = true;
        let end = generate(changed, &self.task, |text| {
            is_same = self.end.is_err() || left.next().is_some_and(|own| own.as_deref() == text);
            is_same
        });
        match (end, &self.end) {
            (Ok(_), Ok(_)) if is_same && left.next().is_none() => None,
            (Err(error), Err(own)) if discriminant(&error) == *own => None,
            (Err(RunError::Endless { .. } | RunError::TooManyPasses { .. } | RunError::TooMuchWork { .. }), _) => {
                Some(Departure::Endless)
            }
            (Ok(_) | Err(_), _) => Some(Departure::Other),
        }
    }

    /// Whether the program generates a continuation, its symbols separated by spaces.
    pub fn continues_with(&self, gold: &str) -> bool {
        let Ok(symbols) = &self.end else { return false };
        let null = || self.task.vocabulary.show(None);
        let words = symbols.iter().flat_map(|symbol| symbol.as_deref().unwrap_or_else(null).split_whitespace());
        words.eq(gold.split_whitespace())
    }

    /// The work of the program, in comparisons. 0 if the run fails.
    pub const fn work(&self) -> u64 {
        self.work
    }

    /// Whether the program ends the continuation by itself or answers with a row, and no symbol is null.
    pub fn is_whole(&self) -> bool {
        self.end.as_ref().is_ok_and(|symbols| {
            let stop = self.task.limits.stop.and_then(|stop| self.task.vocabulary.text(stop));
            let is_ended = || symbols.last().is_some_and(|last| last.as_deref() == stop);
            symbols.iter().all(Option::is_some) && (self.task.answer.is_some() || is_ended())
        })
    }
}
