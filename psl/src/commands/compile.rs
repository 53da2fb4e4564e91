//! `psl compile`: compiles PSL to QKVL, weights or a checkpoint, and decompiles them.

mod args;
mod checkpoint;
mod symbols;

use std::{
    io::{self, BufWriter, Write},
    path::Path,
};

pub use self::args::Args;
use self::{args::Emit, symbols::needs_of_file};
use crate::{
    failure::Failure,
    input::{
        file_format::FileFormat,
        load::load,
        paths::{STDIN, name},
    },
    output::{
        color::Color,
        output_file::Output,
        progress::{Progress, Unit},
        sizes::bytes,
        stdio::print_to_stderr,
    },
};
use psl_program::{Runner, VocabularyNeeds, count};
use psl_runtime::{
    Executable, Vocabulary, decompile, qkvl,
    weights::{
        file::{self, Layout, Model},
        program::program,
    },
};

/// Compiles or decompiles a program.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    check_options(args)?;
    if args.emit == Emit::Hf {
        return checkpoint::write(args, color);
    }
    let mut out = Output::create(args.output.as_deref().unwrap_or(Path::new(STDIN)))?;
    if args.emit == Emit::Weights && out.is_terminal() {
        return Err(Failure::Message("cannot write binary weights to a terminal: add `-o OUT.safetensors`".to_owned()));
    }
    let compiled = compile(args, color)?;
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

/// Refuses options of another output format.
fn check_options(args: &Args) -> Result<(), Failure> {
    let Args { emit, positions, vocabulary, sparse, dense, max_prompt, max_new, passes, dtype, force, .. } = args;
    let of_weights = positions.is_some() || *sparse || *dense || (vocabulary.is_some() && *emit != Emit::Hf);
    let of_checkpoint =
        [max_prompt, max_new, passes].iter().any(|option| option.is_some()) || dtype.is_some() || *force;
    let message = if args.heads.heads && *emit == Emit::Hf {
        "a checkpoint has a layer of its own for each production: leave out `--heads`"
    } else if of_weights && *emit != Emit::Weights {
        "`--positions`, `--vocabulary`, `--sparse` and `--dense` only apply to weights: add `--emit weights`"
    } else if of_checkpoint && *emit != Emit::Hf {
        "`--max-prompt`, `--max-new`, `--passes`, `--dtype` and `--force` only apply to a checkpoint: add `--emit hf`"
    } else {
        return Ok(());
    };
    Err(Failure::Message(message.to_owned()))
}

/// Dense weights of more bytes are written only with `--dense`.
const LARGE: u64 = 1_000_000_000;

/// Reports the size of dense weights before they are written, and refuses large ones without `--dense`.
fn announce(model: &Model, size: u64, args: &Args) -> Result<(), Failure> {
    let Model { weights, vocabulary, .. } = model;
    let file = args.output.as_deref().map_or_else(|| "<stdout>".to_owned(), name);
    let positions = vocabulary.positions().len().saturating_sub(1);
    let layers = weights.heads().last().map_or_else(|| weights.labels().len(), |last| last.layer.number());
    let layers = count(layers, "layer");
    let size_of = format!("{file}: {} (positions {positions}, vocabulary {}, {layers})", bytes(size), vocabulary.len());
    if size > LARGE && !args.dense {
        let ways = "add `--dense` to write all entries, `--sparse` to write only the nonzero entries, or choose smaller `--positions`";
        return Err(Failure::Message(format!("{size_of}: {ways}")));
    }
    print_to_stderr(size_of);
    Ok(())
}

/// The result of the compilation.
enum Compiled {
    Text(String),
    Weights(Box<Model>),
}

fn compile(args: &Args, color: Color) -> Result<Compiled, Failure> {
    let loaded;
    let (program, psl) = match FileFormat::read(&args.file)? {
        FileFormat::Psl => {
            let psl = load(&args.file, color)?;
            if args.emit == Emit::Psl && !args.heads.heads {
                let text = psl_program::compile(&psl.file, psl_program::Emit::Psl).map(|compiled| compiled.text);
                return text.map(Compiled::Text).map_err(|failure| Failure::Message(failure.message));
            }
            loaded = psl.with_heads(&args.heads)?;
            (loaded.runner().executable().qkvl().clone(), Some(loaded.runner()))
        }
        FileFormat::Qkvl(program) => (scheduled(args, *program)?, None),
        FileFormat::Weights(model) => {
            if args.emit == Emit::Weights && args.positions.is_none() && args.vocabulary.is_none() && !args.heads.heads
            {
                return Ok(Compiled::Weights(model));
            }
            let program = program(&model).map_err(|error| Failure::content(&args.file, error))?;
            (scheduled(args, program)?, None)
        }
    };
    Ok(match args.emit {
        Emit::Qkvl => Compiled::Text(program.to_text()),
        Emit::Psl | Emit::Hf => {
            Compiled::Text(decompile(&program).map_err(|error| Failure::content(&args.file, error))?)
        }
        Emit::Weights => {
            let vocabulary = vocabulary(args, &program, psl)?;
            Compiled::Weights(Box::new(Model::new(&program, vocabulary)))
        }
    })
}

/// The program with the heads that the options ask for.
fn scheduled(args: &Args, program: qkvl::Program) -> Result<qkvl::Program, Failure> {
    if !args.heads.heads {
        return Ok(program);
    }
    let runner = Runner::of(Executable::of_qkvl(program.clone()));
    let scheduled = args.heads.scheduled(&name(&args.file), &runner)?;
    Ok(scheduled.map_or(program, |runner| runner.executable().qkvl().clone()))
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

fn write(model: &Model, layout: Layout, size: u64, to: &mut Output) -> io::Result<()> {
    /// Progress is reported once a buffer, as the writer writes number by number.
    const BUFFER: usize = 1 << 16;
    let progress = Progress::new(Unit::Bytes, Some(size));
    let mut buffered = BufWriter::with_capacity(BUFFER, progress.of_writing(to));
    file::write(model, layout, &mut buffered)?;
    buffered.flush()
}
