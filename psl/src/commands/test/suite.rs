//! What tests gave, as data for reports.

use std::time::Duration;

use clap::ValueEnum;
use psl_runtime::MachineKind;
use serde_json::Value;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A line a test, and a summary.
    #[default]
    Text,
    /// One JSON object a line, for each test on each machine.
    Json,
    /// JUnit's XML: a suite a file, a case a test.
    Junit,
}

/// What the tests of a file gave.
pub struct Suite {
    pub file: String,
    pub cases: Vec<Case>,
    /// The place of the first error and what it is, where the program does not compile; its tests did not run then.
    pub broken: Option<(usize, String)>,
}

/// What a test gave on each machine that ran it.
pub struct Case {
    /// `path:line:column`.
    pub place: String,
    pub line: usize,
    pub name: Option<String>,
    /// Its number in the file, from 1.
    pub number: usize,
    pub prompt: Value,
    pub gold: String,
    pub runs: Vec<MachineRun>,
}

/// What a test gave on one machine.
pub struct MachineRun {
    pub machine: MachineKind,
    /// The continuation; nothing where the prompt could not be run.
    pub got: Option<String>,
    /// Nothing where it passed.
    pub problem: Option<Problem>,
    pub time: Duration,
}

/// Why a test failed.
#[derive(Clone, PartialEq)]
pub struct Problem {
    /// The number of the first wrong symbol, from 1, where there is a continuation.
    pub first_wrong: Option<usize>,
    /// What led to it.
    pub explanation: String,
}

impl Suite {
    pub fn failed(&self) -> usize {
        usize::from(self.broken.is_some()) + self.cases.iter().filter(|case| !case.passed()).count()
    }

    pub fn passed(&self) -> usize {
        self.cases.iter().filter(|case| case.passed()).count()
    }
}

impl Case {
    pub fn passed(&self) -> bool {
        self.runs.iter().all(|run| run.problem.is_none())
    }

    /// As people call it.
    pub fn title(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("test {}", self.number))
    }
}
