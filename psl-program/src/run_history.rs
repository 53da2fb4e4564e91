//! The results of a program's runs. They are kept across edits as long as the program runs the same.

use std::collections::HashMap;

use psl_runtime::{Continuation, Options};
use psl_syntax::{
    Program,
    law::Law,
    program::{TestCase, TestPrompt},
    run_alike,
};

use crate::{
    file::File, prompt::Prompt, run_outcome::RunOutcome, runner::Runner, test_prompts::TestPrompts,
    test_report::Outcome,
};

/// The runs of a program.
#[derive(Clone, Default)]
pub struct RunHistory {
    last_prompt: Option<Prompt>,
    /// The program that the results belong to.
    program: Option<RunProgram>,
    results: RunResults,
}

/// The parts of a program that determine the continuation of a prompt.
#[derive(Clone)]
struct RunProgram {
    program: Program,
    options: Options,
    prompts: TestPrompts,
}

impl RunProgram {
    /// Whether a file's runner runs the same.
    fn runs_like(&self, runner: &Runner) -> bool {
        run_alike(&self.program, &runner.executable().program)
            && self.options == runner.options(&Options::default())
            && self.prompts == *runner.prompts()
    }
}

/// The outcomes of tests, and the result of the last run.
#[derive(Clone, Debug, Default)]
pub struct RunResults {
    /// The outcomes of tests.
    tests: HashMap<TestKey, Outcome>,
    /// The number of times each production fired in the last run: entry i is layer i + 1.
    pub fired: Vec<usize>,
    /// The last prompt that was run outside a test, and its continuation.
    pub last: Option<(Prompt, Continuation)>,
}

impl RunResults {
    /// The outcome of the last run of a test, or `None` if it has not run.
    pub fn test(&self, test: &TestCase) -> Option<&Outcome> {
        self.tests.get(&key(test))
    }

    /// Whether the program has no results.
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty() && self.fired.is_empty() && self.last.is_none()
    }
}

/// The parts of a test that decide its outcome: prompt, what is expected, whether that is a row, and law.
type TestKey = (TestPrompt, String, bool, Option<Law>);

fn key(test: &TestCase) -> TestKey {
    (test.prompt.clone(), test.gold.clone(), test.row, test.law.clone())
}

impl RunHistory {
    /// The results for this file, or for an earlier version that runs the same.
    pub fn results(&self, file: &File) -> RunResults {
        if self.is_of(file) { self.results.clone() } else { RunResults::default() }
    }

    fn is_of(&self, file: &File) -> bool {
        file.runner().is_ok_and(|runner| self.program.as_ref().is_some_and(|program| program.runs_like(runner)))
    }

    /// Records a run of this file as the last one.
    pub fn note(&mut self, file: &File, outcome: &RunOutcome) {
        self.last_prompt = Some(outcome.prompt.clone());
        self.results_mut(file).fired.clone_from(&outcome.fired);
        self.note_in_background(file, outcome);
    }

    /// Records the outcome of a run of this file. The last run stays the last one.
    pub fn note_in_background(&mut self, file: &File, outcome: &RunOutcome) {
        let results = self.results_mut(file);
        let test = outcome.test.and_then(|index| file.program().tests.get(index));
        match (test, &outcome.outcome.result) {
            (Some(test), _) => _ = results.tests.insert(key(test), outcome.outcome.clone()),
            (None, Ok(continuation)) => results.last = Some((outcome.prompt.clone(), continuation.clone())),
            (None, Err(_)) => {}
        }
    }

    /// Records runs of all tests of this file, in order.
    pub fn note_tests(&mut self, file: &File, outcomes: Vec<RunOutcome>) {
        let tests = &file.program().tests;
        let known = tests.iter().zip(outcomes).map(|(test, outcome)| (key(test), outcome.outcome));
        self.results_mut(file).tests.extend(known);
    }

    /// The results for programs that run like this file.
    fn results_mut(&mut self, file: &File) -> &mut RunResults {
        if !self.is_of(file) {
            let of_runner = |runner: &Runner| RunProgram {
                program: runner.executable().program.clone(),
                options: runner.options(&Options::default()),
                prompts: runner.prompts().clone(),
            };
            self.program = file.runner().ok().map(of_runner);
            self.results = RunResults::default();
        }
        &mut self.results
    }

    /// The last prompt that was run, by itself or in a test, with any version of the program. `None` if it is in a file
    /// that tests no longer name.
    pub fn last_prompt(&self, file: &File) -> Option<Prompt> {
        let there = |prompt: &Prompt| match prompt {
            Prompt::File(prompt) => file.prompt_files().any(|named| named == prompt),
            _ => true,
        };
        self.last_prompt.clone().filter(there)
    }

    /// The last prompt that was run, or that of the first test.
    pub fn usual_prompt(&self, file: &File) -> Option<Prompt> {
        let first = || file.program().tests.first().map(|test| Prompt::from(&test.prompt));
        self.last_prompt(file).or_else(first)
    }
}
