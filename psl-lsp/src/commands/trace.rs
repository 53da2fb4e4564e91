//! `psl trace diff`: says where two traces part.
//!
//! Both are read side by side, a line at a time, so memory does not grow with them.

use std::{
    collections::BTreeMap,
    fmt,
    fs::File,
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
};

use serde::Deserialize;

use crate::source::{Failure, STDIN};

/// The arguments of `psl trace`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Say where two traces part, as `psl run --trace` writes them.
    Diff {
        /// A trace, or - for standard input.
        a: PathBuf,
        /// Another.
        b: PathBuf,
    },
}

/// Compares the traces; whether they are the same.
pub fn run(args: &Args) -> Result<bool, Failure> {
    let Command::Diff { a, b } = &args.command;
    if a.as_os_str() == STDIN && b.as_os_str() == STDIN {
        return Err(Failure::both_from_stdin("one trace", "the other", "a file"));
    }
    let (mut first, mut second) = (Lines::open(a)?, Lines::open(b)?);
    let mut out = io::stdout().lock();
    loop {
        let difference = match (first.next()?, second.next()?) {
            (None, None) => {
                writeln!(out, "no difference in {} lines", first.number)?;
                return Ok(true);
            }
            (Some(left), Some(right)) if left == right => continue,
            (Some(left), Some(right)) if left.place() == right.place() => {
                format!("at {left}:\n  {}", differences(&left, &right).join("\n  "))
            }
            (Some(left), Some(right)) => format!("where A is at {left}, and B at {right}"),
            (Some(left), None) => format!("where B has ended, and A is at {left}"),
            (None, Some(right)) => format!("where A has ended, and B is at {right}"),
        };
        let number = first.number.max(second.number);
        writeln!(out, "{} (A) and {} (B) part in line {number}, {difference}", first.name, second.name)?;
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
        write!(out, "step {step}, layer {layer}, pass {pass:?}, cell {cell}")?;
        production.as_ref().map_or(Ok(()), |label| write!(out, " ({label})"))
    }
}

/// How two lines at the same place differ, in words.
fn differences(left: &Update, right: &Update) -> Vec<String> {
    let mut words = Vec::new();
    if left.production != right.production {
        let label =
            |update: &Update| update.production.as_ref().map_or("not at all".to_owned(), |it| format!("`{it}`"));
        words.push(format!("the production is labelled {} in A, {} in B", label(left), label(right)));
    }
    if left.attends != right.attends {
        let cell = |attends: Option<usize>| attends.map_or_else(|| "no cell".to_owned(), |cell| format!("cell {cell}"));
        words.push(format!("it attends to {} in A, to {} in B", cell(left.attends), cell(right.attends)));
    }
    for (name, left, right) in unequal(&left.set, &right.set) {
        words.push(format!("{name} is set to {left} in A, to {right} in B"));
    }
    for (name, left, right) in unequal(&left.state, &right.state) {
        words.push(format!("{name} holds {left} in A, {right} in B"));
    }
    words
}

/// The registers with other values on the right than on the left, where one that is null has no entry.
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

/// The lines of a trace.
struct Lines {
    name: String,
    number: usize,
    data: Box<dyn BufRead>,
    text: Vec<u8>,
}

impl Lines {
    fn open(path: &Path) -> Result<Self, Failure> {
        let (name, data): (_, Box<dyn BufRead>) = if path.as_os_str() == STDIN {
            ("<stdin>".to_owned(), Box::new(io::stdin().lock()))
        } else {
            let file = File::open(path);
            let file = file.map_err(|error| Failure::Message(format!("cannot read {}: {error}", path.display())))?;
            (path.display().to_string(), Box::new(BufReader::new(file)))
        };
        Ok(Self { name, number: 0, data, text: Vec::new() })
    }

    fn next(&mut self) -> Result<Option<Update>, Failure> {
        self.text.clear();
        let read = self.data.read_until(b'\n', &mut self.text);
        if read.map_err(|error| Failure::Message(format!("cannot read {}: {error}", self.name)))? == 0 {
            return Ok(None);
        }
        self.number += 1;
        serde_json::from_slice(&self.text).map(Some).map_err(|error| {
            Failure::Message(format!("{}:{}: this is no line of a trace: {error}", self.name, self.number))
        })
    }
}
