//! `psl check`: all diagnostics.

use std::{
    io::{self, BufWriter, IsTerminal, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::ValueEnum;
use psl_syntax::{Checked, Code, Diagnostic, Fixed, Severity, apply_levels, fix};

use crate::{
    Color,
    config::Config,
    evidence::{self, Evidence},
    execute::Runner,
    render::{self, MAX_DIAGNOSTICS, Sarif, Selection},
    source::{Failure, Source, Sources},
    stdio::{Content, say, stderr_to_the_end, stdout_to_the_end},
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
    apply_levels(
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
        let mut out = stdout_to_the_end(Content::Data);
        out.write_all(text.as_bytes())?;
        out.flush()?;
    } else if text != source.text {
        source.write(&text)?;
    }
    Ok((Source { text, ..source }, left, applied.len()))
}

/// Checks all paths.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    let mut sources = Sources::of(&args.paths);
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
        let config = configured(args, &source.config);
        // What is not UTF-8 could not be written back as it was.
        let (source, diagnostics, applied) = if args.fix && source.not_utf8.is_none() {
            let fixed = fixed(source, &config);
            let Some(fixed) = sources.attempt(fixed)? else { continue };
            fixed
        } else {
            let diagnostics = diagnose(&source.check(), source.folder(), &config);
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
        render::count(files, "file"),
        render::count(errors, "error"),
        render::count(warnings, "warning")
    ));
    if left_out > 0 {
        let (left_out, all) = (render::count(left_out, "diagnostic"), args.max_diagnostics + left_out);
        say(format_args!("{left_out} not printed; --max-diagnostics {all} prints all"));
    }
    sources.end(errors == 0)
}
