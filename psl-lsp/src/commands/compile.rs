//! `psl compile`: from PSL to what the machines read, and back.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::ValueEnum;
use psl_runtime::{
    Options, Vocabulary, decompile, qkvl,
    weights::{
        file::{self, Layout, Model},
        program::program,
    },
};
use psl_syntax::Program;

use crate::{
    Color,
    commands::load,
    config::Configs,
    execute::Runner,
    form::{Form, accepted},
    output::Output,
    source::{Failure, STDIN, Source},
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
    let (program, psl) = match Form::read(&args.file)? {
        None => return Ok(None),
        Some(Form::Psl) => {
            let Some((source, runner)) = load(&args.file, color)? else { return Ok(None) };
            if args.emit == Emit::Psl {
                // What compiles can be formatted.
                return Ok(Some(Made::Text(source.format().map_or(source.text, |formatted| formatted.text))));
            }
            (runner.executable().qkvl.clone(), Some(runner.executable().program.clone()))
        }
        Some(Form::Qkvl(program)) => (*program, None),
        Some(Form::Weights(model)) => {
            if args.emit == Emit::Weights && args.positions.is_none() && args.vocabulary.is_none() {
                return Ok(Some(Made::Weights(model)));
            }
            let Some(program) = accepted(&args.file, program(&model)) else { return Ok(None) };
            (program, None)
        }
    };
    Ok(match args.emit {
        Emit::Qkvl => Some(Made::Text(json(&program))),
        Emit::Psl => accepted(&args.file, decompile(&program)).map(Made::Text),
        Emit::Weights => {
            let vocabulary = vocabulary(args, &program, psl.as_ref())?;
            Some(Made::Weights(Box::new(Model::new(&program, vocabulary))))
        }
    })
}

/// As the options say; without them such that the program's tests can run.
fn vocabulary(args: &Args, qkvl: &qkvl::Program, psl: Option<&Program>) -> Result<Vocabulary, Failure> {
    let tests = psl.map(|program| program.tests.as_slice()).unwrap_or_default();
    let symbols = match &args.vocabulary {
        Some(path) => Source::read(path, &mut Configs::default())?.utf8()?,
        None => tests.iter().flat_map(|test| [test.prompt.as_str(), " "]).collect(),
    };
    let symbols: Vec<&str> = symbols.split_whitespace().collect();
    let last = if let Some(last) = args.positions {
        last as usize
    } else {
        let longest = tests.iter().map(|test| test.prompt.split_whitespace().count()).max().unwrap_or(16);
        let max_new = psl.and_then(|program| program.max_new).unwrap_or(longest.max(16));
        Vocabulary::last_position(longest, max_new)
    };
    Ok(Vocabulary::with_positions(&qkvl.constants(), &symbols, last))
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

/// The QKVL of a program as indented JSON.
pub fn qkvl_text(runner: &Runner) -> String {
    json(&runner.executable().qkvl)
}

fn json(program: &qkvl::Program) -> String {
    format!("{:#}\n", program.to_json())
}
