//! `psl eval`: scores a program on files of prompts and continuations.

mod ablation;
mod grouping;
mod lines;
mod options;
mod report;
mod scores;
mod scoring;

use std::{collections::BTreeSet, time::Instant};

pub use self::options::Args;
use self::{
    ablation::{Ablation, ablations},
    report::{Evaluation, Report},
    scoring::score,
};
use super::jobs::threads;
use crate::{
    failure::Failure,
    input::{load::load_any, paths::is_stdin},
    output::{color::Color, stdio::print_to_stderr},
};
use psl_program::count;
use psl_runtime::Options;
use psl_tasks::Subject;

/// Scores the program on each file, with each ablation.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    check_stdin(args)?;
    let loaded = load_any(&args.file, color)?;
    let runner = loaded.runner();
    let labels = runner.executable().labels();
    let ablations = ablations(&args.ablate, &loaded.file)?;
    let pool = threads(args.jobs)?;
    let evaluations = ablations.iter().flat_map(|ablated| args.data.iter().map(move |data| (ablated, data)));
    let start = Instant::now();
    let mut report = Report::new(args, &labels, ablations.len() * args.data.len(), color)?;
    let mut unknown = BTreeSet::new();
    let mut fine = true;
    for (ablated, data) in evaluations {
        let mut evaluation = Evaluation::new(data, ablated);
        let options = runner.options(&Options { ablated: ablated.layers.clone(), ..Options::default() });
        let options = runner.expecting(args.row, options).map_err(|failure| Failure::Message(failure.message))?;
        let subject = Subject { runner, machine: args.machine, options, cancelled: None };
        let score = score(&subject, data, args.limit, &pool, |line| report.line(&mut evaluation, line))?;
        // An ablation is an experiment: its failures are a result.
        fine &= !ablated.layers.is_empty() || score.counts.correct == score.counts.total;
        unknown.extend(score.unknown.iter().cloned());
        report.score(evaluation, &score)?;
    }
    report.finish(start.elapsed().as_secs_f64())?;
    if !unknown.is_empty() {
        print_to_stderr(note_unknown(&unknown));
    }
    Ok(fine)
}

/// Refuses to read standard input twice.
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
