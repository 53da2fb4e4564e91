//! `psl fmt`: lays programs out, in place or as a filter.

use std::{
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use super::report;
use crate::{
    Color, diff, render,
    source::{Failure, STDIN, Source, expand},
};

/// The arguments of `psl fmt`.
#[derive(clap::Args)]
pub struct Args {
    /// Files, folders, or - to filter standard input to standard output [default: this folder].
    paths: Vec<PathBuf>,
    /// Change nothing: list the files that would change, and fail if there are any.
    #[arg(long)]
    check: bool,
    /// Change nothing: print what would change as a unified diff, and fail if anything would.
    #[arg(long)]
    diff: bool,
}

/// Formats all paths.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let only_look = args.check || args.diff;
    let (mut changed, mut unchanged, mut broken) = (0, 0, 0);
    let files = expand(&args.paths)?;
    for file in &files {
        let source = Source::read(file)?;
        let formatted = match source.format() {
            Ok(formatted) => formatted,
            Err(errors) => {
                report(&source, &errors, color)?;
                broken += 1;
                continue;
            }
        };
        let filter = !only_look && file == Path::new(STDIN);
        if filter {
            out.write_all(formatted.text.as_bytes())?;
        }
        if formatted.edits.is_empty() {
            unchanged += 1;
            continue;
        }
        changed += 1;
        if args.diff {
            out.write_all(diff::unified(&source.name, &source.text, &formatted.text).as_bytes())?;
        } else if args.check {
            writeln!(out, "{}", source.name)?;
        } else if !filter {
            source.write(&formatted.text)?;
        }
    }
    out.flush()?;
    if files != [Path::new(STDIN)] {
        let files = render::count(files.len(), "file");
        let [to_do, rest] =
            if only_look { ["to format", "as they should be"] } else { ["formatted", "left unchanged"] };
        eprintln!("{files}: {changed} {to_do}, {unchanged} {rest}, {broken} broken");
    }
    Ok(broken == 0 && !(only_look && changed > 0))
}
