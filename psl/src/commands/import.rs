//! `psl import`: turns a program of the reference implementation into PSL with tests.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use clap::ValueHint;
use psl_host::Configs;
use psl_syntax::Diagnostic;
use psl_tasks::import::{self, Examples, TestLines};

use super::examples::examples;
use crate::{
    failure::Failure,
    input::{
        load::{errors, report},
        paths::{STDIN, is_stdin, name},
        program_file::{ProgramFile, read_text},
    },
    output::{color::Color, output_file::Output, stdio::print_to_stderr},
};

/// The arguments of `psl import`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl import program.yaml --examples examples.yaml -o program.psl", "with tests"),
    ("psl import program.yaml", "print it"),
]))]
pub struct Args {
    /// Program of the reference implementation, or - for standard input.
    #[arg(value_name = "PROGRAM", value_hint = ValueHint::FilePath)]
    program: PathBuf,
    /// YAML file of examples to turn into tests.
    #[arg(long, value_name = "EXAMPLES", value_hint = ValueHint::FilePath)]
    examples: Option<PathBuf>,
    /// Output file [default: standard output].
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

/// Imports the program.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    if is_stdin(&args.program) && args.examples.as_deref().is_some_and(is_stdin) {
        return Err(Failure::both_from_stdin("the program", "the examples", "a file"));
    }
    let source = ProgramFile::read(&args.program, &mut Configs::default())?;
    if let Err(errors) = errors(&source) {
        let errors: Vec<Diagnostic> = import::with_readings(&source.file, errors);
        report(&source, &errors, color);
        return Ok(false);
    }
    let source = match source.file.text().strip_prefix('\u{feff}') {
        Some(text) => source.with_text(text),
        None => source,
    };
    let tests = args.examples.as_deref().map(|path| tests(path, &source)).transpose()?.unwrap_or_default();
    let mut out = Output::create(args.output.as_deref().unwrap_or(Path::new(STDIN)))?;
    let text = import::text(&source.file, &tests);
    out.write_all(text.as_bytes()).map_err(|error| out.failure(error))?;
    out.commit()?;
    Ok(true)
}

/// Reads the examples, and reports those that could not be kept as they are.
fn tests(path: &Path, source: &ProgramFile) -> Result<TestLines, Failure> {
    let file = name(path);
    let text = read_text(path).map_err(Failure::unreadable)?;
    let examples = Examples::parse(&text).map_err(|error| Failure::Message(format!("{file}:{error}")))?;
    let tests = TestLines::new(&examples, &source.file);
    for note in &tests.notes {
        print_to_stderr(format_args!("note: {file}:{note}"));
    }
    Ok(tests)
}
