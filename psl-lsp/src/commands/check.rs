//! `psl check`: all diagnostics.

use std::{
    io::{self, BufWriter, IsTerminal, Write},
    path::PathBuf,
};

use clap::ValueEnum;
use psl_syntax::{Code, Severity};

use crate::{
    Color, render,
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
    #[arg(long, value_name = "CODE", value_parser = code)]
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

fn code_or_warnings(name: &str) -> Result<Chosen, String> {
    if name == "warnings" { Ok(Chosen::Warnings) } else { code(name).map(Chosen::Code) }
}

/// Checks all paths.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    let stdout = io::stdout();
    let color = color.on(stdout.is_terminal());
    let mut out = BufWriter::new(stdout.lock());
    let (mut errors, mut warnings) = (0, 0);
    let files = expand(&args.paths)?;
    for file in &files {
        let source = Source::read(file)?;
        let mut diagnostics = source.check().diagnostics;
        diagnostics.retain(|found| found.is_error() || !args.allow.contains(&found.code));
        for found in &mut diagnostics {
            let denied = args.deny.contains(&Chosen::Code(found.code))
                || (found.severity == Severity::Warning && args.deny.contains(&Chosen::Warnings));
            if denied {
                found.severity = Severity::Error;
            }
            match found.severity {
                Severity::Error => errors += 1,
                Severity::Warning => warnings += 1,
                Severity::Info | Severity::Hint => {}
            }
        }
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
