//! `psl minimize`: leaves out what a program, or the prompt of a failing test, does not need.

mod args;
mod program;
mod prompt;

use psl_host::Configs;

pub use self::args::Args;
use crate::{failure::Failure, input::program_file::ProgramFile, output::color::Color};

/// Minimizes the program, or the prompt.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    let source = ProgramFile::read(&args.program.file, &mut Configs::default())?;
    match &args.prompt {
        Some(name) => prompt::run(args, &source, name, color),
        None => program::run(args, &source, color),
    }
}
