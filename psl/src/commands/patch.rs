//! `psl patch`: the effects of the values of one run in another, place by place, or the places that carry the
//! difference.

mod arrays;
mod axes;
mod data;
mod effects;
mod minimal;
mod picture;
mod runs;
mod stretches;
mod text;

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use clap::{ValueEnum, ValueHint};
use psl_program::{Alignment, PatchBy, PatchOptions, Patching, Prompt, RunFailure, Score};
use psl_runtime::Options;

use self::{
    effects::Effects,
    minimal::MinimalSets,
    runs::{Runs, Side},
};
use super::{examples::examples, jobs::threads};
use crate::{
    failure::Failure,
    input::{
        chosen_prompt::ChosenPrompt,
        load::load_any,
        paths::{STDIN, is_stdin},
        program_file::{ProgramFile, read_structured_prompt},
    },
    output::{color::Color, npz, output_file::Output, terminal},
};

/// The arguments of `psl patch`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl patch pargen.psl -p \"Q a A a . Q b A\" --with \"Q a A b . Q b A\"", "the effect of each value"),
    ("psl patch pargen.psl -p \"Q a A a . Q b A\" --with \"Q a A b . Q b A\" --by layer", "all that differs after a layer"),
    ("psl patch pargen.psl -p \"Q a A a . Q b A\" --with \"Q a A b . Q b A\" --min", "the values that carry the difference"),
]))]
pub struct Args {
    /// Program: PSL, QKVL (.json) or weights (.safetensors), or - for PSL on standard input.
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
    #[command(flatten)]
    prompt: ChosenPrompt,
    /// Prompt whose run gives the values, symbols separated by spaces.
    #[arg(long, value_name = "PROMPT", allow_hyphen_values = true, required_unless_present = "with_json")]
    with: Option<String>,
    /// File with the structured prompt whose run gives the values, or - for standard input.
    #[arg(long, value_name = "CELLS.json", value_hint = ValueHint::FilePath, conflicts_with = "with")]
    with_json: Option<PathBuf>,
    /// Parts of a place that tell patches apart, among `layer`, `pass`, `cell` and `register`.
    ///
    /// One patch sets all places that have these parts in common: `layer,cell` all registers of a cell after a layer,
    /// in all passes.
    #[arg(long, value_name = "PARTS", default_value = "layer,cell,register", conflicts_with = "min")]
    by: PatchBy,
    /// Part of a run to compare: `continuation`, `symbol 1`, or a register of the prompt's last cell after the last
    /// layer.
    #[arg(long, value_name = "SCORE", default_value = "continuation")]
    score: Score,
    /// Put values of the first run into the second one instead.
    #[arg(long)]
    noising: bool,
    /// Patch generated cells too.
    #[arg(long)]
    generated: bool,
    /// Cells of the two prompts that correspond, such as `1-3:1-3,4:6` [default: those with the same number].
    ///
    /// Prompts of different lengths need it. Other cells are not patched.
    #[arg(long, value_name = "CELLS", allow_hyphen_values = true)]
    align: Option<Alignment>,
    /// Find, after each layer, a set of places that carries the difference: with their values, the run has the score of
    /// the other one, and without any one of them it does not.
    #[arg(long)]
    min: bool,
    /// Maximum number of effects to list as text.
    #[arg(long, value_name = "N", default_value_t = 20)]
    show: usize,
    /// Maximum length of the continuations, in symbols [default: the program's, or the prompt's length, at least 16].
    #[arg(long, value_name = "N")]
    max_new: Option<usize>,
    /// Symbol that ends a continuation [default: the program's, or `.`].
    #[arg(long, value_name = "SYMBOL", allow_hyphen_values = true)]
    stop: Option<String>,
    /// Maximum number of passes of a repeat block [default: 10,000].
    #[arg(long, value_name = "N")]
    max_passes: Option<usize>,
    /// Maximum number of runs in parallel, which the number of cores limits too [default: the number of cores].
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// File to write [default: standard output].
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table, the largest effects first.
    #[default]
    #[value(alias = "text")]
    Human,
    /// One JSON object.
    Json,
    /// A line for each patch.
    Csv,
    /// Arrays for NumPy.
    Npz,
    /// A heat map, for light and dark.
    Svg,
}

