//! What is kept of a document from one version to the next, until it is closed.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use psl_runtime::{
    Options,
    qkvl::{self, Block},
};
use psl_syntax::program::{TestCase, TestPrompt};

use crate::{
    execute::{Completion, RunFailure},
    server::{convert::tokens::SentTokens, documents::Snapshot},
    test_prompts::TestPrompts,
};

/// Shared by the versions of a document.
#[derive(Default)]
pub struct Kept {
    /// The semantic tokens that the client was sent last.
    pub tokens: SentTokens,
    runs: Mutex<Runs>,
}

#[derive(Default)]
struct Runs {
    ran: Option<TestPrompt>,
    /// What the results are of.
    program: Option<Compiled>,
    results: Results,
}

/// What decides how a prompt is continued.
#[derive(PartialEq)]
struct Compiled {
    /// Without labels.
    qkvl: qkvl::Program,
    options: Options,
    prompts: TestPrompts,
}

/// What runs of a program gave.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Of tests, by prompt and gold.
    tests: HashMap<(TestPrompt, String), Result<Completion, RunFailure>>,
    /// How often each production fired in the last run: entry i is layer i + 1.
    pub fired: Vec<usize>,
    /// The last prompt that was run by itself, and its continuation.
    pub last: Option<(TestPrompt, Completion)>,
}

impl Results {
    /// What a test gave.
    pub fn test(&self, test: &TestCase) -> Option<&Result<Completion, RunFailure>> {
        self.tests.get(&key(test))
    }

    /// Notes what a test gave.
    pub fn set_test(&mut self, test: &TestCase, result: Result<Completion, RunFailure>) {
        self.tests.insert(key(test), result);
    }

    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty() && self.fired.is_empty() && self.last.is_none()
    }
}

fn key(test: &TestCase) -> (TestPrompt, String) {
    (test.prompt.clone(), test.gold.clone())
}

impl Snapshot {
    /// What runs gave, of this version and of those before it that compile to the same.
    pub fn results(&self) -> Results {
        if self.runs().program.is_none() {
            return Results::default();
        }
        let program = self.program();
        let runs = self.runs();
        if runs.program == program { runs.results.clone() } else { Results::default() }
    }

    /// Notes what runs of this version gave.
    pub fn record(&self, note: impl FnOnce(&mut Results)) {
        let program = self.program();
        let mut runs = self.runs();
        if runs.program != program {
            runs.program = program;
            runs.results = Results::default();
        }
        note(&mut runs.results);
    }

    /// The prompt that was run last, by itself or as a test's, whatever the program was then; nothing where it was in a file that
    /// no test names any more.
    pub fn ran(&self) -> Option<TestPrompt> {
        let tests = &self.checked().analysis.program.tests;
        let there = |prompt: &TestPrompt| {
            matches!(prompt, TestPrompt::Plain(_)) || tests.iter().any(|test| test.prompt == *prompt)
        };
        self.runs().ran.clone().filter(there)
    }

    /// The prompt that was run last, else that of the first test.
    pub fn usual_prompt(&self) -> Option<TestPrompt> {
        self.ran().or_else(|| Some(self.checked().analysis.program.tests.first()?.prompt.clone()))
    }

    /// Notes the prompt that was run last.
    pub fn set_ran(&self, prompt: &TestPrompt) {
        self.runs().ran = Some(prompt.clone());
    }

    fn runs(&self) -> MutexGuard<'_, Runs> {
        self.kept.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nothing where it can not run.
    fn program(&self) -> Option<Compiled> {
        let runner = self.runner().ok()?;
        let mut qkvl = runner.executable().qkvl.clone();
        remove_labels(&mut qkvl.weights);
        let options = runner.options(&Options::default());
        Some(Compiled { qkvl, options, prompts: runner.prompts().clone() })
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
