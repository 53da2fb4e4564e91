//! The arguments of `psl eval`.

use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};
use psl_runtime::MachineKind;

use super::{ablation::Ablation, grouping::Grouping};
use crate::{commands::examples::examples, input::machine::machine};

/// The arguments of `psl eval`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl eval pargen.psl data.tsv", "accuracy and prompts per second"),
    ("psl eval pargen.psl data.tsv --machine full-dat --limit 10", "the first lines, by matrix arithmetic"),
    ("psl eval pargen.psl test.tsv ood.tsv --ablate each --format csv", "accuracy by file and ablated layer"),
    ("psl tgt --split ood_lexical | psl eval pargen.psl -", "on new data"),
]))]
pub struct Args {
    /// Program: PSL, QKVL (.json) or weights (.safetensors).
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Files with a line `prompt<TAB>gold[<TAB>info]` for each prompt, or - for standard input.
    ///
    /// A file *.jsonl has a JSON object with `prompt`, `gold` and `info` on each line instead. The first line of
    /// standard input decides which of the two it is.
    #[arg(required = true, value_hint = ValueHint::FilePath)]
    pub data: Vec<PathBuf>,
    /// Machine that runs the program.
    #[arg(long, default_value = "dat", value_name = "MACHINE", value_parser = machine())]
    pub machine: MachineKind,
    /// Ablate these layers, so that they attend but write nothing: `3`, `P3a,7`, `20-27`, `each` or `none`
    ///
    /// Layers have numbers and labels. Each option is one evaluation. `each` evaluates the whole program, then without
    /// each layer in turn.
    #[arg(long, value_name = "LAYERS", allow_hyphen_values = true)]
    pub ablate: Vec<Ablation>,
    /// Compare rows: the values of the register that `//@ answer` names, one for each symbol of the prompt.
    ///
    /// A row runs the prompt alone, so that no symbol is generated. A program without the role output always gives
    /// rows.
    #[arg(long)]
    pub row: bool,
    /// Score the lines with equal info separately too. `info.depth` takes only that field of an info in JSON.
    #[arg(long, value_name = "info[.FIELD]")]
    pub by: Option<Grouping>,
    /// Lines to list [default: the first 20 failures of a single evaluation, in JSON all].
    #[arg(long, value_enum)]
    pub show: Option<Show>,
    /// Maximum number of prompts to run in parallel, which the number of cores limits too [default: the number of
    /// cores].
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// Maximum number of lines of a file.
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Lines, and a line with the score or a table of several scores.
    #[default]
    #[value(alias = "text")]
    Human,
    /// One JSON object on one line for each evaluation.
    Json,
    /// One row for each score. With `--show`, one row for each listed line instead.
    Csv,
}

/// The lines that are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Show {
    /// Lines whose continuation is not the gold.
    Failures,
    /// Every line.
    All,
    /// No lines, only scores.
    None,
}
