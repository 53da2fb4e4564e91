//! `psl new`: creates a program.

use std::{
    ffi::OsStr,
    io::Write,
    path::{Path, PathBuf},
};

use clap::{ValueEnum, ValueHint};
use psl_ide::SKELETON;

use crate::{
    examples::examples,
    failure::Failure,
    input_file::PARGEN,
    output::write_new,
    paths::is_stdin,
    stdio::{Content, say, stdout},
};

/// The arguments of `psl new`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl new first", "first.psl, a small program with comments"),
    ("psl new mine --from pargen", "mine.psl, a copy of PARGEN"),
    ("psl new -", "print the small program"),
]))]
pub struct Args {
    /// File, with or without .psl, or - for standard output.
    #[arg(value_hint = ValueHint::FilePath)]
    name: PathBuf,
    /// Program to copy.
    #[arg(long, value_enum, default_value_t, value_name = "PROGRAM")]
    from: From,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum From {
    /// A small program with a test and comments.
    #[default]
    Skeleton,
    /// The program of the paper for templatic generation.
    Pargen,
}

/// Creates the program.
pub fn run(args: &Args) -> Result<bool, Failure> {
    let text = match args.from {
        From::Skeleton => SKELETON,
        From::Pargen => PARGEN,
    };
    if is_stdin(&args.name) {
        stdout(Content::Data).write_all(text.as_bytes())?;
        return Ok(true);
    }
    let path = psl_file(&args.name);
    write_new(&path, text)?;
    let name = path.display();
    say(format_args!("created {name}: open it in an editor, or run its test with `psl test {name}`"));
    Ok(true)
}

fn psl_file(path: &Path) -> PathBuf {
    if path.extension() == Some(OsStr::new("psl")) { path.to_owned() } else { path.with_added_extension("psl") }
}
