//! `psl eval`: scores a program on a file of prompts and continuations.
//!
//! The file is read, run and scored in batches, so memory does not grow with it.

use std::{
    io::{self, BufWriter, Write},
    path::PathBuf,
    time::Instant,
};

use clap::{ValueEnum, ValueHint};
use psl_ide::Runner;
use psl_lsp::disk::MAX_LINE;
use psl_runtime::MachineKind;
use rayon::prelude::*;
use serde_json::json;

use crate::{
    color::Color,
    comparison::{Comparison, cut, left_out},
    counting::count,
    examples::examples,
    failure::Failure,
    lines::Lines,
    loading::load,
    machine::machine,
    paths::is_stdin,
    progress::{Progress, Unit},
    shown::shown,
    stdio::{Content, stdout_to_the_end},
    task_line::LineFormat,
    terminal::Terminal,
};

/// The arguments of `psl eval`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl eval pargen.psl data.tsv", "accuracy and prompts per second"),
    ("psl eval pargen.psl data.tsv --machine full-dat --limit 10", "the first lines, by matrix arithmetic"),
    ("psl tgt --split ood_lexical | psl eval pargen.psl -", "on new data"),
]))]
pub struct Args {
    /// Program.
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// Lines of `prompt<TAB>gold[<TAB>info]`, or - for standard input. A file *.jsonl has JSON objects instead.
    #[arg(value_hint = ValueHint::FilePath)]
    data: PathBuf,
    /// Machine that runs the program.
    #[arg(long, default_value = "dat", value_name = "MACHINE", value_parser = machine())]
    machine: MachineKind,
    /// Number of prompts to run in parallel [default: the number of cores].
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Maximum number of lines.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A line for each failure, and a line with the score.
    #[default]
    #[value(alias = "text")]
    Human,
    /// One JSON object.
    Json,
}

/// The lines that a core gets at a time.
const BATCH: usize = 256;

/// The start of the JSON.
const FAILURES: &str = r#"{"failures":["#;

/// The failures that text shows in full.
const SHOWN: usize = 20;

/// A line whose continuation is not the gold.
struct Wrong {
    line: usize,
    prompt: String,
    /// `None` if the line is malformed.
    gold: Option<String>,
    /// The continuation, or why there is none.
    got: Result<String, String>,
}

/// Scores the program.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    if is_stdin(&args.file) && is_stdin(&args.data) {
        return Err(Failure::both_from_stdin("the program", "the data", "a file"));
    }
    let Some(loaded) = load(&args.file, color)? else { return Ok(false) };
    let runner = loaded.runner();
    let mut data = Lines::open(&args.data)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.jobs.unwrap_or(0))
        .build()
        .map_err(|error| Failure::Message(error.to_string()))?;

    let content = if args.format == Format::Json { Content::Data } else { Content::People };
    let mut out = BufWriter::new(stdout_to_the_end(content));
    let start = Instant::now();
    let progress = Progress::new(Unit::Items("prompts"), args.limit.map(|limit| limit as u64).or(data.size));
    let scored = |number: usize, line: &str| {
        let failure = score(args, runner, number, line);
        progress.item(if args.limit.is_some() { 1 } else { line.len() as u64 + 1 });
        failure
    };
    let terminal = Terminal::stdout(color);
    let (mut total, mut wrong, mut malformed) = (0, 0, 0);
    loop {
        let batch = batch(&mut data, BATCH * pool.current_num_threads(), args.limit.map(|limit| limit - total))?;
        if batch.is_empty() {
            break;
        }
        total += batch.len();
        let failures: Vec<Option<Wrong>> =
            pool.install(|| batch.par_iter().map(|(number, line)| scored(*number, line)).collect());
        for failure in failures.into_iter().flatten() {
            match args.format {
                Format::Human if wrong < SHOWN => text(&mut out, &data.name, &failure, terminal)?,
                Format::Human => {}
                Format::Json => json(&mut out, &failure, wrong == 0)?,
            }
            wrong += 1;
            malformed += usize::from(failure.gold.is_none());
        }
    }
    drop(progress);
    let seconds = start.elapsed().as_secs_f64();
    if total == 0 {
        return Err(Failure::Message(format!("{} has no lines to score", data.name)));
    }
    let correct = total - wrong;
    #[allow(clippy::cast_precision_loss, reason = "counts of lines are far below 2^52")]
    let (accuracy, speed) = (correct as f64 / total as f64, total as f64 / seconds.max(f64::MIN_POSITIVE));
    match args.format {
        Format::Human => {
            if wrong > SHOWN {
                writeln!(out, "{}", left_out(wrong - SHOWN))?;
            }
            let percent = 100.0 * accuracy;
            let malformed =
                if malformed > 0 { format!(", {}", count(malformed, "malformed line")) } else { String::new() };
            writeln!(
                out,
                "{correct} of {total} correct ({percent:.2} %){malformed}, {seconds:.3} s, {speed:.0} prompts/s"
            )?;
        }
        Format::Json => writeln!(
            out,
            "{}],\"total\":{total},\"correct\":{correct},\"malformed\":{malformed},\"accuracy\":{accuracy},\"seconds\":{seconds},\"prompts_per_second\":{speed}}}",
            if wrong == 0 { FAILURES } else { "" }
        )?,
    }
    out.flush()?;
    Ok(wrong == 0)
}

/// The next lines that are not blank, with their numbers. Long lines make a batch smaller.
fn batch(data: &mut Lines, count: usize, limit: Option<usize>) -> Result<Vec<(usize, String)>, Failure> {
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

fn score(args: &Args, runner: &Runner, line: usize, text: &str) -> Option<Wrong> {
    let data = match LineFormat::of(&args.data).parse(text) {
        Ok(data) => data,
        Err(error) => {
            let got = Err(format!("malformed line: {error}"));
            return Some(Wrong { line, prompt: text.to_owned(), gold: None, got });
        }
    };
    let got = match runner.task(&data.prompt).and_then(|task| runner.complete(&task, args.machine, None)) {
        Ok(completion) if completion.is(&data.gold) => return None,
        Ok(completion) => Ok(completion.text()),
        Err(failure) => Err(failure.message),
    };
    Some(Wrong { line, prompt: data.prompt.into_owned(), gold: Some(data.gold.into_owned()), got })
}

fn text(out: &mut impl Write, file: &str, wrong: &Wrong, terminal: Terminal) -> io::Result<()> {
    let Wrong { line, prompt, gold, got } = wrong;
    let place = format!("{file}:{line}");
    let (message, lines) = match got {
        Ok(got) => {
            let comparison = Comparison::new(gold.as_deref().unwrap_or_default(), got);
            (comparison.difference(), comparison.lines(terminal))
        }
        Err(error) => (error.clone(), Vec::new()),
    };
    writeln!(out, "{}", shown(&format!("{place}: {message}")))?;
    writeln!(out, "{}", cut(if gold.is_some() { "prompt" } else { "line" }, prompt, terminal))?;
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))
}

fn json(out: &mut impl Write, wrong: &Wrong, first: bool) -> io::Result<()> {
    let Wrong { line, prompt, gold, got } = wrong;
    let mut object = json!({"line": line, "prompt": prompt, "gold": gold, "got": got.as_ref().ok()});
    if let (Err(error), Some(object)) = (got, object.as_object_mut()) {
        object.insert("error".to_owned(), error.as_str().into());
    }
    write!(out, "{}{object}", if first { FAILURES } else { "," })
}
