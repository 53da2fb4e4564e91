//! Diagnostics as JSON.

use std::io::{self, Write};

use psl_render::shown_json;
use psl_syntax::{Diagnostic, Span};
use psl_syntax::{LineIndex, line_index::Point};
use serde_json::{Value, json};

use crate::input::program_file::ProgramFile;

/// Writes one object a line.
pub fn json(out: &mut impl Write, source: &ProgramFile, diagnostics: &[Diagnostic]) -> io::Result<()> {
    let lines = source.file.line_index();
    for diagnostic in diagnostics {
        let fixes: Vec<Value> = diagnostic
            .fixes
            .iter()
            .map(|fix| {
                let edits: Vec<_> =
                    fix.edits.iter().map(|edit| with_place(lines, edit.span, "text", &edit.text)).collect();
                json!({"title": fix.title, "certain": fix.certain, "edits": edits})
            })
            .collect();
        let related: Vec<Value> =
            diagnostic.labels.iter().map(|label| with_place(lines, label.span, "message", &label.message)).collect();
        let line = json!({
            "file": source.name,
            "code": diagnostic.code.as_str(),
            "severity": diagnostic.severity.as_str(),
            "message": diagnostic.message,
            "help": diagnostic.help,
            "start": place(lines, diagnostic.span.start),
            "end": place(lines, diagnostic.span.end),
            "related": related,
            "fixes": fixes,
        });
        writeln!(out, "{}", shown_json(&line.to_string()))?;
    }
    Ok(())
}

/// A value with the place that it is about.
pub fn with_place(lines: &LineIndex, span: Span, key: &str, value: &str) -> Value {
    json!({key: value, "start": place(lines, span.start), "end": place(lines, span.end)})
}

/// Line and column from 1, and the offset in bytes.
fn place(lines: &LineIndex, offset: u32) -> Value {
    let Point { line, column } = lines.point(offset);
    json!({"line": line, "column": column, "offset": offset})
}
