//! `psl tgt`: makes templatic generation data, or checks it.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Write},
    path::{Path, PathBuf},
};

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::{
    render,
    source::{Failure, STDIN},
    tgt::{Constraints, Generator, Split, Words, validate},
};

/// The arguments of `psl tgt`.
#[derive(clap::Args)]
pub struct Args {
    /// The split.
    #[arg(long, value_name = "NAME", value_parser = split())]
    split: &'static Split,
    /// How many examples stand before the cue.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=10))]
    shots: u8,
    /// What constituents are made of; upper-case words, of `ood_lexical` and echo prompts, are random letters in either.
    #[arg(long, value_enum, default_value_t)]
    words: Words,
    /// How many lines to make.
    #[arg(long, value_name = "N", default_value_t = 100)]
    count: usize,
    /// Another seed gives other lines, the same one the same.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Check the lines of this file, or of standard input for -, instead of making some.
    #[arg(long, value_name = "DATA.tsv", conflicts_with_all = ["count", "seed"])]
    check: Option<PathBuf>,
}

fn split() -> impl TypedValueParser<Value = &'static Split> {
    PossibleValuesParser::new(Split::names()).try_map(|name| Split::from_name(&name).ok_or("it is no split"))
}

/// Makes the lines, or checks them.
pub fn run(args: &Args) -> Result<bool, Failure> {
    let shots = usize::from(args.shots);
    let mut out = BufWriter::new(io::stdout().lock());
    if let Some(data) = &args.check {
        return check(data, &Constraints { split: args.split, words: args.words, shots }, &mut out);
    }
    for line in Generator::new(args.split, args.words, shots, args.seed).take(args.count) {
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    Ok(true)
}

fn check(path: &Path, constraints: &Constraints, out: &mut impl Write) -> Result<bool, Failure> {
    let (name, mut data): (_, Box<dyn BufRead>) = if path.as_os_str() == STDIN {
        ("<stdin>".to_owned(), Box::new(io::stdin().lock()))
    } else {
        let file = File::open(path);
        let file = file.map_err(|error| Failure::Message(format!("cannot read {}: {error}", path.display())))?;
        (path.display().to_string(), Box::new(BufReader::new(file)))
    };
    let (mut number, mut checked, mut wrong) = (0_usize, 0, 0);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = data.read_until(b'\n', &mut bytes);
        if read.map_err(|error| Failure::Message(format!("cannot read {name}: {error}")))? == 0 {
            break;
        }
        number += 1;
        let line = str::from_utf8(&bytes).map(|line| line.trim_end_matches(['\n', '\r']));
        if line == Ok("") {
            continue;
        }
        checked += 1;
        let line = line.map_err(|_| "the line is no UTF-8".to_owned());
        if let Err(violation) = line.and_then(|line| validate(line, constraints)) {
            writeln!(out, "{name}:{number}: {violation}")?;
            wrong += 1;
        }
    }
    if checked == 0 {
        return Err(Failure::Message(format!("{name} has no lines to check")));
    }
    out.flush()?;
    eprintln!("{} checked: {wrong} wrong", render::count(checked, "line"));
    Ok(wrong == 0)
}
