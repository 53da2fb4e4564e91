//! `psl test`: runs the `//@ test` lines of programs.

mod report;

use std::{
    path::PathBuf,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use clap::ValueEnum;
use psl_runtime::MachineKind;
use psl_syntax::program::TestCase;
use serde_json::Value;

use crate::{
    Color,
    commands::runner,
    execute::{Runner, parse_machine},
    parting::parting,
    render,
    source::{Failure, Source, Sources},
    stdio::{Content, say, stdout_to_the_end},
};

/// The arguments of `psl test`.
#[derive(clap::Args)]
pub struct Args {
    /// Files, folders, or - for standard input [default: this folder].
    paths: Vec<PathBuf>,
    /// Run only the tests whose names hold this; one without a name is called `test` and its number in the file.
    #[arg(long, value_name = "SUBSTRING")]
    name: Option<String>,
    /// Which machine runs them: psm, qkvm, dat, or full-dat; or all of them, one after the other.
    #[arg(long, default_value = "dat", value_name = "MACHINE", value_parser = parse_machines)]
    machine: Machines,
    /// How to print the results.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A line a test, and a summary.
    #[default]
    Text,
    /// One JSON object a line, for each test on each machine.
    Json,
    /// JUnit's XML: a suite a file, a case a test.
    Junit,
}

#[derive(Clone, Debug)]
struct Machines(Vec<MachineKind>);

fn parse_machines(name: &str) -> Result<Machines, String> {
    if name == "all" {
        return Ok(Machines(MachineKind::ALL.to_vec()));
    }
    parse_machine(name)
        .map(|machine| Machines(vec![machine]))
        .map_err(|error| format!("{error}, and all of them, `all`"))
}

/// What the tests of a file gave.
struct Suite {
    file: String,
    cases: Vec<Case>,
    /// The place of the first error and what it is, where the program does not compile; its tests did not run then.
    broken: Option<(usize, String)>,
}

/// What a test gave on each machine that ran it.
struct Case {
    /// `path:line:column`.
    place: String,
    line: usize,
    name: Option<String>,
    /// Its number in the file, from 1.
    number: usize,
    prompt: Value,
    gold: String,
    runs: Vec<MachineRun>,
}

/// What a test gave on one machine.
struct MachineRun {
    machine: MachineKind,
    /// The continuation; nothing where the prompt could not be run.
    got: Option<String>,
    /// Nothing where it passed.
    problem: Option<Problem>,
    time: Duration,
}

/// Why a test failed.
#[derive(Clone, PartialEq)]
struct Problem {
    /// The number of the first wrong symbol, from 1, where there is a continuation.
    first_wrong: Option<usize>,
    /// What led to it.
    explanation: String,
}

impl Suite {
    fn failed(&self) -> usize {
        usize::from(self.broken.is_some()) + self.cases.iter().filter(|case| !case.passed()).count()
    }

    fn passed(&self) -> usize {
        self.cases.iter().filter(|case| case.passed()).count()
    }
}

impl Case {
    fn passed(&self) -> bool {
        self.runs.iter().all(|run| run.problem.is_none())
    }

    /// As people call it.
    fn title(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("test {}", self.number))
    }
}

/// Runs all tests of all paths. A program with errors is one failure. A path that cannot be read costs itself.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    let content = if args.format == Format::Text { Content::People } else { Content::Data };
    let mut report = report::Report::new(args.format, stdout_to_the_end(content));
    let mut sources = Sources::of(&args.paths);
    for source in sources.by_ref() {
        report.add(&suite(args, &source, color))?;
    }
    let fine = report.finish(args.name.as_deref())?;
    sources.end(fine)
}

fn suite(args: &Args, source: &Source, color: Color) -> Suite {
    let file = source.name.clone();
    let Some(runner) = runner(source, color) else {
        let checked = source.check();
        let error = checked.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
        let broken = error.map(|error| (render::line(source, error.span.start), error.message.clone()));
        return Suite { file, cases: Vec::new(), broken };
    };
    let mut cases = Vec::new();
    for (test, number) in runner.executable().program.tests.iter().zip(1..) {
        let mut case = Case {
            place: render::place(source, test.span.start),
            line: render::line(source, test.span.start),
            name: test.name.clone(),
            number,
            prompt: Value::Null,
            gold: test.gold.clone(),
            runs: Vec::new(),
        };
        if args.name.as_ref().is_some_and(|part| !case.title().contains(part)) {
            continue;
        }
        case.prompt = runner.prompt_to_json(&test.prompt);
        case.runs = args.machine.0.iter().map(|&machine| run_test(&runner, source, test, machine)).collect();
        let ran = case.runs.iter().any(|run| run.got.is_some());
        if let Some(note) = runner.test_note(&test.prompt).filter(|_| ran) {
            say(format_args!("note: {}: {note}", case.place));
        }
        cases.push(case);
    }
    Suite { file, cases, broken: None }
}

fn run_test(runner: &Runner, source: &Source, test: &TestCase, machine: MachineKind) -> MachineRun {
    let start = Instant::now();
    let result = runner.test(test, machine);
    let time = start.elapsed();
    let problem = match &result {
        Ok(completion) if completion.is(&test.gold) => None,
        Ok(completion) => {
            let parting = parting(runner, test, completion, machine, &AtomicBool::new(false));
            Some(Problem {
                first_wrong: parting.as_ref().map(|parting| parting.number),
                explanation: parting.map_or_else(String::new, |parting| {
                    parting.in_words(|span| Some(render::line(source, span.start)))
                }),
            })
        }
        Err(failure) => Some(Problem { first_wrong: None, explanation: failure.message.clone() }),
    };
    MachineRun { machine, got: result.ok().map(|completion| completion.text()), problem, time }
}
