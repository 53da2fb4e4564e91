//! Scores one file of prompts and golds. The file is read, run and scored in batches, so memory does not grow with it.

use std::{collections::BTreeSet, path::Path, time::Instant};

use psl_host::MAX_LINE;
use psl_tasks::{LineFormat, Scored, Subject};
use rayon::prelude::*;

use super::grouping::Counts;
use crate::{
    failure::Failure,
    input::{
        data_lines::{DataLines, NOT_UTF8, NotUtf8},
        paths::is_stdin,
    },
    output::progress::{Progress, Unit},
};

/// A line with its 1-based number.
type NumberedLine = (usize, Result<String, NotUtf8>);

/// The lines that a core gets at a time.
const BATCH: usize = 256;

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
        if batch.is_empty() {
            break;
        }
        let first = || batch.iter().find_map(|(_, line)| line.as_ref().ok()).map(|first| LineFormat::of_line(first));
        format = format.or_else(first);
        let scored = |(number, line): &NumberedLine| {
            let (scored, length) = match line {
                // A batch with a text has a format.
                Ok(text) => (subject.score(*number, text, format.unwrap_or(LineFormat::Tsv)), text.len()),
                Err(NotUtf8 { readable }) => (Scored::unreadable(*number, readable, NOT_UTF8), readable.len()),
            };
            progress.item(if limit.is_some() { 1 } else { length as u64 + 1 });
            scored
        };
        let lines: Vec<Scored> = pool.install(|| batch.par_iter().map(scored).collect());
        for line in lines {
            counts.add(&line);
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
fn batch(data: &mut DataLines, count: usize, limit: Option<usize>) -> Result<Vec<NumberedLine>, Failure> {
    let (mut batch, mut bytes) = (Vec::new(), 0);
    while batch.len() < count.min(limit.unwrap_or(count)) && bytes < MAX_LINE as usize {
        let Some(line) = data.next_line()? else { break };
        let text = line.as_ref().unwrap_or_else(|NotUtf8 { readable }| readable);
        if !text.trim().is_empty() {
            bytes += text.len();
            batch.push((data.number, line));
        }
    }
    Ok(batch)
}
