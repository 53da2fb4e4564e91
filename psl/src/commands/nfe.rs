//! `psl nfe`: generates or checks nested function evaluation data.

use psl_tasks::nfe::{Generator, MAX_DEPTH, validate};

use super::{examples::examples, task_data::TaskData};
use crate::failure::Failure;

/// The arguments of `psl nfe`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl nfe --depth 3 --count 1000 -o nfe.tsv", "1,000 lines"),
    ("psl nfe --depth 1 --seed 7 --format jsonl", "a JSON object per line"),
    ("psl nfe --check nfe.tsv", "check a data set of any depths"),
    ("psl nfe --depth 3 | psl nfe --depth 3 --check -", "check the depth too"),
]))]
pub struct Args {
    /// Depth of the expression: 1 for `f ( a )`, 2 for `f ( f ( a ) )` [default: 2, and any with --check].
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u8).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u8>,
    #[command(flatten)]
    data: TaskData,
}

/// The depth of the expression in the paper's example (89).
const DEPTH: u8 = 2;

/// Generates or checks lines.
pub fn run(args: &Args) -> Result<bool, Failure> {
    args.data.run(|seed| Generator::new(args.depth.unwrap_or(DEPTH), seed), |line| validate(line, args.depth))
}
