//! A shorter prompt.

use std::io::Write;

use psl_program::{Continuation, FailureExplanation, count};
use psl_render::{shown, shown_json, shown_line};
use psl_search::{MinimalPrompt, minimize_prompt};
use serde_json::json;

use super::args::Args;
use crate::{
    commands::{
        comparison::named,
        search::{Format, refused},
    },
    failure::Failure,
    input::program_file::ProgramFile,
    output::{
        color::Color,
        stdio::{Content, print_to_stderr, stdout_to_the_end},
        terminal,
    },
};

/// Prints a shorter prompt on which a test fails for the same reason.
pub fn run(args: &Args, source: &ProgramFile, name: &str, color: Color) -> Result<bool, Failure> {
    let test = source.test_index(name)?;
    let threads = args.limits.threads("prompts")?;
    let minimal = match minimize_prompt(&source.file, test, &threads, threads.interrupted()) {
        Ok(minimal) => minimal,
        Err(why) => return Ok(refused(source, &why, color)),
    };
    let seconds = threads.seconds();
    drop(threads);
    let MinimalPrompt { symbols, before, continuation, tried, cut_off, .. } = &minimal;
    let (prompt, why) = (symbols.join(" "), why(source, &minimal));
    if args.limits.format == Format::Json {
        let json = json!({
            "file": source.name,
            "test": name,
            "prompt": prompt,
            "continuation": continuation.as_ref().ok().map(Continuation::text),
            "why": why,
            "before": before,
            "after": symbols.len(),
            "tried": tried,
            "cut_off": cut_off,
            "seconds": seconds,
        });
        writeln!(stdout_to_the_end(Content::Data), "{}", shown_json(&json.to_string()))?;
        return Ok(!cut_off);
    }
    let terminal = terminal::stdout(color);
    let mut out = stdout_to_the_end(Content::People);
    writeln!(out, "{}", shown_line(&why))?;
    writeln!(out, "{}", named("prompt", &shown(&prompt), terminal))?;
    if let Ok(got) = continuation {
        writeln!(out, "{}", named("got", &shown(&got.shown()), terminal))?;
    }
    out.flush()?;
    let left = format!("{} of {}", symbols.len(), count(*before, "symbol"));
    let tried = format!("{} tried in {seconds:.1} s", count(*tried, "prompt"));
    print_to_stderr(match cut_off {
        true => format!("{left}, and the search was cut off: {tried}"),
        false => format!("{left}, and none of them can go: {tried}"),
    });
    Ok(!cut_off)
}

/// The reason why the prompt fails, with the layer that wrote the wrong symbol.
fn why(source: &ProgramFile, minimal: &MinimalPrompt) -> String {
    let in_words = |it: &FailureExplanation| it.in_words(source.file.program(), |span| Some(source.line(span.start)));
    minimal.explanation.as_ref().map_or_else(|| minimal.why.clone(), in_words)
}
