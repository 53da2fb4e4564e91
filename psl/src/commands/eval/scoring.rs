//! Scores one file of prompts and golds. The file is read, run and scored in batches, so memory does not grow with it.

use std::{collections::BTreeSet, path::Path, time::Instant};

use psl_host::MAX_LINE;
use psl_program::{Continuation, RunFailure, Runner};
use psl_runtime::{MachineKind, Options};
use psl_tasks::{Line, LineFormat};
use rayon::prelude::*;

use super::{ablation::Ablated, grouping::Counts};
use crate::{
    failure::Failure,
    input::{data_lines::DataLines, paths::is_stdin},
    output::progress::{Progress, Unit},
};

/// The lines that a core gets at a time.
const BATCH: usize = 256;

/// A program on a machine, without some layers.
pub struct Subject<'r> {
    pub runner: &'r Runner,
    pub machine: MachineKind,
    pub ablated: &'r Ablated,
}

/// A scored line.
pub struct Scored {
    /// Its number in the file, 1-based.
    pub line: usize,
    /// The whole line if it is malformed.
    pub prompt: String,
    /// `None` if the line is malformed.
    pub gold: Option<String>,
    /// Its text, or `None` without info.
    pub info: Option<String>,
    /// The continuation, or why there is none.
    pub got: Result<String, String>,
    pub correct: bool,
    /// The symbols that loaded weights lack.
    pub unknown: Vec<String>,
}

/// The score of a file.
pub struct Score {
    pub counts: Counts,
    pub seconds: f64,
    /// The symbols that loaded weights lack.
    pub unknown: BTreeSet<String>,
}

impl Score {
    /// The number of prompts per second.
    #[allow(clippy::cast_precision_loss, reason = "counts of lines are far below 2^52")]
    pub fn speed(&self) -> f64 {
        self.counts.total as f64 / self.seconds.max(f64::MIN_POSITIVE)
    }
}

/// Scores the lines of a file, at most `limit`, and passes each in turn to `each`.
pub fn score(
    subject: &Subject<'_>,
    path: &Path,
    limit: Option<usize>,
    pool: &rayon::ThreadPool,
    mut each: impl FnMut(&Scored) -> Result<(), Failure>,
) -> Result<Score, Failure> {
    let mut data = DataLines::open(path)?;
    let mut format = (!is_stdin(path)).then(|| LineFormat::of(path));
    let start = Instant::now();
    let progress = Progress::new(Unit::Items("prompts"), limit.map(|limit| limit as u64).or(data.size));
    let mut counts = Counts::default();
    let mut unknown = BTreeSet::new();
    loop {
        let batch = batch(&mut data, BATCH * pool.current_num_threads(), limit.map(|limit| limit - counts.total))?;
        let Some((_, first)) = batch.first() else { break };
        let format = *format.get_or_insert_with(|| LineFormat::of_line(first));
        let scored = |(number, text): &(usize, String)| {
            let scored = subject.score(*number, text, format);
            progress.item(if limit.is_some() { 1 } else { text.len() as u64 + 1 });
            scored
        };
        let lines: Vec<Scored> = pool.install(|| batch.par_iter().map(scored).collect());
        for line in lines {
            counts.add(line.correct, line.gold.is_none());
            each(&line)?;
            unknown.extend(line.unknown);
        }
    }
    drop(progress);
    if counts.total == 0 {
        return Err(Failure::Message(format!("{} has no lines to score", data.name)));
    }
    Ok(Score { counts, seconds: start.elapsed().as_secs_f64(), unknown })
}

/// The next lines that are not blank, with their numbers. Long lines make a batch smaller.
fn batch(data: &mut DataLines, count: usize, limit: Option<usize>) -> Result<Vec<(usize, String)>, Failure> {
    let (mut batch, mut bytes) = (Vec::new(), 0);
    while batch.len() < count.min(limit.unwrap_or(count)) && bytes < MAX_LINE as usize {
        let Some(line) = data.next_text()? else { break };
        if !line.trim().is_empty() {
            bytes += line.len();
            batch.push((data.number, line));
        }
    }
    Ok(batch)
}

impl Subject<'_> {
    fn score(&self, line: usize, text: &str, format: LineFormat) -> Scored {
        let data = match format.parse(text) {
            Ok(data) => data,
            Err(error) => {
                let (prompt, got) = (text.to_owned(), Err(format!("malformed line: {error}")));
                return Scored { line, prompt, gold: None, info: None, got, correct: false, unknown: Vec::new() };
            }
        };
        let continuation = self.complete(&data.prompt);
        let correct = continuation.as_ref().is_ok_and(|continuation| continuation.is(&data.gold));
        let unknown = if continuation.is_ok() { Vec::new() } else { self.runner.executable().unknown(&symbols(&data)) };
        Scored {
            line,
            unknown: unknown.into_iter().map(str::to_owned).collect(),
            info: (data.info != "null").then(|| data.info.into_owned()),
            prompt: data.prompt.into_owned(),
            gold: Some(data.gold.into_owned()),
            got: continuation.map(|continuation| continuation.text()).map_err(|failure| failure.message),
            correct,
        }
    }

    fn complete(&self, prompt: &str) -> Result<Continuation, RunFailure> {
        let ablated = self.ablated.layers.clone();
        let options = self.runner.options(&Options { ablated, ..Options::default() });
        self.runner.complete(&self.runner.task_with(prompt, &options)?, self.machine, None)
    }
}

/// The symbols of the prompt and of the gold, which a vocabulary needs.
fn symbols<'l>(data: &'l Line<'_>) -> Vec<&'l str> {
    data.prompt.split_whitespace().chain(data.gold.split_whitespace()).collect()
}
