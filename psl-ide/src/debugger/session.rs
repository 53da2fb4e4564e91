//! A debugged run: its record, and the moment at which it stands.

use std::sync::Arc;

use psl_runtime::{MachineKind, Task};

use super::{
    place::Place,
    timeline::{Moment, Timeline},
};
use crate::{
    file::File,
    progress::Progress,
    recorded_run::RecordedRun,
    run::TestName,
    runner::{RunFailure, Runner},
    structured_prompt::StructuredPrompt,
};

/// What to debug.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The prompt.
    pub prompt: DebugPrompt,
    /// The machine that runs it.
    pub machine: MachineKind,
    /// The maximum number of passes of one repeat block, or `None` for the default.
    pub max_passes: Option<usize>,
}

/// A prompt to debug.
#[derive(Clone, Debug)]
pub enum DebugPrompt {
    /// Symbols separated by spaces.
    Plain(String),
    /// Cells that set registers.
    Structured(StructuredPrompt),
    /// The prompt of a test, whose gold the continuation is compared with.
    Test(TestName),
}

/// A way to move from one moment to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the next layer. From a repeat block, over all its passes.
    Next,
    /// To the next cell of the layer, or into the first pass of a repeat block.
    In,
    /// To the end of the pass, then of the block, then of the forward step.
    Out,
    /// To the layer before.
    Back,
    /// To the cell before: the reverse of [`Step::In`].
    BackIn,
}

/// A run that is being debugged.
pub struct Debugger {
    file: Arc<File>,
    task: Task,
    machine: MachineKind,
    gold: Option<String>,
    run: RecordedRun,
    moment: Moment,
}

impl Debugger {
    /// Records a run and stands at its start.
    ///
    /// # Errors
    ///
    /// Fails if the program does not compile, the test or the prompt is missing, or the prompt does not suit the program.
    pub fn new(file: Arc<File>, launch: &Launch, progress: &Progress) -> Result<Self, RunFailure> {
        let runner = file.runner().map_err(RunFailure::from)?;
        let (task, gold) = task(&file, runner, launch)?;
        let run = RecordedRun::new(runner, task.clone(), launch.machine, progress);
        let moment = Timeline::new(&run).start();
        Ok(Self { file, task, machine: launch.machine, gold, run, moment })
    }

    /// The program.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// The record of the run.
    pub fn run(&self) -> &RecordedRun {
        &self.run
    }

    /// The moments of the run.
    pub fn timeline(&self) -> Timeline<'_> {
        Timeline::new(&self.run)
    }

    /// The expected continuation, if a test is debugged.
    pub fn gold(&self) -> Option<&str> {
        self.gold.as_deref()
    }

    /// The current moment.
    pub fn moment(&self) -> Moment {
        self.moment
    }

    /// The place of the current moment.
    pub fn place(&self) -> Place {
        self.timeline().place(self.moment)
    }

    /// Moves one step. Returns false at the end or the start of the run.
    pub fn step(&mut self, step: Step) -> bool {
        let timeline = self.timeline();
        let target = match step {
            Step::Next => timeline.next(self.moment),
            Step::In => timeline.next_cell(self.moment),
            Step::Out => timeline.out(self.moment),
            Step::Back => timeline.back(self.moment),
            Step::BackIn => timeline.back_cell(self.moment),
        };
        self.moment = target.unwrap_or(self.moment);
        target.is_some()
    }

    /// Moves to a moment of the run.
    pub fn go_to(&mut self, moment: Moment) {
        self.moment = moment;
    }
}

fn task(file: &File, runner: &Runner, launch: &Launch) -> Result<(Task, Option<String>), RunFailure> {
    let options = |max_passes| psl_runtime::Options { max_passes, ..psl_runtime::Options::default() };
    let options = runner.options(&options(launch.max_passes));
    match &launch.prompt {
        DebugPrompt::Plain(symbols) => Ok((runner.task_with(symbols, &options)?, None)),
        DebugPrompt::Structured(cells) => Ok((runner.structured_task(cells, &options)?, None)),
        DebugPrompt::Test(name) => {
            let tests = &file.checked().analysis.program.tests;
            let found = match name {
                TestName::Index(index) => tests.get(*index),
                TestName::Name(name) => tests.iter().find(|test| test.name.as_ref() == Some(name)),
            };
            let test = found.ok_or_else(|| {
                RunFailure::from(match name {
                    TestName::Index(index) => format!("the program lacks a test with the index {index}: it is 0-based"),
                    TestName::Name(name) => format!("the program lacks the test `{name}`"),
                })
            })?;
            let mut task = runner.test_task(&test.prompt)?;
            task.limits.max_passes = launch.max_passes.unwrap_or(task.limits.max_passes);
            Ok((task, Some(test.gold.clone())))
        }
    }
}
