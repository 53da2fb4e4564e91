//! A scored line as text, JSON and CSV.

use std::io::{self, Write};

use psl_render::{Terminal, shown};
use psl_tasks::Scored;
use serde_json::{Value, json};

use super::{ablation::Ablated, grouping};
use crate::{
    commands::comparison::{Comparison, cut},
    output::csv_record,
};

/// The columns of the CSV.
pub const HEADER: &str = "data,ablated,line,correct,prompt,gold,got,info,error";

/// Writes a line with its place, its prompt and, if it is wrong, the difference.
pub fn text(
    out: &mut impl Write,
    data: &str,
    ablated: &Ablated,
    scored: &Scored,
    terminal: Terminal,
) -> io::Result<()> {
    let Scored { line, prompt, gold, info, got, correct, .. } = scored;
    let (message, lines) = match (got, gold) {
        (Ok(got), _) if *correct => ("correct".to_owned(), vec![cut("got", got, terminal)]),
        (Ok(got), gold) => {
            let comparison = Comparison::new(gold.as_deref().unwrap_or_default(), got);
            (comparison.difference(), comparison.lines(terminal))
        }
        (Err(error), _) => (error.clone(), Vec::new()),
    };
    let without = if ablated.layers.is_empty() { String::new() } else { format!("without {}: ", ablated.name) };
    writeln!(out, "{}", shown(&format!("{data}:{line}: {without}{message}")))?;
    writeln!(out, "{}", cut(if gold.is_some() { "prompt" } else { "line" }, prompt, terminal))?;
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    if let Some(info) = info {
        writeln!(out, "{}", cut("info", info, terminal))?;
    }
    Ok(())
}

/// The line as JSON.
pub fn json(scored: &Scored, with_correct: bool) -> Value {
    let Scored { line, prompt, gold, info, got, correct, .. } = scored;
    let mut object = json!({"line": line, "prompt": prompt, "gold": gold, "got": got.as_ref().ok()});
    if let Some(object) = object.as_object_mut() {
        if let Some(info) = info {
            object.insert("info".to_owned(), grouping::value(info));
        }
        if with_correct {
            object.insert("correct".to_owned(), Value::from(*correct));
        }
        if let Err(error) = got {
            object.insert("error".to_owned(), error.as_str().into());
        }
    }
    object
}

/// Writes the line in the columns of [`HEADER`].
pub fn csv(out: &mut impl Write, data: &str, ablated: &Ablated, scored: &Scored) -> io::Result<()> {
    let Scored { line, prompt, gold, info, got, correct, .. } = scored;
    let (line, info) = (line.to_string(), info.as_deref().unwrap_or_default());
    let (got, error) = match got {
        Ok(got) => (got.as_str(), ""),
        Err(error) => ("", error.as_str()),
    };
    let correct = if *correct { "true" } else { "false" };
    let gold = gold.as_deref().unwrap_or_default();
    let row = [data, ablated.name.as_str(), &line, correct, prompt, gold, got, info, error];
    let mut writer = csv::Writer::from_writer(out);
    csv_record::write(&mut writer, row)?;
    writer.flush()
}
