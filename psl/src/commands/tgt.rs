//! `psl tgt`: generates or checks templatic generation data.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use psl_tasks::tgt::{Constraints, Generator, Split, Words, validate};

use super::{examples::examples, task_data::TaskData};
use crate::{failure::Failure, input::choices::choices};

/// The kinds of words.
const WORDS: &[(&str, &str, Words)] =
    &[("rlw", "Random-letter words: two lower-case letters", Words::Rlw), ("eng", "English words", Words::Eng)];

/// The arguments of `psl tgt`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl tgt --split train --count 1000 -o train.tsv", "1,000 lines"),
    ("psl tgt --split ood_lexical --shots 2 --seed 7", "two examples a prompt"),
    ("psl tgt --split test --format jsonl", "a JSON object per line"),
    ("psl tgt --split test --check data.tsv", "check a data set"),
    ("psl tgt --split ood_lexical | psl eval pargen.psl -", "measure a program"),
]))]
pub struct Args {
    /// Split of the paper's Table 1, or of Table 10, whose cue differs from the examples.
    #[arg(long, value_name = "NAME", value_parser = split())]
    split: &'static Split,
    /// Number of examples before the cue.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=10))]
    shots: u8,
    /// Words of the constituents. `ood_lexical`, the cue of `dyn_ood_lexical` and echo prompts always use two random
    /// upper-case letters.
    #[arg(long, default_value = "rlw", value_parser = choices(WORDS))]
    words: Words,
    #[command(flatten)]
    data: TaskData,
}

fn split() -> impl TypedValueParser<Value = &'static Split> {
    PossibleValuesParser::new(Split::names()).try_map(|name| Split::from_name(&name).ok_or("unknown split"))
}

/// Generates or checks lines.
pub fn run(args: &Args) -> Result<bool, Failure> {
    let Args { split, words, .. } = *args;
    let shots = usize::from(args.shots);
    args.data.run(
        |seed| Generator::new(split, words, shots, seed),
        |line| validate(line, &Constraints { split, words, shots }),
    )
}
