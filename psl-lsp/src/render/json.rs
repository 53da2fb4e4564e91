//! Diagnostics as JSON.

use std::io::{self, Write};

use psl_syntax::{Diagnostic, Span};
use ropey::Rope;
use serde_json::{Value, json};

use super::point;
use crate::{source::Source, text::Position};

/// Writes one object a line.
pub fn json(out: &mut impl Write, source: &Source, diagnostics: &[Diagnostic]) -> io::Result<()> {
    let text = Rope::from_str(&source.text);
    for diagnostic in diagnostics {
        let fixes: Vec<Value> = diagnostic
            .fixes
            .iter()
            .map(|fix| {
                let edits: Vec<_> =
                    fix.edits.iter().map(|edit| with_place(&text, edit.span, "text", &edit.text)).collect();
                json!({"title": fix.title, "certain": fix.certain, "edits": edits})
            })
            .collect();
        let related: Vec<Value> =
            diagnostic.labels.iter().map(|label| with_place(&text, label.span, "message", &label.message)).collect();
        let line = json!({
            "file": source.name,
            "code": diagnostic.code.as_str(),
            "severity": diagnostic.severity.as_str(),
            "message": diagnostic.message,
            "help": diagnostic.help,
            "start": place(&text, diagnostic.span.start),
            "end": place(&text, diagnostic.span.end),
            "related": related,
            "fixes": fixes,
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn with_place(text: &Rope, span: Span, key: &str, value: &str) -> Value {
    json!({key: value, "start": place(text, span.start), "end": place(text, span.end)})
}

/// Line and column from 1, and the offset in bytes.
fn place(text: &Rope, offset: u32) -> Value {
    let Position { line, column } = point(text, offset);
    json!({"line": line, "column": column, "offset": offset})
}
