//! `psl run`: completes prompts.

mod asking;
mod prompt_session;

use std::{io, path::PathBuf};

use clap::{
    ValueEnum, ValueHint,
    builder::{ArgPredicate, NonEmptyStringValueParser},
};
use psl_program::{Ranges, TableSelection};
use psl_runtime::{Embedding, MachineKind};

use self::prompt_session::PromptSession;
use super::examples::examples;
use crate::{
    failure::Failure,
    input::{
        machine::machine,
        paths::is_stdin,
        program_file::ProgramFile,
        runnable::{compiled, load_any},
    },
    output::{color::Color, output_file::Output},
};

/// The arguments of `psl run`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl run --prompt \"Q a ? b A b ? a . Q c ? d A\"", "PARGEN: prints d ? c ."),
    ("psl run pargen.psl < prompts.txt", "each line"),
    ("psl run pargen.psl --prompt \"Q a A a . Q b A\" --table", "every layer"),
    ("psl run pargen.psl --prompt \"Q a A a . Q b A\" --verify", "compare all machines"),
]))]
pub struct Args {
    /// Program: PSL, QKVL (.json) or weights (.safetensors) [default: the bundled PARGEN].
    #[arg(value_hint = ValueHint::FilePath)]
    file: Option<PathBuf>,
    /// Prompt, symbols separated by spaces [default: each line of standard input].
    ///
    /// In a prompt of PARGEN, Q starts a question and A its answer, a full stop ends the example, and the other symbols are up
    /// to you: the answer to the second question follows the pattern of the first.
    #[arg(short, long, allow_hyphen_values = true)]
    prompt: Option<String>,
    /// File with a structured prompt, or - for standard input.
    ///
    /// A structured prompt is a JSON list of cells. Each cell is an object of long names of registers and their values.
    /// A cell can set any register except the position. By default, parse and eop are as in a plain prompt.
    #[arg(long, value_name = "CELLS.json", value_hint = ValueHint::FilePath, conflicts_with = "prompt")]
    prompt_json: Option<PathBuf>,
    /// Machine that runs the program.
    #[arg(long, default_value = "dat", default_value_if("embedding", ArgPredicate::IsPresent, "full-dat"))]
    #[arg(value_name = "MACHINE", value_parser = machine())]
    machine: MachineKind,
    /// Run all machines and compare every register of every cell after every layer.
    #[arg(long, conflicts_with_all = ["machine", "trace"])]
    verify: bool,
    /// Vectors for registers and values, on the machine full-dat.
    #[arg(long, value_enum, value_name = "EMBEDDING", conflicts_with = "verify")]
    embedding: Option<EmbeddingName>,
    /// Seed of an embedding's dense vectors.
    #[arg(long, default_value_t, value_name = "N", requires = "embedding")]
    seed: u64,
    /// Maximum length of the continuation, in symbols [default: the program's, or the prompt's length, at least 16].
    #[arg(long, value_name = "N")]
    max_new: Option<usize>,
    /// Symbol that ends a continuation [default: the program's, or `.`].
    #[arg(long, value_name = "SYMBOL", allow_hyphen_values = true)]
    stop: Option<String>,
    /// Maximum number of passes of a repeat block [default: 10,000].
    #[arg(long, value_name = "N")]
    max_passes: Option<usize>,
    /// Run all cells again for each generated one, like the reference implementation.
    #[arg(long)]
    recompute: bool,
    /// Ablate these layers, so that they attend but write nothing: `3`, `3,7`, `20-27`, `12-`
    ///
    /// A repeat block with an ablated layer also ends with a pass that changes nothing.
    #[arg(long, value_name = "LAYERS", allow_hyphen_values = true)]
    ablate: Option<Ranges>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// File for a trace of every cell of every layer, or - to print it instead of continuations.
    #[arg(long, value_name = "OUT.jsonl", value_hint = ValueHint::FilePath)]
    trace: Option<PathBuf>,
    /// Print a table of the run: cells as columns, watched registers as rows, a block for each layer that changed one.
    ///
    /// `*` marks changed values, `n` is the cell attended to, and a bar separates the prompt from the continuation. The passes of
    /// a repeat block are folded into one block a layer. Without watched registers, the rows are those that are given or change.
    #[arg(long, conflicts_with_all = ["trace", "verify", "format"])]
    table: bool,
    /// Show only these layers, and the passes of repeat blocks one by one: `20-27`, `12-`, `-20`, `3,7`
    #[arg(long, value_name = "LAYERS", requires = "table", allow_hyphen_values = true)]
    layers: Option<Ranges>,
    /// Show only these cells: `12-20`, `12-`, `-20`, `3,7`
    #[arg(long, value_name = "CELLS", requires = "table", allow_hyphen_values = true)]
    cells: Option<Ranges>,
    /// Show only these registers, by long or short name: `region,f`
    #[arg(long, value_name = "REGISTERS", requires = "table", value_delimiter = ',')]
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    registers: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EmbeddingName {
    /// One-hot vectors for both.
    Local,
    /// One-hot vectors for registers, dense ones for values.
    SemiLocal,
    /// Dense vectors for both.
    Distributed,
}

impl Args {
    fn table_selection(&self) -> TableSelection {
        TableSelection { layers: self.layers.clone(), cells: self.cells.clone(), registers: self.registers.clone() }
    }

    fn embedding(&self) -> Option<Embedding> {
        let seed = self.seed;
        self.embedding.map(|name| match name {
            EmbeddingName::Local => Embedding::Local,
            EmbeddingName::SemiLocal => Embedding::SemiLocal { seed },
            EmbeddingName::Distributed => Embedding::Distributed { seed },
        })
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The continuation alone, one line a prompt.
    #[default]
    #[value(alias = "text")]
    Human,
    /// One JSON object a prompt.
    Json,
}

/// Completes all prompts.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    let program_is_stdin = args.file.as_deref().is_some_and(is_stdin);
    if program_is_stdin && args.prompt_json.as_deref().is_some_and(is_stdin) {
        return Err(Failure::both_from_stdin("the program", "the prompt", "a file"));
    }
    if program_is_stdin && args.prompt.is_none() && args.prompt_json.is_none() {
        return Err(Failure::both_from_stdin("the program", "the prompts", "--prompt"));
    }
    if args.embedding.is_some() && args.machine != MachineKind::FullDat {
        let machine = args.machine.name();
        return Err(Failure::Message(format!(
            "--embedding needs the machine full-dat: leave out `--machine {machine}`"
        )));
    }
    let loaded = match &args.file {
        Some(path) => load_any(path, color)?,
        None => compiled(ProgramFile::pargen(), color),
    };
    let Some(loaded) = loaded else { return Ok(false) };
    args.table_selection().check(loaded.runner()).map_err(Failure::of)?;
    let layers = loaded.runner().executable().labels().len();
    let ablated = args.ablate.as_ref().map(|chosen| chosen.layers(layers)).transpose().map_err(Failure::of)?;
    let trace = args.trace.as_deref().map(Output::create).transpose()?;
    let mut session = PromptSession { args, color, loaded, ablated: ablated.unwrap_or_default(), trace, fine: true };
    let done = session.complete_all();
    match done.and_then(|()| session.trace.map_or(Ok(()), Output::commit)) {
        // The reader has closed the output.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(session.fine),
        done => done.map(|()| session.fine),
    }
}
