//! What runs of a program gave, kept from one version of its text to the next for as long as it compiles to the same.

use std::collections::HashMap;

use psl_runtime::{
    Options,
    qkvl::{self, Block},
};
use psl_syntax::program::{TestCase, TestPrompt};

use crate::{
    file::File, run_outcome::RunOutcome, runner::Continuation, test_prompts::TestPrompts, test_report::Outcome,
};

/// The runs of a program.
#[derive(Clone, Default)]
pub struct RunHistory {
    last_prompt: Option<TestPrompt>,
    /// What the results are of.
    program: Option<CompiledProgram>,
    results: RunResults,
}

/// What decides how a prompt is continued.
#[derive(Clone, PartialEq)]
struct CompiledProgram {
    /// Without labels.
    qkvl: qkvl::Program,
    options: Options,
    prompts: TestPrompts,
}

/// What runs gave.
#[derive(Clone, Debug, Default)]
pub struct RunResults {
    /// Of tests, by prompt and gold.
    tests: HashMap<(TestPrompt, String), Outcome>,
    /// How often each production fired in the last run: entry i is layer i + 1.
    pub fired: Vec<usize>,
    /// The last prompt that was run by itself, and its continuation.
    pub last: Option<(TestPrompt, Continuation)>,
}

impl RunResults {
    /// What a test gave.
    pub fn test(&self, test: &TestCase) -> Option<&Outcome> {
        self.tests.get(&key(test))
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty() && self.fired.is_empty() && self.last.is_none()
    }
}

fn key(test: &TestCase) -> (TestPrompt, String) {
    (test.prompt.clone(), test.gold.clone())
}

impl RunHistory {
    /// What runs gave of this file, or of an earlier version that compiles to the same.
    pub fn results(&self, file: &File) -> RunResults {
        let known = self.program.is_some() && self.program == CompiledProgram::of(file);
        if known { self.results.clone() } else { RunResults::default() }
    }

    /// Notes a run of this file, which becomes the last.
    pub fn note(&mut self, file: &File, outcome: &RunOutcome) {
        self.last_prompt = Some(outcome.prompt.clone());
        let results = self.results_mut(file);
        results.fired.clone_from(&outcome.fired);
        let test = outcome.test.and_then(|index| file.checked().analysis.program.tests.get(index));
        match (test, &outcome.gave.result) {
            (Some(test), _) => _ = results.tests.insert(key(test), outcome.gave.clone()),
            (None, Ok(completion)) => results.last = Some((outcome.prompt.clone(), completion.clone())),
            (None, Err(_)) => {}
        }
    }

    /// Notes runs of all tests of this file, in their order.
    pub fn note_tests(&mut self, file: &File, outcomes: Vec<RunOutcome>) {
        let tests = &file.checked().analysis.program.tests;
        let gave = tests.iter().zip(outcomes).map(|(test, outcome)| (key(test), outcome.gave));
        self.results_mut(file).tests.extend(gave);
    }

    /// What runs gave of programs that compile to what this file does.
    fn results_mut(&mut self, file: &File) -> &mut RunResults {
        let program = CompiledProgram::of(file);
        if self.program != program {
            self.program = program;
            self.results = RunResults::default();
        }
        &mut self.results
    }

    /// The prompt that was run last, by itself or as a test's, whatever the program was then; nothing where it was in a file that
    /// no test names any more.
    pub fn last_prompt(&self, file: &File) -> Option<TestPrompt> {
        let tests = &file.checked().analysis.program.tests;
        let there = |prompt: &TestPrompt| {
            matches!(prompt, TestPrompt::Plain(_)) || tests.iter().any(|test| test.prompt == *prompt)
        };
        self.last_prompt.clone().filter(there)
    }

    /// The prompt that was run last, else that of the first test.
    pub fn usual_prompt(&self, file: &File) -> Option<TestPrompt> {
        self.last_prompt(file).or_else(|| Some(file.checked().analysis.program.tests.first()?.prompt.clone()))
    }
}

impl CompiledProgram {
    /// Nothing where the program cannot run.
    fn of(file: &File) -> Option<Self> {
        let runner = file.runner().ok()?;
        let mut qkvl = runner.executable().qkvl.clone();
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
