//! `psl tgt`: generates or checks templatic generation data.

use std::{
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use clap::{
    ValueHint,
    builder::{PossibleValuesParser, TypedValueParser},
};

use crate::{
    counting::count,
    examples::examples,
    failure::Failure,
    lines::Lines,
    output::Output,
    paths::STDIN,
    progress::{Progress, Unit},
    shown::shown,
    stdio::{Content, say, stdout_to_the_end},
    tgt::{Constraints, Generator, Split, Words, validate},
};

/// The arguments of `psl tgt`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl tgt --split train --count 1000 -o train.tsv", "1,000 lines"),
    ("psl tgt --split ood_lexical --shots 2 --seed 7", "two examples a prompt"),
    ("psl tgt --split test --check data.tsv", "check a data set"),
    ("psl tgt --split ood_lexical | psl eval pargen.psl -", "measure a program"),
]))]
pub struct Args {
    /// Split of the paper's Table 1.
    #[arg(long, value_name = "NAME", value_parser = split())]
    split: &'static Split,
    /// Number of examples before the cue.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=10))]
    shots: u8,
    /// Words of the constituents. `ood_lexical` and echo prompts always use two random upper-case letters.
    #[arg(long, value_enum, default_value_t)]
    words: Words,
    /// Number of lines.
    #[arg(long, value_name = "N", default_value_t = 100)]
    count: usize,
    /// Seed of the random numbers. The same seed gives the same lines.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Check the lines of this file, or - for standard input, instead of generating any.
    #[arg(long, value_name = "DATA.tsv", value_hint = ValueHint::FilePath, conflicts_with_all = ["count", "seed"])]
    check: Option<PathBuf>,
    /// Output file [default: standard output].
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath, conflicts_with = "check")]
    output: Option<PathBuf>,
}

fn split() -> impl TypedValueParser<Value = &'static Split> {
    PossibleValuesParser::new(Split::names()).try_map(|name| Split::from_name(&name).ok_or("unknown split"))
}

/// Generates or checks lines.
pub fn run(args: &Args) -> Result<bool, Failure> {
    let shots = usize::from(args.shots);
    if let Some(data) = &args.check {
        return check(data, &Constraints { split: args.split, words: args.words, shots });
    }
    let mut out = Output::create(args.output.as_deref().unwrap_or(Path::new(STDIN)))?;
    let progress = Progress::new(Unit::Items("lines"), Some(args.count as u64));
    for line in Generator::new(args.split, args.words, shots, args.seed).take(args.count) {
        writeln!(out, "{line}").map_err(|error| out.failure(error))?;
        progress.item(1);
    }
    out.commit()?;
    Ok(true)
}

fn check(path: &Path, constraints: &Constraints) -> Result<bool, Failure> {
    let mut out = BufWriter::new(stdout_to_the_end(Content::People));
    let mut data = Lines::open(path)?;
    let progress = Progress::new(Unit::Items("lines"), data.size);
    let (mut checked, mut wrong) = (0, 0);
    while let Some(line) = data.next()? {
        progress.item(line.len() as u64 + 1);
        if line.is_empty() {
            continue;
        }
        checked += 1;
        let line = str::from_utf8(line).map_err(|_| "the line is not UTF-8".to_owned());
        if let Err(violation) = line.and_then(|line| validate(line, constraints)) {
            writeln!(out, "{}", shown(&format!("{}:{}: {violation}", data.name, data.number)))?;
            wrong += 1;
        }
    }
    drop(progress);
    if checked == 0 {
        return Err(Failure::Message(format!("{} has no lines to check", data.name)));
    }
    out.flush()?;
    say(format_args!("{} checked: {wrong} wrong", count(checked, "line")));
    Ok(wrong == 0)
}
