//! Scores a program on lines of task data.

use std::sync::{Arc, atomic::AtomicBool};

use psl_program::{Continuation, RunFailure, Runner};
use psl_runtime::{MachineKind, Options};

use super::line::{Line, LineFormat};

/// A program on a machine, with the options of its runs.
pub struct Subject<'r> {
    pub runner: &'r Runner,
    pub machine: MachineKind,
    pub options: Options,
    /// Ends runs as soon as it is true. Those that it ends are failures.
    pub cancelled: Option<Arc<AtomicBool>>,
}

/// A scored line.
pub struct Scored {
    /// The line's number in the file, 1-based.
    pub line: usize,
    /// The whole line if it is malformed.
    pub prompt: String,
    /// `None` if the line is malformed.
    pub gold: Option<String>,
    /// The line's info, or `None` if it has none.
    pub info: Option<String>,
    /// The continuation, or why there is none.
    pub got: Result<String, String>,
    pub correct: bool,
    /// The number of symbols of the gold that the continuation has in the same place, and of all. A malformed line has
    /// none.
    pub tokens: (usize, usize),
    /// The symbols that loaded weights lack.
    pub unknown: Vec<String>,
}

impl Scored {
    /// A line that cannot be read.
    pub fn unreadable(line: usize, text: &str, why: &str) -> Self {
        let (prompt, got) = (text.to_owned(), Err(format!("malformed line: {why}")));
        Self { line, prompt, gold: None, info: None, got, correct: false, tokens: (0, 0), unknown: Vec::new() }
    }
}

impl Subject<'_> {
    /// Runs the prompt of a line, and compares the continuation with the gold. `line` is its number in the file,
    /// 1-based.
    pub fn score(&self, line: usize, text: &str, format: LineFormat) -> Scored {
        let data = match format.parse(text) {
            Ok(data) => data,
            Err(error) => {
                return Scored::unreadable(line, text, &error);
            }
        };
        self.score_line(line, data)
    }

    /// Runs the prompt of a parsed line, and compares the continuation with the gold.
    pub fn score_line(&self, line: usize, data: Line<'_>) -> Scored {
        let continuation = self.complete(&data.prompt);
        let correct = continuation.as_ref().is_ok_and(|continuation| continuation.is(&data.gold));
        let right = continuation.as_ref().map_or(0, |continuation| continuation.right_words(&data.gold));
        let tokens = (right, data.gold.split_whitespace().count());
        let unknown = if continuation.is_ok() { Vec::new() } else { self.runner.executable().unknown(&symbols(&data)) };
        Scored {
            line,
            unknown: unknown.into_iter().map(str::to_owned).collect(),
            info: (data.info != "null").then(|| data.info.into_owned()),
            prompt: data.prompt.into_owned(),
            gold: Some(data.gold.into_owned()),
            got: continuation.map(|continuation| continuation.text()).map_err(|failure| failure.message),
            correct,
            tokens,
        }
    }

    fn complete(&self, prompt: &str) -> Result<Continuation, RunFailure> {
        let mut task = self.runner.task_with(prompt, &self.options)?;
        task.limits.cancelled.extend(self.cancelled.clone());
        self.runner.complete(&task, self.machine, None)
    }
}

/// The symbols of the prompt and of the gold, which a vocabulary needs.
fn symbols<'l>(data: &'l Line<'_>) -> Vec<&'l str> {
    data.prompt.split_whitespace().chain(data.gold.split_whitespace()).collect()
}
