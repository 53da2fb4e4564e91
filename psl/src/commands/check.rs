//! `psl check`: all diagnostics.

use std::{
    io::{self, BufWriter, IsTerminal, Write},
    path::PathBuf,
    sync::atomic::AtomicBool,
};

use clap::ValueEnum;
use psl_ide::{Config, File, diagnostics};
use psl_lsp::run_tests;
use psl_syntax::{Code, Diagnostic, Fixed, Severity, fix};

use crate::{
    color::Color,
    counting::count,
    failure::Failure,
    input_file::InputFile,
    input_files::InputFiles,
    render::{self, MAX_DIAGNOSTICS, Sarif, Selection},
    stdio::{Content, say, stderr_to_the_end, stdout_to_the_end},
};

/// The arguments of `psl check`.
#[derive(clap::Args)]
pub struct Args {
    /// Files, folders, or - for standard input [default: this folder].
    paths: Vec<PathBuf>,
    /// How to print diagnostics.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Treat a warning, or all `warnings`, as errors; what programs allow stays allowed.
    #[arg(long, value_name = "CODE", value_parser = code_or_warnings)]
    deny: Vec<Chosen>,
    /// Leave a warning out.
    #[arg(long, value_name = "CODE", value_parser = allowable)]
    allow: Vec<Code>,
    /// How many diagnostics to print for people, errors before others; all of them count.
    #[arg(long, value_name = "N", default_value_t = MAX_DIAGNOSTICS)]
    max_diagnostics: usize,
    /// Apply the fixes that can only be what was meant.
    #[arg(long)]
    fix: bool,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// Reports with the lines they speak of.
    #[default]
    Human,
    /// One line each: `FILE:LINE:COLUMN: SEVERITY[CODE]: MESSAGE`.
    Short,
    /// One JSON object a line.
    Json,
    /// One SARIF 2.1.0 log of all files, for code scanning.
    Sarif,
    /// Workflow commands, which GitHub Actions shows at the lines that they speak of.
    Github,
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
    if code.is_error() { Err(format!("`{name}` is an error, and errors cannot be allowed")) } else { Ok(code) }
}

fn code_or_warnings(name: &str) -> Result<Chosen, String> {
    if name == "warnings" { Ok(Chosen::Warnings) } else { code(name).map(Chosen::Code) }
}

/// The configuration as the arguments change it.
fn configured(args: &Args, config: &Config) -> Config {
    let mut config = config.clone();
    for chosen in &args.deny {
        match chosen {
            Chosen::Code(code) => config.levels.set(*code, Some(Severity::Error)),
            Chosen::Warnings => config.levels.deny_warnings(),
        }
    }
    for code in &args.allow {
        config.levels.set(*code, None);
    }
    config
}

/// All that is to be shown of a program, its tests run.
fn diagnose(program: &File) -> Vec<Diagnostic> {
    diagnostics(program, run_tests(program, &AtomicBool::new(false)).as_ref())
}

/// Applies the certain fixes, and gives the file as it then is, with what is left and how many there were.
fn fixed(source: &InputFile) -> Result<(InputFile, Vec<Diagnostic>, usize), Failure> {
    let before = source.program.text();
    let Fixed { text, applied, left } = fix(before, |text| diagnose(&source.with_text(text).program));
    if source.is_stdin() {
        let mut out = stdout_to_the_end(Content::Data);
        out.write_all(text.as_bytes())?;
        out.flush()?;
    } else if text != before {
        source.write(&text)?;
    }
    Ok((source.with_text(&text), left, applied.len()))
}

/// Checks all paths.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    let mut sources = InputFiles::of(&args.paths);
    let content = match args.format {
        Format::Human | Format::Short => Content::People,
        Format::Json | Format::Sarif | Format::Github => Content::Data,
    };
    // Standard output is for the fixed text then.
    let to_stderr = args.fix && sources.have_stdin();
    let (color, out) = if to_stderr {
        (color.on(io::stderr().is_terminal()), stderr_to_the_end())
    } else {
        (color.on(io::stdout().is_terminal()), stdout_to_the_end(content))
    };
    let mut out = BufWriter::new(out);
    let mut selection = Selection::new(args.max_diagnostics);
    let mut sarif = Sarif::default();
    let (mut files, mut errors, mut warnings, mut repaired) = (0, 0, 0, 0);
    while let Some(source) = sources.next() {
        let config = configured(args, source.program.config());
        let source = source.with_config(config);
        // What is not UTF-8 could not be written back as it was.
        let (source, diagnostics, applied) = if args.fix && source.program.not_utf8().is_none() {
            let Some(fixed) = sources.attempt(fixed(&source))? else { continue };
            fixed
        } else {
            let diagnostics = diagnose(&source.program);
            (source, diagnostics, 0)
        };
        files += 1;
        repaired += applied;
        errors += diagnostics.iter().filter(|found| found.severity == Severity::Error).count();
        warnings += diagnostics.iter().filter(|found| found.severity == Severity::Warning).count();
        match args.format {
            Format::Human | Format::Short => selection.add(source, diagnostics),
            Format::Json => render::json(&mut out, &source, &diagnostics)?,
            Format::Sarif => sarif.add(&source, &diagnostics),
            Format::Github => render::github(&mut out, &source, &diagnostics)?,
        }
    }
    let (selected, left_out) = selection.end();
    for (source, diagnostics) in &selected {
        match args.format {
            Format::Short => render::short(&mut out, source, diagnostics)?,
            _ => render::human(&mut out, source, diagnostics, color)?,
        }
    }
    if let Format::Sarif = args.format {
        sarif.write(&mut out, sources.all_done())?;
    }
    out.flush()?;
    let fixed = if args.fix { format!(", {repaired} fixed") } else { String::new() };
    say(format_args!(
        "{} checked: {}, {}{fixed}",
        count(files, "file"),
        count(errors, "error"),
        count(warnings, "warning")
    ));
    if left_out > 0 {
        let (left_out, all) = (count(left_out, "diagnostic"), args.max_diagnostics + left_out);
        say(format_args!("{left_out} not printed; --max-diagnostics {all} prints all"));
    }
    sources.end(errors == 0)
}
