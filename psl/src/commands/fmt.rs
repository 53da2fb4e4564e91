//! `psl fmt`: formats programs, in place or as a filter.

use std::{
    io::{BufWriter, Write},
    path::PathBuf,
};

use clap::ValueHint;
use psl_program::count;

use super::examples::examples;
use crate::{
    failure::Failure,
    input::{load::report, program_files::ProgramFiles},
    output::{
        color::Color,
        stdio::{Content, print_to_stderr, stdout_to_the_end},
        unified_diff::unified_diff,
    },
};

/// The arguments of `psl fmt`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl fmt", "the programs in this folder"),
    ("psl fmt --check", "list the files to format"),
    ("psl fmt --diff pargen.psl", "print the changes"),
    ("psl fmt - --stdin-filename pargen.psl < pargen.psl", "a filter, for editors"),
]))]
pub struct Args {
    /// Files, folders, or - to filter standard input to standard output [default: this folder].
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    paths: Vec<PathBuf>,
    /// Path of the file whose text is on standard input, for messages and for its psl.toml.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    stdin_filename: Option<PathBuf>,
    /// List the files to format instead of writing them, and exit with 1 if there are any.
    #[arg(long)]
    check: bool,
    /// Print the changes as a unified diff instead of writing them, and exit with 1 if there are any.
    #[arg(long)]
    diff: bool,
}

/// Formats the programs.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    let mut out = BufWriter::new(stdout_to_the_end(Content::Data));
    let only_look = args.check || args.diff;
    let (mut changed, mut unchanged, mut broken) = (0, 0, 0);
    let mut sources = ProgramFiles::of(&args.paths).with_stdin_filename(args.stdin_filename.as_deref())?;
    let only_stdin = sources.are_stdin();
    while let Some(source) = sources.next() {
        let formatted = match source.file.format() {
            Ok(formatted) => formatted,
            Err(errors) => {
                report(&source, &errors, color);
                broken += 1;
                continue;
            }
        };
        let filter = !only_look && source.is_stdin();
        if filter {
            out.write_all(formatted.text.as_bytes())?;
        }
        if formatted.edits.is_empty() {
            unchanged += 1;
            continue;
        }
        if args.diff {
            out.write_all(unified_diff(&source.shown_name(), source.file.text(), &formatted.text).as_bytes())?;
        } else if args.check {
            writeln!(out, "{}", source.shown_name())?;
        } else if !filter {
            let written = source.write(&formatted.text);
            if sources.attempt(written)?.is_none() {
                continue;
            }
        }
        changed += 1;
    }
    out.flush()?;
    if !only_stdin {
        let files = count(changed + unchanged + broken, "file");
        let [to_do, rest] =
            if only_look { ["to format", "already formatted"] } else { ["formatted", "left unchanged"] };
        print_to_stderr(format_args!("{files}: {changed} {to_do}, {unchanged} {rest}, {broken} broken"));
    }
    sources.end(broken == 0 && !(only_look && changed > 0))
}
