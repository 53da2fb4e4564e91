//! `psl fill`: searches for what belongs in the holes of a program.

use std::path::PathBuf;

use clap::ValueHint;
use psl_host::Configs;
use psl_search::fill_file;
use psl_syntax::holes::{Hole, holes};

use super::{
    examples::examples,
    search::{Answer, Answers, PROGRAMS, ProgramPath, SearchOptions, refused},
};
use crate::{failure::Failure, input::program_file::ProgramFile, output::color::Color};

/// The arguments of `psl fill`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl fill draft.psl", "what belongs in its holes"),
    ("psl fill draft.psl --apply 1", "write the first result"),
    ("psl fill draft.psl more.tsv", "with the lines of a file as examples"),
]))]
pub struct Args {
    #[command(flatten)]
    program: ProgramPath,
    /// Files with a line `prompt<TAB>gold` for each further example, or - for standard input.
    #[arg(value_hint = ValueHint::FilePath)]
    data: Vec<PathBuf>,
    #[command(flatten)]
    options: SearchOptions,
}

/// Searches for fillings with which the tests and the examples pass.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    let source = ProgramFile::read(&args.program.file, &mut Configs::default())?;
    let examples = args.options.limits.examples(&source, &args.data)?;
    let threads = args.options.limits.threads(PROGRAMS)?;
    let fillings = match fill_file(&source.file, &examples, &threads, threads.interrupted()) {
        Ok(fillings) => fillings,
        Err(why) => return Ok(refused(&source, &why, color)),
    };
    let holes = holes(&source.file.checked().tree);
    let answers = Answers {
        name: "filling",
        found: fillings.found.into_iter().map(|filling| answer(filling, &holes)).collect(),
        distinguishing_prompt: fillings.distinguishing_prompt,
        compared_on: fillings.compared_on,
        tried: fillings.tried,
        cut_off: fillings.cut_off,
        seconds: threads.seconds(),
    };
    drop(threads);
    answers.finish(&source, &args.options, color)
}

fn answer(filling: psl_search::Filling, holes: &[Hole]) -> Answer {
    Answer {
        changes: holes.iter().zip(&filling.parts).map(|(hole, part)| (hole.span, format!("`{part}`"))).collect(),
        edits: filling.edits,
        text: filling.text,
        assessment: filling.assessment,
        same: filling.same.into_iter().map(|filling| answer(filling, holes)).collect(),
    }
}
