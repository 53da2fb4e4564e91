//! `psl compile`: compiles PSL to QKVL or weights, and decompiles them.

use std::{
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use clap::{ValueEnum, ValueHint};
use psl_program::{Runner, VocabularyNeeds, count};
use psl_runtime::{
    Options, Vocabulary, decompile, qkvl,
    weights::{
        file::{self, Layout, Model},
        program::program,
    },
};
use psl_tasks::LineFormat;

use super::examples::examples;
use crate::{
    failure::Failure,
    input::{
        data_lines::DataLines,
        file_format::{FileFormat, accepted},
        paths::{STDIN, name},
        program_file::read_text,
        runnable::load,
    },
    output::{
        color::Color,
        output_file::Output,
        progress::{Progress, Unit},
        sizes::bytes,
        stdio::say,
    },
};

/// The arguments of `psl compile`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl compile pargen.psl -o pargen.json", "QKVL"),
    ("psl compile pargen.json --emit psl", "PSL again"),
    ("psl compile pargen.psl --emit weights --sparse -o pargen.safetensors", "weights"),
    ("psl compile pargen.psl --emit weights --sparse --positions 90 -o p.safetensors", "for longer prompts"),
]))]
pub struct Args {
    /// Program: PSL, QKVL (.json) or weights (.safetensors), or - for PSL on standard input.
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    emit: Emit,
    /// Output file [default: standard output].
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Largest position in the weights [default: enough for the longest test, or for 16 symbols].
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(2..=Options::MAX_CELLS as i64))]
    positions: Option<u32>,
    /// File of symbols to add to the vocabulary, separated by white space [default: the symbols of the tests].
    ///
    /// Of task data, *.tsv or *.jsonl, the symbols of the prompts and golds, with positions for the longest prompt.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    vocabulary: Option<PathBuf>,
    /// Write only the nonzero entries of the weights.
    #[arg(long)]
    sparse: bool,
    /// Write all entries of the weights, even if they are larger than 1 GB.
    #[arg(long, alias = "yes")]
    dense: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// Query, key and value maps, as JSON.
    #[default]
    Qkvl,
    /// Matrices and biases of the transformer, as safetensors.
    Weights,
    /// PSL, formatted.
    Psl,
}

/// Compiles or decompiles a program.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    let of_weights = args.positions.is_some() || args.vocabulary.is_some() || args.sparse || args.dense;
    if args.emit != Emit::Weights && of_weights {
        let message =
            "`--positions`, `--vocabulary`, `--sparse` and `--dense` only apply to weights: add `--emit weights`";
        return Err(Failure::Message(message.to_owned()));
    }
    let mut out = Output::create(args.output.as_deref().unwrap_or(Path::new(STDIN)))?;
    if args.emit == Emit::Weights && out.is_terminal() {
        return Err(Failure::Message("cannot write binary weights to a terminal: add `-o OUT.safetensors`".to_owned()));
    }
    let Some(compiled) = compile(args, color)? else { return Ok(false) };
    match compiled {
        Compiled::Text(text) => out.write_all(text.as_bytes()),
        Compiled::Weights(model) => {
            let layout = if args.sparse { Layout::Sparse } else { Layout::Dense };
            let size = file::size(&model, layout).map_err(|error| out.failure(error))?;
            if layout == Layout::Dense {
                announce(&model, size, args)?;
            }
            out.check_room(size)?;
            write(&model, layout, size, &mut out)
        }
    }
    .map_err(|error| out.failure(error))?;
    out.commit()?;
    Ok(true)
}

/// Dense weights of more bytes are written only with `--dense`.
const LARGE: u64 = 1_000_000_000;

/// Reports the size of dense weights before they are written, and refuses large ones without `--dense`.
fn announce(model: &Model, size: u64, args: &Args) -> Result<(), Failure> {
    let Model { weights, vocabulary, .. } = model;
    let file = args.output.as_deref().map_or_else(|| "<stdout>".to_owned(), name);
    let positions = vocabulary.positions().len().saturating_sub(1);
    let layers = count(weights.labels().len(), "layer");
    let size_of = format!("{file}: {} (positions {positions}, vocabulary {}, {layers})", bytes(size), vocabulary.len());
    if size > LARGE && !args.dense {
        let ways = "add `--dense` to write all entries, `--sparse` to write only the nonzero entries, or choose smaller `--positions`";
        return Err(Failure::Message(format!("{size_of}: {ways}")));
    }
    say(size_of);
    Ok(())
}

