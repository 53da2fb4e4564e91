//! The parts that `psl fill`, `psl repair` and `psl minimize` share.

mod answers;
mod options;
mod threads;

use std::path::PathBuf;

use clap::ValueHint;
use psl_search::NoSearch;

pub use self::{
    answers::{Answer, Answers, more},
    options::{Format, SearchLimits, SearchOptions, examples_in},
    threads::Threads,
};
use crate::{
    input::{load::report, program_file::ProgramFile},
    output::{color::Color, stdio::print_to_stderr},
};

/// The name of what most searches try.
pub const PROGRAMS: &str = "programs";

/// The path of the program.
#[derive(clap::Args)]
pub struct ProgramPath {
    /// Program, or - for standard input.
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
}

/// Reports why there is no search. Returns whether that is fine: all tests pass.
pub fn refused(source: &ProgramFile, why: &NoSearch, color: Color) -> bool {
    if *why == NoSearch::Errors {
        report(source, &source.file.errors(), color);
    }
    print_to_stderr(format_args!("{}: {why}", source.shown_name()));
    *why == NoSearch::AllPass
}