/// Patches one run with the values of another.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    if args.min && matches!(args.format, Format::Npz | Format::Svg) {
        let message = "sets of places are text, JSON or CSV: leave out `--format`, or choose `json` or `csv`";
        return Err(Failure::Message(message.to_owned()));
    }
    check_stdin(args)?;
    let source = load_any(&args.file, color)?;
    let mut prompts = [args.prompt.read(&source)?, other_prompt(args)?];
    let mut alignment = args.align.clone();
    if args.noising {
        prompts.reverse();
        alignment = alignment.map(|alignment| alignment.reversed());
    }
    let mut out = Output::create(args.output.as_deref().unwrap_or(Path::new(STDIN)))?;
    if args.format == Format::Npz && out.is_terminal() {
        return Err(npz::needs_a_file());
    }
    let [base, donor] = prompts;
    let Args { max_new, stop, max_passes, .. } = args;
    let options = Options { max_new: *max_new, stop: stop.clone(), max_passes: *max_passes, ..Options::default() };
    let record = |prompt| Side::record(&source, prompt, &options).map_err(|failure| refused(&source, &failure));
    let runs = Runs { source: &source, base: record(base)?, donor: record(donor)? };
    let options = PatchOptions { alignment, generated: args.generated, score: args.score.clone() };
    let Runs { base, donor, .. } = &runs;
    let patching = Patching::new(source.runner(), base.task.clone(), &base.run, &donor.run, &options);
    let patching = patching.map_err(Failure::of)?;
    let pool = threads(args.jobs)?;
    let written = if args.min {
        let sets = MinimalSets::find(&patching, &pool);
        match args.format {
            Format::Json => data::minimal_json(&mut out, &runs, &patching, &sets),
            Format::Csv => data::minimal_csv(&mut out, &runs, &sets),
            _ => text::minimal(&mut out, &runs, &patching, &sets, terminal::stdout(color)),
        }
    } else {
        let effects = Effects::measure(&runs, &patching, args.by, &pool);
        match args.format {
            Format::Human => text::effects(&mut out, &effects, args.show, terminal::stdout(color)),
            Format::Json => data::json(&mut out, &effects),
            Format::Csv => data::csv(&mut out, &effects),
            Format::Npz => arrays::write(&mut out, &effects),
            Format::Svg => out.write_all(picture::svg(&effects).as_bytes()),
        }
    };
    written.and_then(|()| out.flush()).map_err(|error| out.failure(error))?;
    out.commit()?;
    Ok(true)
}

/// Refuses to read standard input twice.
fn check_stdin(args: &Args) -> Result<(), Failure> {
    args.prompt.check_stdin(&args.file)?;
    let other = args.with_json.as_deref().is_some_and(is_stdin);
    if other && is_stdin(&args.file) {
        return Err(Failure::both_from_stdin("the program", "the prompt", "a file"));
    }
    if other && args.prompt.json_file().is_some_and(|file| is_stdin(file)) {
        return Err(Failure::both_from_stdin("one prompt", "the other", "a file"));
    }
    Ok(())
}

fn other_prompt(args: &Args) -> Result<Prompt, Failure> {
    match &args.with_json {
        Some(path) => read_structured_prompt(path).map(Prompt::Structured),
        None => Ok(Prompt::Plain(args.with.clone().unwrap_or_default())),
    }
}

/// The failure of a run before it is patched.
fn refused(source: &ProgramFile, failure: &RunFailure) -> Failure {
    let place = source.runner().block(failure).map_or_else(|| source.shown_name(), |span| source.place(span.start));
    Failure::Content(place, failure.message.clone())
}
