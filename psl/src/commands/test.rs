//! `psl test`: runs the `//@ test` lines of programs.

mod report;
mod suite;

use std::{path::PathBuf, sync::atomic::AtomicBool, time::Instant};

use psl_ide::{Runner, explain_failure};
use psl_runtime::{MachineKind, machine::UnknownMachine};
use psl_syntax::program::TestCase;
use serde_json::Value;
use suite::{Case, Format, MachineRun, Problem, Suite};

use crate::{
    color::Color,
    failure::Failure,
    input_file::InputFile,
    input_files::InputFiles,
    loading::{errors, report},
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

#[derive(Clone, Debug)]
struct Machines(Vec<MachineKind>);

fn parse_machines(name: &str) -> Result<Machines, String> {
    if name == "all" {
        return Ok(Machines(MachineKind::ALL.to_vec()));
    }
    name.parse()
        .map(|machine| Machines(vec![machine]))
        .map_err(|error: UnknownMachine| format!("{error}, and all of them, `all`"))
}

/// Runs all tests of all paths. A program with errors is one failure. A path that cannot be read costs itself.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    let content = if args.format == Format::Text { Content::People } else { Content::Data };
    let mut printed = report::Report::new(args.format, stdout_to_the_end(content));
    let mut sources = InputFiles::of(&args.paths);
    for source in sources.by_ref() {
        printed.add(&suite(args, &source, color))?;
    }
    let fine = printed.finish(args.name.as_deref())?;
    sources.end(fine)
}

fn suite(args: &Args, source: &InputFile, color: Color) -> Suite {
    let file = source.name.clone();
    if let Err(errors) = errors(source) {
        report(source, &errors, color);
        let broken = errors.first().map(|error| (source.line(error.span.start), error.message.clone()));
        return Suite { file, cases: Vec::new(), broken };
    }
    let runner = source.program.compiled();
    let mut cases = Vec::new();
    for (test, number) in runner.executable().program.tests.iter().zip(1..) {
        let mut case = Case {
            place: source.place(test.span.start),
            line: source.line(test.span.start),
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
        case.runs = args.machine.0.iter().map(|&machine| run_test(runner, source, test, machine)).collect();
        let ran = case.runs.iter().any(|run| run.got.is_some());
        if let Some(note) = runner.test_note(&test.prompt).filter(|_| ran) {
            say(format_args!("note: {}: {note}", case.place));
        }
        cases.push(case);
    }
    Suite { file, cases, broken: None }
}

fn run_test(runner: &Runner, source: &InputFile, test: &TestCase, machine: MachineKind) -> MachineRun {
    let start = Instant::now();
    let result = runner.test(test, machine);
    let time = start.elapsed();
    let problem = match &result {
        Ok(completion) if completion.is(&test.gold) => None,
        Ok(completion) => {
            let explanation = explain_failure(runner, test, completion, machine, &AtomicBool::new(false));
            Some(Problem {
                first_wrong: explanation.as_ref().map(|explanation| explanation.number),
                explanation: explanation.map_or_else(String::new, |it| {
                    it.in_words(&runner.executable().program, |span| Some(source.line(span.start)))
                }),
            })
        }
        Err(failure) => Some(Problem { first_wrong: None, explanation: failure.message.clone() }),
    };
    MachineRun { machine, got: result.ok().map(|completion| completion.text()), problem, time }
}
