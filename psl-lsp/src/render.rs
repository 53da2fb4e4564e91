//! Diagnostics for people and for programs.

use std::io::{self, Write};

use ariadne::{Cache, Color, Config, IndexType, Label, Report, ReportKind, Source as AriadneSource};
use psl_syntax::{Diagnostic, Severity, Span};
use ropey::Rope;
use serde_json::{Value, json};

use crate::{
    source::Source,
    text::{Encoding, position},
};

/// Writes diagnostics as reports with the lines they speak of.
pub fn human(out: &mut impl Write, source: &Source, diagnostics: &[Diagnostic], color: bool) -> io::Result<()> {
    if diagnostics.is_empty() {
        return Ok(());
    }
    let mut cache = Named { name: source.name.clone(), source: AriadneSource::from(source.text.clone()) };
    for diagnostic in diagnostics {
        let place = |span: Span| (source.name.clone(), span.range());
        let kind = match diagnostic.severity {
            Severity::Error => ReportKind::Error,
            Severity::Warning => ReportKind::Warning,
            Severity::Info | Severity::Hint => ReportKind::Advice,
        };
        // Labels out of the text's order would be shown as if they were of several files.
        let mut labels: Vec<(Span, &str)> =
            diagnostic.labels.iter().map(|label| (label.span, label.message.as_str())).collect();
        labels.push((diagnostic.span, "here"));
        labels.sort();
        let mut report = Report::build(kind, place(diagnostic.span))
            .with_config(Config::default().with_index_type(IndexType::Byte).with_color(color))
            .with_code(diagnostic.code.as_str())
            .with_message(&diagnostic.message)
            .with_labels(labels.into_iter().map(|(span, message)| {
                let label = Label::new(place(span)).with_message(message);
                if span == diagnostic.span { label.with_color(color_of(diagnostic.severity)) } else { label }
            }));
        if let Some(help) = &diagnostic.help {
            report = report.with_help(help);
        }
        report.finish().write(&mut cache, &mut *out)?;
    }
    Ok(())
}

fn color_of(severity: Severity) -> Color {
    match severity {
        Severity::Error => Color::Red,
        Severity::Warning => Color::Yellow,
        Severity::Info | Severity::Hint => Color::Cyan,
    }
}

/// A cache of one file.
struct Named {
    name: String,
    source: AriadneSource<String>,
}

impl Cache<String> for Named {
    type Storage = String;

    fn fetch(&mut self, _: &String) -> Result<&AriadneSource<String>, impl std::fmt::Debug> {
        Ok::<_, std::convert::Infallible>(&self.source)
    }

    fn display<'a>(&self, _: &'a String) -> Option<impl std::fmt::Display + 'a> {
        Some(self.name.clone())
    }
}

/// Writes diagnostics as JSON, one object a line.
pub fn json(out: &mut impl Write, source: &Source, diagnostics: &[Diagnostic]) -> io::Result<()> {
    let text = Rope::from_str(&source.text);
    for diagnostic in diagnostics {
        let fixes: Vec<Value> = diagnostic
            .fixes
            .iter()
            .map(|fix| {
                let edits: Vec<_> =
                    fix.edits.iter().map(|edit| with_place(&text, edit.span, "text", &edit.text)).collect();
                json!({"title": fix.title, "edits": edits})
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
            "start": point(&text, diagnostic.span.start),
            "end": point(&text, diagnostic.span.end),
            "related": related,
            "fixes": fixes,
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn with_place(text: &Rope, span: Span, key: &str, value: &str) -> Value {
    json!({key: value, "start": point(text, span.start), "end": point(text, span.end)})
}

/// Line and column from 1, the column in Unicode scalar values, and the offset in bytes.
fn point(text: &Rope, offset: u32) -> Value {
    let place = position(text, offset, Encoding::Utf32);
    json!({"line": place.line + 1, "column": place.column + 1, "offset": offset})
}

/// `path:line:column` of an offset.
pub fn place(source: &Source, offset: u32) -> String {
    let place = position(&Rope::from_str(&source.text), offset, Encoding::Utf32);
    format!("{}:{}:{}", source.name, place.line + 1, place.column + 1)
}

/// `1 error`, `2 errors`.
pub fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
