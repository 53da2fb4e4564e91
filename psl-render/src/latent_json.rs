//! Codes as JSON.

use std::{
    io::{self, Write},
    num::NonZeroUsize,
};

use psl_program::latent::{LatentCodes, Pair, ScheduledLayer};
use serde_json::{Map, Value, json};

/// Writes the codes of a run as one object on one line. `prompt` is that of the run in JSON. Pairs are written one by
/// one, since there may be many.
///
/// # Errors
///
/// That of the output.
pub fn latent_json(
    out: &mut impl Write,
    codes: &LatentCodes<'_>,
    prompt: &Value,
    max_heads: Option<NonZeroUsize>,
) -> io::Result<()> {
    let LatentCodes { continuation, verified, layers } = codes;
    let head = json!({
        "prompt": prompt,
        "continuation": continuation.text(),
        "stopped": continuation.stopped.as_str(),
        "max_heads": max_heads,
        "verified": verified,
    });
    write!(out, "{},\"layers\":[", opened(&head))?;
    for (index, layer) in layers.iter().enumerate() {
        write!(out, "{}", if index == 0 { "" } else { "," })?;
        of_layer(out, layer)?;
    }
    writeln!(out, "]}}")
}

fn of_layer(out: &mut impl Write, layer: &ScheduledLayer<'_>) -> io::Result<()> {
    let heads: Vec<Value> = (0..)
        .zip(&layer.heads)
        .map(|(index, head)| {
            json!({
                "head": index + 1,
                "production": head.production.number(),
                "line": head.line,
                "label": head.source.label,
                "meaning": layer.meaning(&[index]),
            })
        })
        .collect();
    write!(out, "{},\"pairs\":[", opened(&json!({"layer": layer.id.number(), "heads": heads})))?;
    let (mut written, mut before) = (Ok(()), "");
    let statistics = layer.statistics(|pair, code| {
        if written.is_ok() {
            let mut object = of_pair(pair);
            object.insert("code".to_owned(), Value::from(code + 1));
            written = write!(out, "{before}{}", Value::Object(object));
            before = ",";
        }
    });
    written?;
    let codes: Vec<Value> = (1..)
        .zip(&statistics.code_counts)
        .map(|(number, code)| {
            let heads: Vec<usize> = code.first.code.iter().map(|head| head + 1).collect();
            json!({
                "code": number,
                "heads": heads,
                "meaning": layer.meaning(&code.first.code),
                "pairs": code.pairs,
                "first": of_pair(&code.first),
            })
        })
        .collect();
    let rest = json!({
        "codes": codes,
        "mean_codes": statistics.mean_codes(),
        "similarities": statistics.similarities(),
    });
    write!(out, "],{}", rest.to_string().trim_start_matches('{'))
}

fn of_pair(Pair { step, pass, cell, attends, .. }: &Pair) -> Map<String, Value> {
    let pair = json!({"step": step, "pass": pass, "cell": cell.number(), "attends": attends.number()});
    if let Value::Object(object) = pair { object } else { Map::new() }
}

/// An object without its last brace, for further fields.
fn opened(object: &Value) -> String {
    let mut text = object.to_string();
    text.pop();
    text
}
