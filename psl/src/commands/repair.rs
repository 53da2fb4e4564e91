//! `psl repair`: searches for changes of a program that make its tests pass.

use std::path::PathBuf;

use clap::ValueHint;
use psl_host::Configs;
use psl_search::repair_file;

use super::{
    examples::examples,
    search::{Answer, Answers, PROGRAMS, ProgramPath, SearchOptions, refused},
};
use crate::{failure::Failure, input::program_file::ProgramFile, output::color::Color};

/// The arguments of `psl repair`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl repair broken.psl", "the changes that make its tests pass"),
    ("psl repair broken.psl --apply 1", "write the first one"),
    ("psl repair broken.psl more.tsv", "ranked by the lines of a file that they get right"),
]))]
pub struct Args {
    #[command(flatten)]
    program: ProgramPath,
    /// Files with a line `prompt<TAB>gold` for each example that ranks the repairs, or - for standard input.
    #[arg(value_hint = ValueHint::FilePath)]
    data: Vec<PathBuf>,
    #[command(flatten)]
    options: SearchOptions,
}

/// Searches for changes that make all tests pass.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    let source = ProgramFile::read(&args.program.file, &mut Configs::default())?;
    let held_back = args.options.limits.examples(&source, &args.data)?;
    let threads = args.options.limits.threads(PROGRAMS)?;
    let repairs = match repair_file(&source.file, &held_back, &threads, threads.interrupted()) {
        Ok(repairs) => repairs,
        Err(why) => return Ok(refused(&source, &why, color)),
    };
    let answers = Answers {
        name: "repair",
        found: repairs.found.into_iter().map(answer).collect(),
        distinguishing_prompt: repairs.distinguishing_prompt,
        compared_on: repairs.compared_on,
        tried: repairs.tried,
        cut_off: repairs.cut_off,
        seconds: threads.seconds(),
    };
    drop(threads);
    answers.finish(&source, &args.options, color)
}

fn answer(repair: psl_search::Repair) -> Answer {
    Answer {
        edits: repair.edits(),
        changes: repair.changes.into_iter().map(|change| (change.span, change.description)).collect(),
        text: repair.text,
        assessment: repair.assessment,
        same: repair.same.into_iter().map(answer).collect(),
    }
}
