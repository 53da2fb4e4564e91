//! The arguments of `psl compile`.

use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};
use psl_runtime::{Options, gpt2::Precision};

use crate::{commands::examples::examples, input::heads::Heads};

/// The arguments of `psl compile`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl compile pargen.psl -o pargen.json", "QKVL"),
    ("psl compile pargen.json --emit psl", "PSL again"),
    ("psl compile pargen.psl --emit weights --sparse -o pargen.safetensors", "weights"),
    ("psl compile pargen.psl --emit weights --sparse --positions 90 -o p.safetensors", "for longer prompts"),
    ("psl compile pargen.psl --heads --emit psl", "the productions in the order of their layers"),
    ("psl compile pargen_kshot.psl --emit hf -o kshot", "a GPT-2 for transformers"),
]))]
pub struct Args {
    /// Program: PSL, QKVL (.json) or weights (.safetensors), or - for PSL on standard input.
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    pub emit: Emit,
    /// Output file, or the directory of a checkpoint [default: standard output].
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub heads: Heads,
    /// Largest position in the weights [default: enough for the longest test, or for 16 symbols].
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(2..=Options::MAX_CELLS as i64))]
    pub positions: Option<u32>,
    /// File of symbols to add to the vocabulary, separated by white space [default: the symbols of the tests].
    ///
    /// Of task data, *.tsv or *.jsonl, the symbols of the prompts and golds, with positions for the longest prompt.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub vocabulary: Option<PathBuf>,
    /// Write only the nonzero entries of the weights.
    #[arg(long)]
    pub sparse: bool,
    /// Write all entries of the weights, even if they are larger than 1 GB.
    #[arg(long, alias = "yes")]
    pub dense: bool,
    /// Longest prompt of the checkpoint, in symbols [default: that of the longest test, at least 16].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_SYMBOLS))]
    pub max_prompt: Option<u32>,
    /// Longest continuation of the checkpoint, in symbols [default: more than the tests generate, at most the
    /// program's].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_SYMBOLS))]
    pub max_new: Option<u32>,
    /// Passes of each repeat block in the checkpoint [default: more than the tests take].
    ///
    /// A prompt that needs more ends visibly.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_SYMBOLS))]
    pub passes: Option<u32>,
    /// Replace files in the directory of the checkpoint that are not from a checkpoint of psl.
    #[arg(long)]
    pub force: bool,
    /// Number format of the checkpoint [default: float32].
    #[arg(long, value_enum, value_name = "DTYPE")]
    pub dtype: Option<Dtype>,
}

/// The most symbols and passes to ask for. Checkpoints have limits of their own.
const MAX_SYMBOLS: i64 = 1_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Dtype {
    Float32,
    Bfloat16,
    Float16,
}

impl From<Dtype> for Precision {
    fn from(dtype: Dtype) -> Self {
        match dtype {
            Dtype::Float32 => Self::Float32,
            Dtype::Bfloat16 => Self::Bfloat16,
            Dtype::Float16 => Self::Float16,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// Query, key and value maps, as JSON.
    #[default]
    Qkvl,
    /// Matrices and biases of the transformer, as safetensors.
    Weights,
    /// PSL, formatted.
    Psl,
    /// A GPT-2 that transformers and other engines load: a directory.
    Hf,
}
