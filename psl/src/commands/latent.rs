//! `psl latent`: the code of the heads of a layer for each pair of cells, what it does, and how alike the heads are.

mod arrays;
mod text;

use std::{
    io::{self, Write},
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use clap::{ValueEnum, ValueHint};
use psl_program::{
    Progress, RunFailure, count,
    latent::{LatentRequest, NoCodes, latent_codes},
};
use psl_render::latent_json;

use super::examples::examples;
use crate::{
    failure::Failure,
    input::{
        chosen_prompt::ChosenPrompt, heads::number_of_heads, load::load_any, paths::STDIN, program_file::ProgramFile,
    },
    output::{color::Color, npz, output_file::Output, stdio::print_to_stderr},
};

/// The arguments of `psl latent`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl latent pargen.psl --prompt \"Q a A a . Q b A\"", "the codes of all layers"),
    ("psl latent pargen.psl --test swap --layer 2,5-7", "of some layers"),
    ("psl latent pargen.psl --max-heads 4", "at most 4 heads in a layer"),
    ("psl latent pargen.psl --format npz -o codes.npz", "arrays for NumPy"),
]))]
pub struct Args {
    /// Program: PSL, QKVL (.json) or weights (.safetensors), or - for PSL on standard input.
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
    #[command(flatten)]
    prompt: ChosenPrompt,
    /// Show only these layers of the schedule: `3`, `P3a,7`, `20-27`, `12-`
    #[arg(long, value_name = "LAYERS", allow_hyphen_values = true)]
    layer: Option<String>,
    /// Maximum number of heads in a layer [default: unlimited].
    #[arg(long, value_name = "K", value_parser = number_of_heads)]
    max_heads: Option<NonZeroUsize>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// File to write [default: standard output].
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Tables.
    #[default]
    #[value(alias = "text")]
    Human,
    /// One JSON object.
    Json,
    /// Arrays for NumPy.
    Npz,
}

/// Runs the prompt, checks the codes against the weights, and writes them.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    args.prompt.check_stdin(&args.file)?;
    let source = load_any(&args.file, color)?;
    let (runner, prompt) = (source.runner(), args.prompt.read(&source)?);
    let mut out = Output::create(args.output.as_deref().unwrap_or(Path::new(STDIN)))?;
    if args.format == Format::Npz && out.is_terminal() {
        return Err(npz::needs_a_file());
    }
    let lines = runner.is_located().then(|| source.file.line_index());
    let (layers, max_heads) = (args.layer.clone(), args.max_heads);
    let request = LatentRequest { prompt: prompt.clone(), layers, max_heads };
    let written = latent_codes(runner, lines, request, &Progress::default(), |codes| {
        let written = match args.format {
            Format::Human => text::write(&mut out, &codes.layers),
            Format::Json => latent_json(&mut out, codes, &runner.prompt_to_json(&prompt), max_heads),
            Format::Npz => arrays::write(&mut out, &codes.layers),
        };
        written.and_then(|()| out.flush()).map(|()| codes.verified)
    });
    let verified = match written {
        Ok(written) => written.map_err(|error: io::Error| out.failure(error))?,
        Err(NoCodes::NotALayer(error)) => return Err(Failure::of(error)),
        Err(NoCodes::NotScheduled(failure)) => {
            return Err(Failure::Message(format!("{}: {}", source.shown_name(), failure.message)));
        }
        Err(NoCodes::Failed(failure)) => return Ok(refused(&source, &failure)),
        Err(difference @ NoCodes::Difference(_)) => {
            print_to_stderr(format_args!("error: {}: {difference}", source.shown_name()));
            return Ok(false);
        }
    };
    out.commit()?;
    if let Some(note) = runner.prompt_note(&prompt) {
        print_to_stderr(format_args!("note: {}: {note}", source.shown_name()));
    }
    match verified {
        0 => print_to_stderr("note: no cell attends to another, so that there is no code to verify"),
        verified => print_to_stderr(format_args!("verified: the weights agree with {}", count(verified, "code"))),
    }
    Ok(true)
}

/// Reports a prompt that cannot be run, or whose run fails.
fn refused(source: &ProgramFile, failure: &RunFailure) -> bool {
    let block = source.runner().block(failure);
    let place = block.map_or_else(|| source.shown_name(), |span| source.place(span.start));
    print_to_stderr(format_args!("error: {place}: {}", failure.message));
    false
}
