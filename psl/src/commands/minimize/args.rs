//! The arguments of `psl minimize`.

use std::path::PathBuf;

use clap::ValueHint;

use crate::commands::{
    examples::examples,
    search::{ProgramPath, SearchLimits},
};

/// The arguments of `psl minimize`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl minimize pargen.psl --outputs -o small.psl", "with the same continuations"),
    ("psl minimize broken.psl more.tsv", "the same states, also on the lines of a file"),
    ("psl minimize broken.psl --prompt \"test 2\"", "a shorter prompt that fails"),
]))]
pub struct Args {
    #[command(flatten)]
    pub program: ProgramPath,
    /// Files with a line `prompt<TAB>gold` for each further prompt to compare, or - for standard input. The gold
    /// does not count.
    #[arg(value_hint = ValueHint::FilePath, conflicts_with = "prompt")]
    pub data: Vec<PathBuf>,
    /// Only the continuations have to stay, and not the states.
    #[arg(long, conflicts_with = "prompt")]
    pub outputs: bool,
    /// Shorten the prompt of a failing test or law, by its name, while it fails for the same reason.
    #[arg(long, value_name = "NAME")]
    pub prompt: Option<String>,
    /// File to write the program to [default: standard output].
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "prompt")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub limits: SearchLimits,
}
