//! `psl check`: all diagnostics.

use std::{
    collections::BTreeMap,
    io::{self, BufWriter, Write},
    path::PathBuf,
    sync::atomic::AtomicBool,
};

use clap::{ValueEnum, ValueHint};
use psl_lsp::run_tests;
use psl_program::{Config, File, count, diagnostics};
use psl_render::{STRONG, Terminal};
use psl_syntax::{Code, Diagnostic, Fixed, Severity, fix};

use super::{examples::examples, level_options::LevelOptions, watch::watch};
use crate::{
    failure::Failure,
    input::{
        paths::{is_stdin, word},
        program_file::ProgramFile,
        program_files::ProgramFiles,
    },
    output::{
        color::Color,
        stdio::{Content, print_to_stderr, stderr_to_the_end, stdout_to_the_end},
        terminal,
    },
    render::{self, MAX_DIAGNOSTICS, Sarif, Selection},
};

/// The arguments of `psl check`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl check", "the programs in this folder"),
    ("psl check --deny warnings programs", "warnings are errors, too"),
    ("psl check --fix pargen.psl", "apply the safe fixes"),
    ("psl check --heads pargen.psl", "why productions need separate layers"),
    ("psl check --format sarif > psl.sarif", "a log for code scanning"),
    ("psl check - --stdin-filename pargen.psl < pargen.psl", "a text that is not saved, for editors"),
]))]
pub struct Args {
    /// Files, folders, or - for standard input [default: this folder].
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    paths: Vec<PathBuf>,
    /// Path of the file whose text is on standard input, for messages, for its psl.toml and for the files of its tests.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    stdin_filename: Option<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    levels: LevelOptions,
    /// Explain why productions cannot share a layer as its heads, with notes of the code `separate-layers`.
    #[arg(long)]
    heads: bool,
    /// Maximum number of diagnostics for people, errors first.
    #[arg(long, value_name = "N", default_value_t = MAX_DIAGNOSTICS)]
    max_diagnostics: usize,
    /// Apply the safe fixes.
    #[arg(long)]
    fix: bool,
    /// Check again when a file changes, until Ctrl-C.
    #[arg(long)]
    watch: bool,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// Reports with the lines that they refer to.
    #[default]
    Human,
    /// One line each: `FILE:LINE:COLUMN: SEVERITY[CODE]: MESSAGE`.
    Short,
    /// One JSON object a line.
    Json,
    /// One SARIF 2.1.0 log of all files, for code scanning.
    Sarif,
    /// Workflow commands, which GitHub Actions shows at the lines that they refer to.
    Github,
}

/// The configuration as the arguments change it.
fn configured(args: &Args, config: &Config) -> Config {
    let mut config = config.clone();
    if args.heads {
        config.levels.set(Code::SeparateLayers, Some(Severity::Info));
    }
    args.levels.apply(&mut config.levels);
    config
}

/// All diagnostics of a program; runs its tests.
fn diagnose(program: &File) -> Vec<Diagnostic> {
    diagnostics(program, run_tests(program, &AtomicBool::new(false)).as_ref())
}

/// Applies the safe fixes. Returns the fixed file, its diagnostics and the number of fixes.
fn fixed(source: &ProgramFile) -> Result<(ProgramFile, Vec<Diagnostic>, usize), Failure> {
    let before = source.file.text();
    let Fixed { text, applied, left } = fix(before, |text| diagnose(&source.with_text(text).file));
    if source.is_stdin() {
        let mut out = stdout_to_the_end(Content::Data);
        out.write_all(text.as_bytes())?;
        out.flush()?;
    } else if text != before {
        source.write(&text)?;
    }
    Ok((source.with_text(&text), left, applied.len()))
}

/// The numbers in the summary of a check.
#[derive(Default)]
struct Tally {
    files: usize,
    /// Diagnostics by their severity.
    found: BTreeMap<Severity, usize>,
    fixed: usize,
    /// Diagnostics that `--fix` would remove.
    fixable: usize,
    /// A code that was reported, of the highest severity.
    worst: Option<(Severity, Code)>,
    has_failing_tests: bool,
}

impl Tally {
    fn add(&mut self, diagnostics: &[Diagnostic], fixed: usize) {
        self.files += 1;
        self.fixed += fixed;
        for diagnostic in diagnostics {
            *self.found.entry(diagnostic.severity).or_default() += 1;
            self.has_failing_tests |= diagnostic.code == Code::FailingTest;
            self.fixable += usize::from(diagnostic.fixes.iter().any(|fix| fix.certain));
            let this = (diagnostic.severity, diagnostic.code);
            if self.worst.is_none_or(|worst| worst.0 < this.0) {
                self.worst = Some(this);
            }
        }
    }

    fn of(&self, severity: Severity) -> usize {
        self.found.get(&severity).copied().unwrap_or_default()
    }

    /// The number of each severity that is needed, the highest first.
    fn numbers(&self, needed: impl Fn(usize, Severity) -> bool) -> Vec<String> {
        let all = [Severity::Error, Severity::Warning, Severity::Info, Severity::Hint].map(|it| (self.of(it), it));
        let needed = all.into_iter().filter(|(number, severity)| needed(*number, *severity));
        needed.map(|(number, severity)| count(number, severity.as_str())).collect()
    }

