//! `psl new`: creates a program.

use std::{
    ffi::OsStr,
    io::Write,
    path::{Path, PathBuf},
};

use clap::{
    ValueHint,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};

use super::examples::examples;
use crate::{
    failure::Failure,
    input::{
        bundled::{BUNDLED, Bundled},
        paths::{is_stdin, name, word},
    },
    output::{
        output_file::write_new,
        stdio::{Content, print_to_stderr, stdout, stdout_to_the_end},
    },
};

/// The arguments of `psl new`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl new first", "first.psl, a small program with comments"),
    ("psl new mine --from pargen", "mine.psl, a copy of PARGEN"),
    ("psl new --list", "list the programs to copy"),
    ("psl new -", "print the small program"),
]))]
pub struct Args {
    /// File, with or without .psl, or - for standard output.
    #[arg(value_hint = ValueHint::FilePath, required_unless_present = "list")]
    name: Option<PathBuf>,
    /// Program to copy.
    #[arg(long, default_value = "skeleton", value_name = "PROGRAM", value_parser = bundled())]
    from: Bundled,
    /// List the programs to copy instead of creating one.
    #[arg(long, conflicts_with_all = ["name", "from"])]
    list: bool,
}

fn bundled() -> impl TypedValueParser<Value = Bundled> {
    PossibleValuesParser::new(BUNDLED.map(|program| PossibleValue::new(program.name).help(program.summary())))
        .try_map(|name| Bundled::from_name(&name).ok_or("unknown program"))
}

/// Creates the program, or lists the programs to copy.
pub fn run(args: &Args) -> Result<bool, Failure> {
    let Some(file) = &args.name else {
        let mut out = stdout_to_the_end(Content::People);
        BUNDLED.iter().try_for_each(|program| writeln!(out, "{}: {}", program.name, program.summary()))?;
        return Ok(true);
    };
    if is_stdin(file) {
        stdout(Content::Data).write_all(args.from.text.as_bytes())?;
        return Ok(true);
    }
    let path = psl_file(file);
    write_new(&path, args.from.text)?;
    let (name, word) = (name(&path), word(&path).unwrap_or_else(|| name(&path)));
    print_to_stderr(format_args!("created {name}: open it in an editor, or run its tests with `psl test {word}`"));
    Ok(true)
}

fn psl_file(path: &Path) -> PathBuf {
    if path.extension() == Some(OsStr::new("psl")) { path.to_owned() } else { path.with_added_extension("psl") }
}
