//! `psl check`: all diagnostics.

use std::{
    io::{self, BufWriter, IsTerminal, Write},
    path::PathBuf,
    sync::Arc,
};

use clap::ValueEnum;
use psl_syntax::{Code, Levels, Severity, settle};

use crate::{
    Color,
    evidence::{self, Evidence},
    execute::Runner,
    render,
    source::{Failure, Source, expand},
};

/// The arguments of `psl check`.
#[derive(clap::Args)]
pub struct Args {
    /// Files, folders, or - for standard input [default: this folder].
    paths: Vec<PathBuf>,
    /// How to print diagnostics.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Treat a warning, or all `warnings`, as errors.
    #[arg(long, value_name = "CODE", value_parser = code_or_warnings)]
    deny: Vec<Chosen>,
    /// Leave a warning out.
    #[arg(long, value_name = "CODE", value_parser = allowable)]
    allow: Vec<Code>,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// Reports with the lines they speak of.
    #[default]
    Human,
    /// One JSON object a line.
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chosen {
    Code(Code),
    Warnings,
}

fn code(name: &str) -> Result<Code, String> {
    Code::from_name(name).ok_or_else(|| format!("no diagnostic is called `{name}`; `psl explain` lists them all"))
}

fn allowable(name: &str) -> Result<Code, String> {
    let code = code(name)?;
    if code.is_error() { Err(format!("`{name}` is an error, and errors can not be allowed")) } else { Ok(code) }
}

fn code_or_warnings(name: &str) -> Result<Chosen, String> {
    if name == "warnings" { Ok(Chosen::Warnings) } else { code(name).map(Chosen::Code) }
}

/// How bad each diagnostic is, as the arguments say.
fn levels(args: &Args) -> Levels {
    let mut levels = Levels::default();
    for chosen in &args.deny {
        match chosen {
            Chosen::Code(code) => levels.set(*code, Some(Severity::Error)),
            Chosen::Warnings => levels.deny_warnings(),
        }
    }
    for code in &args.allow {
        levels.set(*code, None);
    }
    levels
}

/// Checks all paths.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    let stdout = io::stdout();
    let color = color.on(stdout.is_terminal());
    let mut out = BufWriter::new(stdout.lock());
    let (mut errors, mut warnings) = (0, 0);
    let levels = levels(args);
    let files = expand(&args.paths)?;
    for file in &files {
        let source = Source::read(file)?;
        let checked = source.check();
        let tests = &checked.analysis.program.tests;
        let shown = checked
            .compiles()
            .then(|| Evidence::gather(&Runner::new(&checked.analysis.program), tests, &Arc::default()))
            .flatten();
        let shown = shown.as_ref();
        let diagnostics = settle(&checked.tree, evidence::join(&checked, shown), evidence::pending(shown), &levels);
        errors += diagnostics.iter().filter(|found| found.severity == Severity::Error).count();
        warnings += diagnostics.iter().filter(|found| found.severity == Severity::Warning).count();
        match args.format {
            Format::Human => render::human(&mut out, &source, &diagnostics, color)?,
            Format::Json => render::json(&mut out, &source, &diagnostics)?,
        }
    }
    out.flush()?;
    eprintln!(
        "{} checked: {}, {}",
        render::count(files.len(), "file"),
        render::count(errors, "error"),
        render::count(warnings, "warning")
    );
    Ok(errors == 0)
}