    /// `checked 2 files: 1 error, 0 warnings`, with the other severities that occurred.
    fn summary(&self, args: &Args) -> String {
        let mut numbers = self.numbers(|number, severity| number > 0 || severity >= Severity::Warning);
        numbers.extend(args.fix.then(|| format!("{} fixed", self.fixed)));
        format!("checked {}: {}", count(self.files, "file"), numbers.join(", "))
    }

    /// The commands to run next.
    fn advice(&self, args: &Args) -> Vec<String> {
        let fix =
            (self.fixable > 0 && !args.fix).then(|| format!("{} can be fixed with psl check --fix", self.fixable));
        let explain = self.worst.map(|(_, code)| format!("more about a code: psl explain {}", code.as_str()));
        let test = self.has_failing_tests.then(|| test_command(&args.paths)).flatten();
        let test = test.map(|command| format!("more about the failing tests: {command}"));
        fix.into_iter().chain(explain).chain(test).collect()
    }
}

/// The command that runs the tests of these paths, for a shell; `None` if one is standard input, which has been read.
fn test_command(paths: &[PathBuf]) -> Option<String> {
    let paths: Option<Vec<String>> = paths.iter().map(|path| if is_stdin(path) { None } else { word(path) }).collect();
    Some(["psl test".to_owned()].into_iter().chain(paths?).collect::<Vec<_>>().join(" "))
}

/// Checks all paths, with `--watch` again and again.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    if args.watch {
        return watch("check", &args.paths, |seen| check(args, color, seen));
    }
    check(args, color, &mut |_| {})
}

fn check(args: &Args, color: Color, seen: &mut dyn FnMut(&ProgramFile)) -> Result<bool, Failure> {
    let mut sources = if args.watch { ProgramFiles::watched(&args.paths) } else { ProgramFiles::of(&args.paths) };
    sources = sources.with_stdin_filename(args.stdin_filename.as_deref())?;
    // Standard output is for the fixed text then.
    let to_stderr = args.fix && sources.have_stdin();
    let (terminal, out) = if to_stderr {
        (terminal::stderr(color), stderr_to_the_end())
    } else {
        let content = match args.format {
            Format::Human | Format::Short => Content::People,
            Format::Json | Format::Sarif | Format::Github => Content::Data,
        };
        (terminal::stdout(color), stdout_to_the_end(content))
    };
    let mut out = BufWriter::new(out);
    let mut selection = Selection::new(args.max_diagnostics);
    let mut sarif = Sarif::default();
    let mut tally = Tally::default();
    while let Some(source) = sources.next() {
        seen(&source);
        let config = configured(args, source.file.config());
        let source = source.with_config(config);
        // A text with invalid UTF-8 could not be written back unchanged.
        let (source, diagnostics, applied) = if args.fix && source.file.not_utf8().is_none() {
            let Some(fixed) = sources.attempt(fixed(&source))? else { continue };
            fixed
        } else {
            let diagnostics = diagnose(&source.file);
            (source, diagnostics, 0)
        };
        tally.add(&diagnostics, applied);
        match args.format {
            Format::Human | Format::Short => selection.add(source, diagnostics),
            Format::Json => render::json(&mut out, &source, &diagnostics)?,
            Format::Sarif => sarif.add(&source, &diagnostics),
            Format::Github => render::github(&mut out, &source, &diagnostics)?,
        }
    }
    let (selected, left_out) = selection.end();
    match args.format {
        Format::Human => human(&mut out, &selected, tally.files > 1, terminal)?,
        Format::Sarif => sarif.write(&mut out, sources.all_done())?,
        _ => selected.iter().try_for_each(|(source, found)| render::short(&mut out, source, found))?,
    }
    out.flush()?;
    let is_human = matches!(args.format, Format::Human);
    if is_human && !selected.is_empty() {
        print_to_stderr("");
    }
    print_to_stderr(tally.summary(args));
    if left_out > 0 {
        let (left_out, all) = (count(left_out, "diagnostic"), args.max_diagnostics + left_out);
        print_to_stderr(format_args!("{left_out} not printed; --max-diagnostics {all} prints all"));
    }
    if is_human {
        tally.advice(args).iter().for_each(print_to_stderr);
    }
    sources.end(tally.of(Severity::Error) == 0)
}

/// Writes the diagnostics of files, each file below its name if there are several.
fn human(
    out: &mut impl Write,
    files: &[(ProgramFile, Vec<Diagnostic>)],
    several: bool,
    terminal: Terminal,
) -> io::Result<()> {
    for (number, (source, diagnostics)) in files.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        if several {
            let mut tally = Tally::default();
            tally.add(diagnostics, 0);
            let name = terminal.paint(STRONG, &source.shown_name());
            writeln!(out, "{name}: {}\n", tally.numbers(|number, _| number > 0).join(", "))?;
        }
        psl_render::human(out, &source.name, &source.file, diagnostics, terminal)?;
    }
    Ok(())
}