/// The result of the compilation.
enum Compiled {
    Text(String),
    Weights(Box<Model>),
}

fn compile(args: &Args, color: Color) -> Result<Option<Compiled>, Failure> {
    let loaded;
    let (program, psl) = match FileFormat::read(&args.file)? {
        None => return Ok(None),
        Some(FileFormat::Psl) => {
            let Some(psl) = load(&args.file, color)? else { return Ok(None) };
            if args.emit == Emit::Psl {
                let text =
                    psl_program::compile(&psl.source.program, psl_program::Emit::Psl).map(|compiled| compiled.text);
                return text
                    .map(|text| Some(Compiled::Text(text)))
                    .map_err(|failure| Failure::Message(failure.message));
            }
            loaded = psl;
            (loaded.runner().executable().qkvl.clone(), Some(loaded.runner()))
        }
        Some(FileFormat::Qkvl(program)) => (*program, None),
        Some(FileFormat::Weights(model)) => {
            if args.emit == Emit::Weights && args.positions.is_none() && args.vocabulary.is_none() {
                return Ok(Some(Compiled::Weights(model)));
            }
            let Some(program) = accepted(&args.file, program(&model)) else { return Ok(None) };
            (program, None)
        }
    };
    Ok(match args.emit {
        Emit::Qkvl => Some(Compiled::Text(program.to_text())),
        Emit::Psl => accepted(&args.file, decompile(&program)).map(Compiled::Text),
        Emit::Weights => {
            let vocabulary = vocabulary(args, &program, psl)?;
            Some(Compiled::Weights(Box::new(Model::new(&program, vocabulary))))
        }
    })
}

/// Builds the vocabulary from the options. By default the program's tests can run with it.
fn vocabulary(args: &Args, qkvl: &qkvl::Program, psl: Option<&Runner>) -> Result<Vocabulary, Failure> {
    let tests = match psl {
        // The options suffice, so a test prompt that cannot be read does not matter.
        _ if args.vocabulary.is_some() && args.positions.is_some() => VocabularyNeeds::default(),
        Some(runner) => VocabularyNeeds::of_tests(runner).map_err(Failure::of)?,
        None => VocabularyNeeds::default(),
    };
    let needs = match &args.vocabulary {
        Some(path) => {
            let given = needs_of_file(path)?;
            VocabularyNeeds { cells: tests.cells.max(given.cells), ..given }
        }
        None => tests,
    };
    let max_new = psl.and_then(|runner| runner.executable().program.max_new);
    let last = args.positions.map_or_else(|| needs.last_position(max_new), |last| last as usize);
    Ok(needs.vocabulary(&qkvl.constants(), last))
}

/// The needs of task data: its prompts and golds. Those of another file are its symbols.
fn needs_of_file(path: &Path) -> Result<VocabularyNeeds, Failure> {
    let mut needs = VocabularyNeeds::default();
    if !path.extension().is_some_and(|extension| extension == "tsv" || extension == "jsonl") {
        let text = read_text(path)?.map_err(|why| Failure::Message(format!("cannot read {}: {why}", name(path))))?;
        needs.values = text.split_whitespace().map(str::to_owned).collect();
        return Ok(needs);
    }
    let format = LineFormat::of(path);
    let mut data = DataLines::open(path)?;
    while let Some(text) = data.next_text()? {
        if !text.trim().is_empty() {
            let line = format.parse(&text).map_err(|why| data.wrong(&why))?;
            needs.add(line.prompt.split_whitespace());
            needs.values.extend(line.gold.split_whitespace().map(str::to_owned));
        }
    }
    Ok(needs)
}

fn write(model: &Model, layout: Layout, size: u64, to: &mut Output) -> io::Result<()> {
    /// Progress is reported once a buffer, as the writer writes number by number.
    const BUFFER: usize = 1 << 16;
    let progress = Progress::new(Unit::Bytes, Some(size));
    let mut buffered = BufWriter::with_capacity(BUFFER, progress.of_writing(to));
    file::write(model, layout, &mut buffered)?;
    buffered.flush()
}
