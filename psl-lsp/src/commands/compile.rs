//! `psl compile`: from PSL to what the machines read.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use clap::ValueEnum;

use crate::{Color, commands::load, execute::Runner, source::Failure};

/// The arguments of `psl compile`.
#[derive(clap::Args)]
pub struct Args {
    /// The program, or - for standard input.
    file: PathBuf,
    /// What to make of it.
    #[arg(long, value_enum, default_value_t)]
    emit: Emit,
    /// Where to write it [default: standard output].
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Emit {
    /// The query, key and value maps, as JSON.
    #[default]
    Qkvl,
}

/// Compiles a program.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    let Some((_, runner)) = load(&args.file, color)? else { return Ok(false) };
    let text = match args.emit {
        Emit::Qkvl => qkvl_text(&runner),
    };
    match &args.output {
        Some(path) => std::fs::write(path, text)
            .map_err(|error| Failure::Message(format!("cannot write {}: {error}", path.display())))?,
        None => io::stdout().lock().write_all(text.as_bytes())?,
    }
    Ok(true)
}

/// The QKVL of a program as indented JSON.
pub fn qkvl_text(runner: &Runner) -> String {
    format!("{:#}\n", runner.executable().qkvl.to_json())
}
