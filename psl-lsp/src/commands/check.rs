//! `psl check`: all diagnostics.

use std::{
    io::{self, BufWriter, IsTerminal, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::ValueEnum;
use psl_syntax::{Checked, Code, Diagnostic, Fixed, Severity, fix, settle};

use crate::{
    Color,
    config::{Config, Configs},
    evidence::{self, Evidence},
    execute::Runner,
    render::{self, Sarif},
    source::{Failure, STDIN, Source, expand},
    test_prompts::TestPrompts,
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
    /// Apply the fixes that can only be what was meant.
    #[arg(long)]
    fix: bool,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// Reports with the lines they speak of.
    #[default]
    Human,
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
    if code.is_error() { Err(format!("`{name}` is an error, and errors can not be allowed")) } else { Ok(code) }
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

/// All that is to be shown of a text, its tests run.
fn diagnose(checked: &Checked, folder: Option<&Path>, config: &Config) -> Vec<Diagnostic> {
    let program = &checked.analysis.program;
    let shown = if program.tests.is_empty() {
        Some(Evidence::default())
    } else if checked.compiles() {
        let prompts = TestPrompts::read(&program.tests, folder);
        let runner = Runner::new(program).with_stop(config.stop.clone()).with_prompts(prompts);
        Evidence::gather(&runner, &program.tests, &Arc::default())
    } else {
        None
    };
    settle(
        &checked.tree,
        evidence::join(&checked.analysis, &checked.diagnostics, shown.as_ref()),
        evidence::pending(shown.as_ref()),
        &config.levels,
    )
}

/// Applies the certain fixes, and gives the file as it then is, with what is left and how many there were.
fn fixed(source: Source, config: &Config) -> Result<(Source, Vec<Diagnostic>, usize), Failure> {
    let Fixed { text, applied, left } =
        fix(&source.text, |text| diagnose(&psl_syntax::check(text), source.folder(), config));
    if source.is_stdin() {
        io::stdout().lock().write_all(text.as_bytes())?;
    } else if text != source.text {
        source.write(&text)?;
    }
    Ok((Source { text, ..source }, left, applied.len()))
}

/// Checks all paths.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    let files = expand(&args.paths)?;
    // Standard output is for the fixed text then.
    let to_stderr = args.fix && files.iter().any(|file| file.as_os_str() == STDIN);
    let (stdout, stderr) = (io::stdout(), io::stderr());
    let (color, out): (_, Box<dyn Write>) = if to_stderr {
        (color.on(stderr.is_terminal()), Box::new(stderr))
    } else {
        (color.on(stdout.is_terminal()), Box::new(stdout))
    };
    let mut out = BufWriter::new(out);
    let mut configs = Configs::default();
    let mut sarif = Sarif::default();
    let (mut errors, mut warnings, mut repaired) = (0, 0, 0);
    for file in &files {
        let source = Source::read(file)?;
        let config = configured(args, &*source.config(&mut configs)?);
        // What is no UTF-8 could not be written back as it was.
        let (source, diagnostics, applied) = if args.fix && source.not_utf8.is_none() {
            fixed(source, &config)?
        } else {
            let diagnostics = diagnose(&source.check(), source.folder(), &config);
            (source, diagnostics, 0)
        };
        repaired += applied;
        errors += diagnostics.iter().filter(|found| found.severity == Severity::Error).count();
        warnings += diagnostics.iter().filter(|found| found.severity == Severity::Warning).count();
        match args.format {
            Format::Human => render::human(&mut out, &source, &diagnostics, color)?,
            Format::Json => render::json(&mut out, &source, &diagnostics)?,
            Format::Sarif => sarif.add(&source, &diagnostics),
            Format::Github => render::github(&mut out, &source, &diagnostics)?,
        }
    }
    if let Format::Sarif = args.format {
        sarif.write(&mut out)?;
    }
    out.flush()?;
    let fixed = if args.fix { format!(", {repaired} fixed") } else { String::new() };
    eprintln!(
        "{} checked: {}, {}{fixed}",
        render::count(files.len(), "file"),
        render::count(errors, "error"),
        render::count(warnings, "warning")
    );
    Ok(errors == 0)
}
