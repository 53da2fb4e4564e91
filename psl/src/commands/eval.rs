//! `psl eval`: scores a program on files of prompts and continuations.

mod ablation;
mod grouping;
mod lines;
mod report;
mod scores;
mod scoring;

use std::{collections::BTreeSet, path::PathBuf, time::Instant};

use clap::{ValueEnum, ValueHint};
use psl_runtime::MachineKind;

use self::{
    ablation::{Ablation, ablations},
    grouping::Grouping,
    report::{Evaluation, Report},
    scoring::{Subject, score},
};
use crate::{
    color::Color, counting::count, examples::examples, failure::Failure, loading::load_any, machine::machine,
    paths::is_stdin, stdio::say,
};

/// The arguments of `psl eval`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl eval pargen.psl data.tsv", "accuracy and prompts per second"),
    ("psl eval pargen.psl data.tsv --machine full-dat --limit 10", "the first lines, by matrix arithmetic"),
    ("psl eval pargen.psl test.tsv ood.tsv --ablate each --format csv", "accuracy by file and ablated layer"),
    ("psl tgt --split ood_lexical | psl eval pargen.psl -", "on new data"),
]))]
pub struct Args {
    /// Program: PSL, QKVL (.json) or weights (.safetensors).
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// Files with a line `prompt<TAB>gold[<TAB>info]` for each prompt, or - for standard input.
    ///
    /// A file *.jsonl has a JSON object with `prompt`, `gold` and `info` on each line instead. The first line of standard input
    /// decides which of the two it is.
    #[arg(required = true, value_hint = ValueHint::FilePath)]
    data: Vec<PathBuf>,
    /// Machine that runs the program.
    #[arg(long, default_value = "dat", value_name = "MACHINE", value_parser = machine())]
    machine: MachineKind,
    /// Ablate these layers, so that they attend but write nothing: `3`, `3,7`, `20-27`, `each` or `none`
    ///
    /// Each option is one evaluation. `each` evaluates the whole program, then without each layer in turn.
    #[arg(long, value_name = "LAYERS", allow_hyphen_values = true)]
    ablate: Vec<Ablation>,
    /// Score the lines with equal info separately too. `info.depth` takes only that field of an info in JSON.
    #[arg(long, value_name = "info[.FIELD]")]
    by: Option<Grouping>,
    /// Lines to list [default: the first 20 failures of a single evaluation, in JSON all].
    #[arg(long, value_enum)]
    show: Option<Show>,
    /// Number of prompts to run in parallel [default: the number of cores].
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Maximum number of lines of a file.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Lines, and a line with the score or a table of several scores.
    #[default]
    #[value(alias = "text")]
    Human,
    /// One JSON object on one line for each evaluation.
    Json,
    /// One row for each score. With `--show`, one row for each listed line instead.
    Csv,
}

/// The lines that are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Show {
    /// Lines whose continuation is not the gold.
    Failures,
    /// Every line.
    All,
    /// No lines, only scores.
    None,
}

/// Scores the program on each file, with each ablation.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    check_stdin(args)?;
    let Some(loaded) = load_any(&args.file, color)? else { return Ok(false) };
    let runner = loaded.runner();
    let labels = runner.executable().labels();
    let ablations = ablations(&args.ablate, labels.len()).map_err(Failure::Message)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.jobs.unwrap_or(0))
        .build()
        .map_err(|error| Failure::Message(error.to_string()))?;
    let evaluations = ablations.iter().flat_map(|ablated| args.data.iter().map(move |data| (ablated, data)));
    let start = Instant::now();
    let mut report = Report::new(args, &labels, ablations.len() * args.data.len(), color)?;
    let mut unknown = BTreeSet::new();
    let mut fine = true;
    for (ablated, data) in evaluations {
        let mut evaluation = Evaluation::new(data, ablated);
        let subject = Subject { runner, machine: args.machine, ablated };
        let score = score(&subject, data, args.limit, &pool, |line| report.line(&mut evaluation, line))?;
        fine &= score.counts.correct == score.counts.total;
        unknown.extend(score.unknown.iter().cloned());
        report.score(evaluation, &score)?;
    }
    report.finish(start.elapsed().as_secs_f64())?;
    if !unknown.is_empty() {
        say(note_unknown(&unknown));
    }
    Ok(fine)
}

/// Standard input is read once.
fn check_stdin(args: &Args) -> Result<(), Failure> {
    let from_stdin = args.data.iter().filter(|data| is_stdin(data)).count();
    if from_stdin > 0 && is_stdin(&args.file) {
        return Err(Failure::both_from_stdin("the program", "the data", "a file"));
    }
    let several = args.ablate.len() > 1 || args.ablate.iter().any(|ablation| matches!(ablation, Ablation::Each));
    if from_stdin > 1 || (from_stdin == 1 && several) {
        let message = "standard input can be read only once: save the data in a file for several evaluations";
        return Err(Failure::Message(message.to_owned()));
    }
    Ok(())
}

fn note_unknown(unknown: &BTreeSet<String>) -> String {
    let symbols = unknown.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
    let lack = count(unknown.len(), "symbol");
    format!(
        "note: the weights lack {lack} of the data: {symbols}\n\
         `psl compile --emit weights --vocabulary DATA` writes weights with the symbols of a data set"
    )
}
