//! The arguments of `psl run`.

use std::path::PathBuf;

use clap::{
    ValueEnum, ValueHint,
    builder::{ArgPredicate, NonEmptyStringValueParser},
};
use psl_program::{File, NotALayer, Ranges, TableSelection};
use psl_runtime::{Embedding, MachineKind};

use crate::{
    commands::examples::examples,
    input::{heads::Heads, machine::machine},
};

/// The arguments of `psl run`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl run --prompt \"Q a ? b A b ? a . Q c ? d A\"", "PARGEN: prints d ? c ."),
    ("psl run pargen.psl < prompts.txt", "each line"),
    ("psl run pargen.psl --prompt \"Q a A a . Q b A\" --table", "every layer"),
    ("psl run pargen.psl --prompt \"Q a A a . Q b A\" --verify", "compare all machines"),
    ("psl run pargen.psl --prompt \"Q a A a . Q b A\" --heads", "several heads a layer"),
]))]
#[allow(clippy::struct_excessive_bools, reason = "each is a separate option")]
pub struct Args {
    /// Program: PSL, QKVL (.json), weights (.safetensors) or the directory of a checkpoint [default: the bundled
    /// PARGEN].
    #[arg(value_hint = ValueHint::AnyPath)]
    pub file: Option<PathBuf>,
    /// Prompt, symbols separated by spaces [default: each line of standard input].
    ///
    /// In a prompt of PARGEN, Q starts a question and A its answer, a full stop ends the example, and the other symbols
    /// are up to you: the answer to the second question follows the pattern of the first.
    #[arg(short, long, allow_hyphen_values = true)]
    pub prompt: Option<String>,
    /// File with a structured prompt, or - for standard input.
    ///
    /// A structured prompt is a JSON list of cells. Each cell is an object of long names of registers and their values.
    /// A cell can set any register except the position. By default, parse and eop are as in a plain prompt.
    #[arg(long, value_name = "CELLS.json", value_hint = ValueHint::FilePath, conflicts_with = "prompt")]
    pub prompt_json: Option<PathBuf>,
    /// Machine that runs the program.
    #[arg(long, default_value = "dat", default_value_if("embedding", ArgPredicate::IsPresent, "full-dat"))]
    #[arg(value_name = "MACHINE", value_parser = machine())]
    pub machine: MachineKind,
    /// Run all machines and compare every register of every cell after every layer.
    ///
    /// A checkpoint is compared with the machine dat.
    #[arg(long, conflicts_with_all = ["machine", "trace"])]
    pub verify: bool,
    /// Vectors for registers and values, on the machine full-dat.
    #[arg(long, value_enum, value_name = "EMBEDDING", conflicts_with = "verify")]
    pub embedding: Option<EmbeddingName>,
    /// Seed of an embedding's dense vectors.
    #[arg(long, default_value_t, value_name = "N", requires = "embedding")]
    pub seed: u64,
    /// Maximum length of the continuation, in symbols [default: the program's, or the prompt's length, at least 16].
    #[arg(long, value_name = "N")]
    pub max_new: Option<usize>,
    /// Print a row: the values of the register that `//@ answer` names, one for each symbol of the prompt.
    ///
    /// A row runs the prompt alone. A program without the role output always gives rows.
    #[arg(long, conflicts_with_all = ["max_new", "stop"])]
    pub row: bool,
    /// Symbol that ends a continuation [default: the program's, or `.`].
    #[arg(long, value_name = "SYMBOL", allow_hyphen_values = true)]
    pub stop: Option<String>,
    /// Maximum number of passes of a repeat block [default: 10,000].
    #[arg(long, value_name = "N")]
    pub max_passes: Option<usize>,
    /// Run all cells again for each generated one, like the reference implementation.
    #[arg(long)]
    pub recompute: bool,
    /// Ablate these layers, so that they attend but write nothing: `3`, `P3a,7`, `20-27`, `12-`
    ///
    /// A layer is named by its number, its label, or the start of its label up to a colon or a space. A repeat block
    /// with an ablated layer also ends with a pass that changes nothing.
    #[arg(long, value_name = "LAYERS", allow_hyphen_values = true)]
    pub ablate: Option<String>,
    #[command(flatten)]
    pub heads: Heads,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// File for a trace of every cell of every layer, or - to print it instead of continuations.
    #[arg(long, value_name = "OUT.jsonl", value_hint = ValueHint::FilePath)]
    pub trace: Option<PathBuf>,
    /// Print a table of the run: cells as columns, watched registers as rows, a block for each layer that changed one.
    ///
    /// `*` marks changed values, `n` is the cell attended to, and a bar separates the prompt from the continuation. The
    /// passes of a repeat block are folded into one block a layer. Without watched registers, the rows are those that
    /// are given or change.
    #[arg(long, conflicts_with_all = ["trace", "verify", "format"])]
    pub table: bool,
    /// Show only these layers, and the passes of repeat blocks one by one: `20-27`, `12-`, `-20`, `P3a,7`
    ///
    /// Layers are named as for `--ablate`.
    #[arg(long, value_name = "LAYERS", requires = "table", allow_hyphen_values = true)]
    pub layers: Option<String>,
    /// Show only these cells: `12-20`, `12-`, `-20`, `3,7`
    #[arg(long, value_name = "CELLS", requires = "table", allow_hyphen_values = true)]
    pub cells: Option<Ranges>,
    /// Show only these registers, by long or short name: `region,f`
    #[arg(long, value_name = "REGISTERS", requires = "table", value_delimiter = ',')]
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub registers: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EmbeddingName {
    /// One-hot vectors for both.
    Local,
    /// One-hot vectors for registers, dense ones for values.
    SemiLocal,
    /// Dense vectors for both.
    Distributed,
}

impl Args {
    /// The part of a run of this program that a table shows.
    pub fn table_selection(&self, file: &File) -> Result<TableSelection, NotALayer> {
        let layers = self.layers.as_ref().map(|names| file.layer_names().ranges(names)).transpose()?;
        Ok(TableSelection { layers, cells: self.cells.clone(), registers: self.registers.clone() })
    }

    pub fn embedding(&self) -> Option<Embedding> {
        let seed = self.seed;
        self.embedding.map(|name| match name {
            EmbeddingName::Local => Embedding::Local,
            EmbeddingName::SemiLocal => Embedding::SemiLocal { seed },
            EmbeddingName::Distributed => Embedding::Distributed { seed },
        })
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The continuation alone, one line a prompt.
    #[default]
    #[value(alias = "text")]
    Human,
    /// One JSON object a prompt.
    Json,
}
