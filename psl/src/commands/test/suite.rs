//! The results of tests, as data for reports.

use std::time::Duration;

use clap::ValueEnum;
use psl_program::laws::LawVerdict;
use psl_runtime::MachineKind;
use serde_json::Value;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A line for each test, the differences below, and a summary
    #[default]
    #[value(alias = "text")]
    Human,
    /// One JSON object a line, for each test on each machine
    Json,
    /// JUnit's XML: a suite for each file, a case for each test
    Junit,
    /// LCOV's tracefile of the coverage, with --coverage
    Lcov,
}

/// The results of a file's tests.
pub struct Suite {
    pub file: String,
    /// The file for services that show a repository: from its root.
    pub file_from_root: String,
    pub cases: Vec<Case>,
    /// The tests that cannot be read.
    pub unread: Vec<Unread>,
    /// The reason why no test ran, if the program does not compile.
    pub broken: Option<Broken>,
}

/// A line that is meant as a test but cannot be read.
pub struct Unread {
    /// `path:line:column`.
    pub place: String,
    pub line: usize,
    pub error: String,
}

/// A program that does not compile.
pub struct Broken {
    /// That it does not compile, or why.
    pub reason: &'static str,
    /// The line of the first error.
    pub line: usize,
    /// The message of the first error.
    pub error: String,
}

/// The results of a test on each machine that ran it.
pub struct Case {
    /// `path:line:column`.
    pub place: String,
    pub line: usize,
    pub name: Option<String>,
    /// The test's number in the file.
    pub number: usize,
    pub prompt: Value,
    /// The symbols of the prompt, or the name of its file.
    pub prompt_text: String,
    pub gold: String,
    /// Whether the test is a law. Prompt and gold are then those of a prompt that breaks it, else of its shortest.
    pub is_law: bool,
    /// The command that runs the prompt; `None` if the program is standard input.
    pub command: Option<Vec<String>>,
    pub runs: Vec<MachineRun>,
}

/// The result of a test on one machine.
pub struct MachineRun {
    pub machine: MachineKind,
    /// The continuation; `None` if the prompt could not be run.
    pub got: Option<String>,
    /// `None` if the test passed.
    pub problem: Option<Problem>,
    /// The verdict of a law, if it could be decided.
    pub law: Option<LawVerdict>,
    pub time: Duration,
}

/// The reason of a failure.
#[derive(Clone, PartialEq)]
pub struct Problem {
    /// The number of the first wrong symbol, if there is a continuation.
    pub first_wrong: Option<usize>,
    /// The difference, or why the prompt could not be run.
    pub message: String,
    /// The layer that wrote the symbol.
    pub cause: Option<String>,
    /// The options of `psl run` that show the layer.
    pub options: Vec<String>,
}

impl Problem {
    /// Message and cause.
    pub fn explanation(&self) -> String {
        match &self.cause {
            Some(cause) => format!("{}: {cause}", self.message),
            None => self.message.clone(),
        }
    }
}

impl Suite {
    pub fn failed(&self) -> usize {
        let failed = self.cases.iter().filter(|case| !case.passed()).count();
        usize::from(self.broken.is_some()) + self.unread.len() + failed
    }

    pub fn passed(&self) -> usize {
        self.cases.iter().filter(|case| case.passed()).count()
    }
}

impl Case {
    pub fn passed(&self) -> bool {
        self.runs.iter().all(|run| run.problem.is_none())
    }

    /// The name, or `test` and the number.
    pub fn title(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("test {}", self.number))
    }

    /// The sentence of what the runs of a law prove, if it holds.
    pub fn holds(&self) -> Option<&str> {
        self.runs.iter().find_map(|run| run.law.as_ref()?.holds.as_deref())
    }

    /// Groups the machines whose runs have the same result.
    pub fn groups(&self) -> Vec<(Vec<MachineKind>, &MachineRun)> {
        let mut groups: Vec<(Vec<MachineKind>, &MachineRun)> = Vec::new();
        for run in &self.runs {
            match groups.iter_mut().find(|(_, first)| first.got == run.got && first.problem == run.problem) {
                Some((machines, _)) => machines.push(run.machine),
                None => groups.push((vec![run.machine], run)),
            }
        }
        groups
    }
}
