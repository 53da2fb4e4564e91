//! Mutants as JSON.

use std::io::{self, Write};

use psl_program::Continuation;
use psl_render::shown_json;
use psl_search::{Change, Example, Fate, Killer, Operator, ToldApart};
use psl_syntax::{LineIndex, program::TestPrompt};
use serde_json::{Map, Value, json};

use super::tried::Tried;
use crate::render::json::with_place;

/// The field with the edits of a mutant.
pub const EDITS: &str = "edits";

pub fn write(out: &mut impl Write, tried: &Tried<'_>) -> io::Result<()> {
    let Tried { source, data, mutants, told_apart, score, seconds } = tried;
    let lines = source.file.line_index();
    let object = |(place, (mutant, fate)): (usize, &(Change, Option<Fate>))| {
        let number = told_apart.iter().position(|it| *it == place).map(|number| number + 1);
        let mut object = of_mutant(mutant, lines);
        object.insert("number".to_owned(), json!(number));
        object.extend(fate.iter().flat_map(of_fate));
        Value::Object(object)
    };
    let all = json!({
        "file": source.name,
        "score": score.percentage(),
        "killed": score.killed,
        "endless": score.endless,
        "told_apart": score.told_apart,
        "unknown": score.unknown,
        "equal": score.equal,
        "equal_up_to": score.equal_up_to,
        "invalid": score.invalid,
        "left": score.left,
        "seconds": seconds,
        "text": source.file.text(),
        "data": data_lines(data),
        "mutants": mutants.iter().enumerate().map(object).collect::<Vec<_>>(),
    });
    writeln!(out, "{}", shown_json(&all.to_string()))
}

/// The prompt and the continuation of each line of data.
pub fn data_lines(data: &[Example]) -> Value {
    let line = |example: &Example| {
        let (TestPrompt::Plain(prompt) | TestPrompt::Json(prompt)) = &example.prompt;
        json!([prompt, example.gold])
    };
    data.iter().map(line).collect()
}

/// The place and the edits of a mutant.
pub fn of_mutant(mutant: &Change, lines: &LineIndex) -> Map<String, Value> {
    let edits = mutant.edits.iter().map(|edit| with_place(lines, edit.span, "text", &edit.text)).collect::<Vec<_>>();
    let mut object = Map::new();
    object.insert("operator".to_owned(), operator(mutant.operator).into());
    object.insert(EDITS.to_owned(), edits.into());
    if let Value::Object(place) = with_place(lines, mutant.span, "message", &mutant.description) {
        object.extend(place);
    }
    object
}

/// The name of an operator: `list-entry`.
pub fn operator(operator: Operator) -> String {
    let mut name = String::new();
    for letter in format!("{operator:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

/// The fields of a fate.
fn of_fate(fate: &Fate) -> Map<String, Value> {
    let fields = match fate {
        Fate::Invalid => json!({"status": "invalid"}),
        Fate::Killed { by, endless } => {
            let (kind, index) = match by {
                Killer::Test(index) => ("test", index),
                Killer::Data(index) => ("data", index),
            };
            json!({"status": "killed", "by": kind, "index": index, "endless": endless})
        }
        Fate::Equal => json!({"status": "equal"}),
        Fate::EqualUpTo { symbols, without_numbers } => {
            json!({"status": "equal-up-to", "symbols": symbols, "without_numbers": without_numbers})
        }
        Fate::ToldApart(found) => {
            let ToldApart { prompt, expected, got, is_whole, differs_on, compared_on } = &**found;
            json!({
                "status": "told-apart",
                "prompt": prompt,
                "expected": continuation(expected),
                "got": continuation(got),
                "whole": is_whole,
                "differs_on": differs_on,
                "compared_on": compared_on,
            })
        }
        Fate::Unknown => json!({"status": "unknown"}),
    };
    match fields {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

fn continuation(end: &Result<Continuation, String>) -> Value {
    match end {
        Ok(continuation) => json!({"symbols": continuation.symbols, "stopped": continuation.stopped.as_str()}),
        Err(message) => json!({"fails": message}),
    }
}
