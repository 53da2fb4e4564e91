//! `psl compile`: from PSL to what the machines read, and back.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::ValueEnum;
use psl_ide::Runner;
use psl_runtime::{
    Options, Vocabulary, decompile, qkvl,
    weights::{
        file::{self, Layout, Model},
        program::program,
    },
};
use psl_syntax::program::{TestCase, TestPrompt};

use crate::{
    color::Color,
    failure::Failure,
    file_format::{FileFormat, accepted},
    input_file::read_text,
    loading::load,
    output::Output,
    paths::STDIN,
};

/// The arguments of `psl compile`.
#[derive(clap::Args)]
pub struct Args {
    /// The program: PSL, or - for PSL on standard input; QKVL in a file that ends in .json, weights in one that ends in .safetensors.
    file: PathBuf,
    /// What to make of it.
    #[arg(long, value_enum, default_value_t)]
    emit: Emit,
    /// Where to write it [default: standard output].
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// The largest position of weights [default: that of the longest `//@ test` prompt with its continuation, else of 16 symbols].
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(2..=Options::MAX_CELLS as i64))]
    positions: Option<u32>,
    /// Symbols that weights know besides the constants and positions, separated by white space [default: those of the `//@ test` prompts].
    #[arg(long, value_name = "FILE")]
    vocabulary: Option<PathBuf>,
    /// Write only the entries of weights that are not zero.
    #[arg(long)]
    sparse: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// The query, key and value maps, as JSON.
    #[default]
    Qkvl,
    /// The transformer's matrices and biases, as safetensors.
    Weights,
    /// The program itself, formatted.
    Psl,
}

/// Compiles a program.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    if args.emit != Emit::Weights && (args.positions.is_some() || args.vocabulary.is_some() || args.sparse) {
        let message = "--positions, --vocabulary and --sparse say how weights are written: add --emit weights";
        return Err(Failure::Message(message.to_owned()));
    }
    let mut out = Output::create(args.output.as_deref().unwrap_or(Path::new(STDIN)))?;
    if args.emit == Emit::Weights && out.is_terminal() {
        return Err(Failure::Message("weights are binary, no text for a terminal: give -o OUT.safetensors".to_owned()));
    }
    let Some(made) = make(args, color)? else { return Ok(false) };
    write(&made, args, &mut out).map_err(|error| out.failure(error))?;
    out.commit()?;
    Ok(true)
}

/// What is written.
enum Made {
    Text(String),
    Weights(Box<Model>),
}

fn make(args: &Args, color: Color) -> Result<Option<Made>, Failure> {
    let loaded;
    let (program, psl) = match FileFormat::read(&args.file)? {
        None => return Ok(None),
        Some(FileFormat::Psl) => {
            let Some(psl) = load(&args.file, color)? else { return Ok(None) };
            if args.emit == Emit::Psl {
                let text = psl_ide::compile(&psl.source.program, psl_ide::Emit::Psl).map(|compiled| compiled.text);
                return text.map(|text| Some(Made::Text(text))).map_err(Failure::Message);
            }
            loaded = psl;
            (loaded.runner().executable().qkvl.clone(), Some(loaded.runner()))
        }
        Some(FileFormat::Qkvl(program)) => (*program, None),
        Some(FileFormat::Weights(model)) => {
            if args.emit == Emit::Weights && args.positions.is_none() && args.vocabulary.is_none() {
                return Ok(Some(Made::Weights(model)));
            }
            let Some(program) = accepted(&args.file, program(&model)) else { return Ok(None) };
            (program, None)
        }
    };
    Ok(match args.emit {
        Emit::Qkvl => Some(Made::Text(program.to_text())),
        Emit::Psl => accepted(&args.file, decompile(&program)).map(Made::Text),
        Emit::Weights => {
            let vocabulary = vocabulary(args, &program, psl)?;
            Some(Made::Weights(Box::new(Model::new(&program, vocabulary))))
        }
    })
}

/// As the options say; without them such that the program's tests can run.
fn vocabulary(args: &Args, qkvl: &qkvl::Program, psl: Option<&Runner>) -> Result<Vocabulary, Failure> {
    let prompts = match psl {
        // Nothing is asked of the tests then.
        _ if args.vocabulary.is_some() && args.positions.is_some() => Vec::new(),
        Some(runner) => test_prompts(runner)?,
        None => Vec::new(),
    };
    let given = match &args.vocabulary {
        Some(path) => {
            read_text(path)?.map_err(|why| Failure::Message(format!("cannot read {}: {why}", path.display())))?
        }
        None => String::new(),
    };
    let symbols: Vec<&str> = match &args.vocabulary {
        Some(_) => given.split_whitespace().collect(),
        None => prompts.iter().flat_map(|prompt| prompt.values.iter().copied()).collect(),
    };
    let last = if let Some(last) = args.positions {
        last as usize
    } else {
        let longest = prompts.iter().map(|prompt| prompt.cells).max().unwrap_or(16);
        let max_new = psl.and_then(|runner| runner.executable().program.max_new).unwrap_or(longest.max(16));
        Vocabulary::last_position(longest, max_new)
    };
    Ok(Vocabulary::with_positions(&qkvl.constants(), &symbols, last))
}

/// What a test's prompt asks of a vocabulary.
struct TestNeeds<'r> {
    cells: usize,
    values: Vec<&'r str>,
}

fn test_prompts<'r>(runner: &'r Runner) -> Result<Vec<TestNeeds<'r>>, Failure> {
    let needs = |test: &'r TestCase| match &test.prompt {
        TestPrompt::Plain(symbols) => {
            let values: Vec<&str> = symbols.split_whitespace().collect();
            Ok(TestNeeds { cells: values.len(), values })
        }
        TestPrompt::Json(file) => {
            let cells = runner.prompts().get(file).map_err(Failure::Message)?;
            Ok(TestNeeds { cells: cells.cell_count(), values: cells.values().collect() })
        }
    };
    runner.executable().program.tests.iter().map(needs).collect()
}

fn write(made: &Made, args: &Args, to: &mut Output) -> io::Result<()> {
    match made {
        Made::Text(text) => to.write_all(text.as_bytes()),
        Made::Weights(model) => {
            let layout = if args.sparse { Layout::Sparse } else { Layout::Dense };
            file::write(model, layout, to)
        }
    }
}
