//! `psl schedule`: productions that can share a layer, as its heads.

use std::{
    io::Write,
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use clap::{ValueEnum, ValueHint};
use psl_program::Plan;
use psl_render::{plan_picture, plan_text, shown, shown_json};

use super::examples::examples;
use crate::{
    failure::Failure,
    input::{
        heads::number_of_heads,
        load::load_any,
        paths::{STDIN, name},
    },
    output::{color::Color, output_file::Output},
};

/// The arguments of `psl schedule`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl schedule pargen.psl", "the layers, and what keeps them apart"),
    ("psl schedule pargen.psl --max-heads 2", "at most two heads in a layer"),
    ("psl schedule pargen.psl --format svg -o pargen.svg", "a picture"),
]))]
pub struct Args {
    /// Program: PSL, QKVL (.json) or weights (.safetensors), or - for PSL on standard input.
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// Maximum number of heads in a layer [default: unlimited].
    #[arg(long, value_name = "K", value_parser = number_of_heads)]
    max_heads: Option<NonZeroUsize>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Output file [default: standard output].
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Layers with their heads, and the productions that wait for each other.
    #[default]
    #[value(alias = "text")]
    Human,
    /// One JSON object.
    Json,
    /// A picture, for light and dark.
    Svg,
}

/// Schedules a program.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    let mut out = Output::create(args.output.as_deref().unwrap_or(Path::new(STDIN)))?;
    let loaded = load_any(&args.file, color)?;
    let program = loaded
        .runner()
        .unscheduled()
        .map_err(|failure| Failure::Message(format!("{}: {}", name(&args.file), failure.message)))?;
    let lines = loaded.runner().is_located().then(|| loaded.file.line_index());
    let plan = Plan::new(program, lines, args.max_heads);
    let text = match args.format {
        Format::Human => shown(&plan_text(&plan, program)),
        Format::Json => format!("{}\n", shown_json(&plan.to_json(program).to_string())),
        Format::Svg => plan_picture(&plan, program),
    };
    out.write_all(text.as_bytes()).map_err(|error| out.failure(error))?;
    out.commit()?;
    Ok(true)
}
