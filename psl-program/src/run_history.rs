//! The results of a program's runs. They are kept across edits as long as the compiled program stays the same.

use std::collections::HashMap;

use psl_runtime::{
    Continuation, Options,
    qkvl::{self, Block},
};
use psl_syntax::program::{TestCase, TestPrompt};

use crate::{file::File, prompt::Prompt, run_outcome::RunOutcome, test_prompts::TestPrompts, test_report::Outcome};

/// The runs of a program.
#[derive(Clone, Default)]
pub struct RunHistory {
    last_prompt: Option<Prompt>,
    /// The program that the results belong to.
    program: Option<CompiledProgram>,
    results: RunResults,
}

/// The parts of a program that determine the continuation of a prompt.
#[derive(Clone, PartialEq)]
struct CompiledProgram {
    /// Without labels.
    qkvl: qkvl::Program,
    options: Options,
    prompts: TestPrompts,
}

/// The outcomes of tests, and the result of the last run.
#[derive(Clone, Debug, Default)]
pub struct RunResults {
    /// The outcomes of tests, by prompt and expected continuation.
    tests: HashMap<(TestPrompt, String), Outcome>,
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

    /// Whether there are no results.
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty() && self.fired.is_empty() && self.last.is_none()
    }
}

fn key(test: &TestCase) -> (TestPrompt, String) {
    (test.prompt.clone(), test.gold.clone())
}

impl RunHistory {
    /// The results for this file, or for an earlier version with the same compiled program.
    pub fn results(&self, file: &File) -> RunResults {
        let known = self.program.is_some() && self.program == CompiledProgram::of(file);
        if known { self.results.clone() } else { RunResults::default() }
    }

    /// Records a run of this file as the last one.
    pub fn note(&mut self, file: &File, outcome: &RunOutcome) {
        self.last_prompt = Some(outcome.prompt.clone());
        let results = self.results_mut(file);
        results.fired.clone_from(&outcome.fired);
        let test = outcome.test.and_then(|index| file.checked().analysis.program.tests.get(index));
        match (test, &outcome.gave.result) {
            (Some(test), _) => _ = results.tests.insert(key(test), outcome.gave.clone()),
            (None, Ok(continuation)) => results.last = Some((outcome.prompt.clone(), continuation.clone())),
            (None, Err(_)) => {}
        }
    }

    /// Records runs of all tests of this file, in order.
    pub fn note_tests(&mut self, file: &File, outcomes: Vec<RunOutcome>) {
        let tests = &file.checked().analysis.program.tests;
        let gave = tests.iter().zip(outcomes).map(|(test, outcome)| (key(test), outcome.gave));
        self.results_mut(file).tests.extend(gave);
    }

    /// The results for programs that compile to the same as this file.
    fn results_mut(&mut self, file: &File) -> &mut RunResults {
        let program = CompiledProgram::of(file);
        if self.program != program {
            self.program = program;
            self.results = RunResults::default();
        }
        &mut self.results
    }

    /// The last prompt that was run, by itself or in a test, with any version of the program. `None` if it is in a file that
    /// tests no longer name.
    pub fn last_prompt(&self, file: &File) -> Option<Prompt> {
        let there = |prompt: &Prompt| match prompt {
            Prompt::File(prompt) => file.prompt_files().any(|named| named == prompt),
            _ => true,
        };
        self.last_prompt.clone().filter(there)
    }

    /// The last prompt that was run, or that of the first test.
    pub fn usual_prompt(&self, file: &File) -> Option<Prompt> {
        let first = || file.checked().analysis.program.tests.first().map(|test| Prompt::from(&test.prompt));
        self.last_prompt(file).or_else(first)
    }
}

impl CompiledProgram {
    /// `None` if the program cannot run.
    fn of(file: &File) -> Option<Self> {
        let runner = file.runner().ok()?;
        let mut qkvl = runner.executable().qkvl().clone();
        remove_labels(&mut qkvl.weights);
        let options = runner.options(&Options::default());
        Some(Self { qkvl, options, prompts: runner.prompts().clone() })
    }
}

fn remove_labels(blocks: &mut [Block]) {
    for block in blocks {
        match block {
            Block::Layer(layer) => layer.layer_comment = None,
            Block::Repeat(repeat) => {
                repeat.layer_comment = None;
                remove_labels(&mut repeat.weights);
            }
        }
    }
}
