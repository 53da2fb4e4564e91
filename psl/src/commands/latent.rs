//! `psl latent`: the code of the heads of a layer for each pair of cells, what it does, and how alike the heads are.

mod arrays;
mod json;
mod layer;
mod scheduled;
mod text;

use std::{
    io::{self, Write},
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use clap::{ValueEnum, ValueHint};
use psl_program::{
    Progress, Ranges, RunFailure, count,
    latent::{check, layers, sound_productions},
};
use psl_runtime::{MachineKind, Options};

use self::{layer::ScheduledLayer, scheduled::Scheduled};
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
    /// Show only these layers of the schedule: `3`, `3,7`, `20-27`, `12-`
    #[arg(long, value_name = "LAYERS", allow_hyphen_values = true)]
    layer: Option<Ranges>,
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
    let loaded = load_any(&args.file, color)?;
    let prompt = args.prompt.read(&loaded)?;
    let scheduled = Scheduled::new(loaded.runner(), args.max_heads)
        .map_err(|failure| Failure::Message(format!("{}: {}", loaded.shown_name(), failure.message)))?;
    let runner = scheduled.runner();
    let heads = layers(runner.executable());
    let selected = args.layer.as_ref().map(|chosen| chosen.layers(heads.len())).transpose().map_err(Failure::of)?;
    let heads: Vec<_> =
        heads.into_iter().filter(|it| selected.as_ref().is_none_or(|chosen| chosen.contains(&it.layer))).collect();
    let mut out = Output::create(args.output.as_deref().unwrap_or(Path::new(STDIN)))?;
    if args.format == Format::Npz && out.is_terminal() {
        return Err(npz::needs_a_file());
    }
    let task = match runner.prompt_task(&prompt, &runner.options(&Options::default())) {
        Ok(task) => task,
        Err(failure) => return Ok(refused(&loaded, &failure)),
    };
    let run = runner.record(task, MachineKind::Dat, &Progress::default());
    let continuation = match run.outcome() {
        Ok(continuation) => continuation,
        Err(failure) => return Ok(refused(&loaded, failure)),
    };
    if let Some(note) = runner.prompt_note(&prompt) {
        print_to_stderr(format_args!("note: {}: {note}", loaded.shown_name()));
    }
    let verified = match check(runner.executable(), &run, &heads) {
        Ok(verified) => verified,
        Err(difference) => {
            print_to_stderr(format_args!(
                "error: {}: the codes do not agree with the weights: {difference}",
                loaded.shown_name()
            ));
            return Ok(false);
        }
    };
    let sound = sound_productions(scheduled.program());
    let layers: Vec<ScheduledLayer<'_>> =
        heads.iter().map(|heads| ScheduledLayer::new(&loaded, &scheduled, &sound, &run, heads)).collect();
    let written = match args.format {
        Format::Human => text::write(&mut out, &layers),
        Format::Json => {
            let prompt = runner.prompt_to_json(&prompt);
            json::write(&mut out, &json::Head { prompt, continuation, max_heads: args.max_heads, verified }, &layers)
        }
        Format::Npz => arrays::write(&mut out, &layers),
    };
    let written = written.and_then(|()| out.flush());
    written.map_err(|error: io::Error| out.failure(error))?;
    out.commit()?;
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
