//! `psl trace diff`: finds the differences between two traces, of one program or of two versions of it.
//!
//! Both are read line by line, so memory does not grow with their length.

mod layers;
mod twice;
mod update;

use std::{io::Write, path::PathBuf};

use clap::ValueHint;
use psl_program::count;
use psl_render::shown;

use self::{layers::PairedLayers, twice::Twice, update::Update};
use super::examples::examples;
use crate::{
    failure::Failure,
    input::{data_lines::DataLines, paths::STDIN},
    output::stdio::{Content, stdout_to_the_end},
};

/// The maximum number of layers that are listed.
const MOST: usize = 20;

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
    ///
    /// The traces may be of two versions of a program. Layers belong together if their productions have the same label.
    /// Those that only one trace has are listed, and left out of the comparison.
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
    let (a, b) = (Twice::open(a)?, Twice::open(b)?);
    let layers = PairedLayers::read(&a, &b)?;
    let (mut first, mut second) = (a.second()?, b.second()?);
    let mut out = stdout_to_the_end(Content::People);
    for difference in layers.differences.iter().take(MOST) {
        writeln!(out, "{}", shown(difference))?;
    }
    if let Some(more) = layers.differences.len().checked_sub(MOST + 1) {
        writeln!(out, "… and {} more layers", more + 1)?;
    }
    let other = if layers.differences.is_empty() { "" } else { "other " };
    let mut compared = 0;
    let difference = loop {
        let left = next(&mut first, |layer| layers.in_b(layer).is_some())?;
        let right = next(&mut second, |layer| layers.is_in_a(layer))?;
        match (left, right) {
            (None, None) if compared == 0 && layers.differences.is_empty() => {
                let why = if first.number == 0 && second.number == 0 {
                    "both are empty"
                } else {
                    "neither starts with the prompt pass, step 0"
                };
                let (first, second) = (&first.name, &second.name);
                return Err(Failure::Message(format!("{first} and {second} have no lines to compare: {why}")));
            }
            (None, None) => {
                writeln!(out, "no {other}difference in {}", count(compared, "line"))?;
                return Ok(layers.differences.is_empty());
            }
            (Some(left), Some(right)) if are_together(&layers, &left, &right) => {
                compared += 1;
                let differences = left.differences(&right);
                if !differences.is_empty() {
                    let layer = if left.layer == right.layer {
                        String::new()
                    } else {
                        format!(", which is layer {} of B", right.layer)
                    };
                    break format!(", at {left}{layer}:\n  {}", differences.join("\n  "));
                }
            }
            (Some(left), Some(right)) => break format!(": A is at {left}, B is at {right}"),
            (Some(left), None) => break format!(": B has ended, A is at {left}"),
            (None, Some(right)) => break format!(": A has ended, B is at {right}"),
        }
    };
    let line = if layers.differences.is_empty() {
        format!("line {}", first.number.max(second.number))
    } else {
        format!("line {} of A and line {} of B", first.number, second.number)
    };
    writeln!(out, "{}", shown(&format!("{} (A) and {} (B) differ in {line}{difference}", first.name, second.name)))?;
    Ok(false)
}

/// The next line of a layer that both traces have.
fn next(lines: &mut DataLines, is_in_both: impl Fn(usize) -> bool) -> Result<Option<Update>, Failure> {
    loop {
        match Update::read(lines)? {
            Some(update) if !is_in_both(update.layer) => {}
            update => return Ok(update),
        }
    }
}

/// Whether two lines are about the same cell, step, production and passes.
fn are_together(layers: &PairedLayers, left: &Update, right: &Update) -> bool {
    let same_depth = left.pass.len() == right.pass.len();
    // A layer outside of a repeat block is compared with the first pass of one inside.
    let passes =
        |update: &Update| update.pass.iter().copied().filter(|&pass| same_depth || pass > 1).collect::<Vec<_>>();
    (left.step, layers.in_b(left.layer), left.cell) == (right.step, Some(right.layer), right.cell)
        && passes(left) == passes(right)
}
