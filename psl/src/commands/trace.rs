//! `psl trace diff`: finds the first difference between two traces.
//!
//! Both are read line by line, so memory does not grow with their length.

use std::{collections::BTreeMap, fmt, io::Write, path::PathBuf};

use clap::ValueHint;
use psl_runtime::trace::place_in_words;
use serde::Deserialize;

use crate::{
    examples::examples,
    failure::Failure,
    lines::Lines,
    paths::STDIN,
    shown::shown,
    stdio::{Content, stdout_to_the_end},
};

/// The arguments of `psl trace`.
#[derive(clap::Args)]
#[command(after_help = examples(EXAMPLES))]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &[(&str, &str)] = &[
    ("psl trace diff psm.jsonl dat.jsonl", "two files"),
    ("psl run --machine psm --trace - -p \"Q a A a\" | psl trace diff - dat.jsonl", "a run and a file"),
];

#[derive(clap::Subcommand)]
enum Command {
    /// Find the first difference between two traces.
    #[command(after_help = examples(EXAMPLES))]
    Diff {
        /// Trace of `psl run --trace`, or - for standard input.
        #[arg(value_hint = ValueHint::FilePath)]
        a: PathBuf,
        /// Trace to compare with it.
        #[arg(value_hint = ValueHint::FilePath)]
        b: PathBuf,
    },
}

/// Compares the traces, and returns whether they are the same.
pub fn run(args: &Args) -> Result<bool, Failure> {
    let Command::Diff { a, b } = &args.command;
    if a.as_os_str() == STDIN && b.as_os_str() == STDIN {
        return Err(Failure::both_from_stdin("one trace", "the other", "a file"));
    }
    let (mut first, mut second) = (Lines::open(a)?, Lines::open(b)?);
    let mut out = stdout_to_the_end(Content::People);
    loop {
        let difference = match (update(&mut first)?, update(&mut second)?) {
            (None, None) => {
                writeln!(out, "no difference in {} lines", first.number)?;
                return Ok(true);
            }
            (Some(left), Some(right)) if left == right => continue,
            (Some(left), Some(right)) if left.place() == right.place() => {
                format!(", at {left}:\n  {}", differences(&left, &right).join("\n  "))
            }
            (Some(left), Some(right)) => format!(": A is at {left}, B is at {right}"),
            (Some(left), None) => format!(": B has ended, A is at {left}"),
            (None, Some(right)) => format!(": A has ended, B is at {right}"),
        };
        let number = first.number.max(second.number);
        let names = format!("{} (A) and {} (B)", first.name, second.name);
        writeln!(out, "{}", shown(&format!("{names} differ in line {number}{difference}")))?;
        return Ok(false);
    }
}

/// A line of a trace.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Update {
    step: usize,
    layer: usize,
    pass: Vec<usize>,
    cell: usize,
    attends: Option<usize>,
    production: Option<String>,
    set: BTreeMap<String, String>,
    state: BTreeMap<String, String>,
}

impl Update {
    fn place(&self) -> (usize, usize, &[usize], usize) {
        (self.step, self.layer, &self.pass, self.cell)
    }
}

/// `step 0, layer 3, pass [1], cell 5 (# P1a: …)`.
impl fmt::Display for Update {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, layer, pass, cell, production, .. } = self;
        out.write_str(&place_in_words(*step, *layer, pass, *cell))?;
        production.as_ref().map_or(Ok(()), |label| write!(out, " ({label})"))
    }
}

/// Describes the differences between two lines at the same place.
fn differences(left: &Update, right: &Update) -> Vec<String> {
    let mut words = Vec::new();
    if left.production != right.production {
        let label = |update: &Update| update.production.as_ref().map_or("null".to_owned(), |it| format!("`{it}`"));
        words.push(format!("the label of the production is {} in A, {} in B", label(left), label(right)));
    }
    if left.attends != right.attends {
        let cell = |attends: Option<usize>| attends.map_or_else(|| "no cell".to_owned(), |cell| format!("cell {cell}"));
        words.push(format!("the cell attends to {} in A, to {} in B", cell(left.attends), cell(right.attends)));
    }
    for (name, left, right) in unequal(&left.set, &right.set) {
        words.push(format!("{name} is set to {left} in A, to {right} in B"));
    }
    for (name, left, right) in unequal(&left.state, &right.state) {
        words.push(format!("{name} is {left} in A, {right} in B"));
    }
    words
}

/// The registers whose values differ, with both values. A missing entry means null.
fn unequal<'u>(
    left: &'u BTreeMap<String, String>,
    right: &'u BTreeMap<String, String>,
) -> impl Iterator<Item = (&'u str, &'u str, &'u str)> {
    let only_right = right.keys().filter(|name| !left.contains_key(*name));
    left.keys().chain(only_right).filter_map(move |name| {
        let value = |side: &'u BTreeMap<String, String>| side.get(name).map_or("∅", String::as_str);
        (value(left) != value(right)).then(|| (name.as_str(), value(left), value(right)))
    })
}

/// Reads the next line of a trace, or `None` after the last one.
fn update(lines: &mut Lines) -> Result<Option<Update>, Failure> {
    let Some(line) = lines.next()? else { return Ok(None) };
    let update = serde_json::from_slice(line).map(Some);
    update
        .map_err(|error| Failure::Message(format!("{}:{}: invalid line of a trace: {error}", lines.name, lines.number)))
}
