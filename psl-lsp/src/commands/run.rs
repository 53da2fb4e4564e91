//! `psl run`: completes prompts.

use std::{
    fs::File,
    io::{self, BufRead, BufWriter, Write},
    path::PathBuf,
};

use clap::ValueEnum;
use psl_runtime::{MachineKind, Options, Stopped};
use serde_json::json;

use crate::{
    Color,
    commands::runner,
    execute::{RunFailure, Runner, parse_machine, stopped_in_words},
    render,
    source::{Failure, STDIN, Source},
};

/// The arguments of `psl run`.
#[derive(clap::Args)]
pub struct Args {
    /// The program [default: the bundled PARGEN].
    file: Option<PathBuf>,
    /// The prompt, symbols separated by spaces [default: each line of standard input].
    #[arg(short, long)]
    prompt: Option<String>,
    /// Which machine runs it: psm, qkvm or dat.
    #[arg(long, default_value = "dat", value_name = "MACHINE", value_parser = parse_machine)]
    machine: MachineKind,
    /// Run all three machines and compare every register of every cell after every layer.
    #[arg(long, conflicts_with_all = ["machine", "trace"])]
    verify: bool,
    /// The bound on the continuation's length [default: the program's, else the prompt's length, at least 16].
    #[arg(long, value_name = "N")]
    max_new: Option<usize>,
    /// The symbol that ends a continuation [default: the program's, else `.`].
    #[arg(long, value_name = "SYMBOL")]
    stop: Option<String>,
    /// Run all cells again for every generated one, as the reference implementation does.
    #[arg(long)]
    recompute: bool,
    /// How to print continuations.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write every cell of every layer to this file, one JSON object a line.
    #[arg(long, value_name = "OUT.jsonl")]
    trace: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The continuation alone, one line a prompt.
    #[default]
    Text,
    /// One JSON object a prompt.
    Json,
}

/// Completes all prompts.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    if args.prompt.is_none() && args.file.as_ref().is_some_and(|file| file.as_os_str() == STDIN) {
        return Err(Failure::both_from_stdin("the program", "the prompts", "--prompt"));
    }
    let source = match &args.file {
        Some(path) => Source::read(path)?,
        None => Source::pargen(),
    };
    let Some(runner) = runner(&source, color)? else { return Ok(false) };
    let mut trace = match &args.trace {
        Some(path) => {
            let file = File::create(path)
                .map_err(|error| Failure::Message(format!("cannot write {}: {error}", path.display())))?;
            Some(BufWriter::new(file))
        }
        None => None,
    };
    let mut fine = true;
    if let Some(prompt) = &args.prompt {
        fine = complete(args, &source, &runner, prompt, &mut trace)?;
    } else {
        for line in io::stdin().lock().lines() {
            fine &= complete(args, &source, &runner, &line?, &mut trace)?;
        }
    }
    if let Some(trace) = &mut trace {
        trace.flush()?;
    }
    Ok(fine)
}

fn complete(
    args: &Args,
    source: &Source,
    runner: &Runner,
    prompt: &str,
    trace: &mut Option<BufWriter<File>>,
) -> Result<bool, Failure> {
    let mut out = io::stdout().lock();
    let options = runner.options(&Options {
        max_new: args.max_new,
        stop: args.stop.clone(),
        recompute: args.recompute,
        ..Options::default()
    });
    let mut written = Ok(());
    let completion = runner.task_with(prompt, &options).and_then(|task| {
        if args.verify {
            return runner.verify(&task);
        }
        match trace {
            None => runner.complete(&task, args.machine, None),
            Some(file) => runner.complete(
                &task,
                args.machine,
                Some(&mut |update| {
                    if written.is_ok() {
                        written = writeln!(file, "{}", runner.trace_line(update, &task));
                    }
                }),
            ),
        }
    });
    written?;
    match completion {
        Ok(completion) => {
            match args.format {
                Format::Text => {
                    writeln!(out, "{}", completion.text())?;
                    if completion.stopped == Stopped::MaxNew {
                        eprintln!(
                            "note: stopped after {} without the stop symbol (--max-new allows more)",
                            render::count(completion.symbols.len(), "symbol")
                        );
                    }
                }
                Format::Json => {
                    let stopped = stopped_in_words(completion.stopped);
                    let continuation = completion.text();
                    writeln!(out, "{}", json!({"prompt": prompt, "continuation": continuation, "stopped": stopped}))?;
                }
            }
            Ok(true)
        }
        Err(RunFailure { message, span }) => {
            // Each prompt keeps its line.
            match args.format {
                Format::Text => writeln!(out)?,
                Format::Json => writeln!(out, "{}", json!({"prompt": prompt, "error": message}))?,
            }
            let place = span.map_or_else(|| source.name.clone(), |span| render::place(source, span.start));
            eprintln!("error: {place}: {message}");
            Ok(false)
        }
    }
}
