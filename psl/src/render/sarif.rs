//! Diagnostics as SARIF 2.1.0: one log of one run for all files.

use std::io::{self, Write};

use psl_render::shown_json;
use psl_syntax::{Code, Diagnostic, LineIndex, Severity, Span};
use serde_json::{Value, json};

use super::uri::uri;
use crate::input::program_file::ProgramFile;

/// The log of the files added.
#[derive(Default)]
pub struct Sarif {
    results: Vec<Value>,
}

impl Sarif {
    /// Adds the diagnostics of a file.
    pub fn add(&mut self, source: &ProgramFile, diagnostics: &[Diagnostic]) {
        let file = Artifact { uri: uri(&source.name_from_root()), lines: source.file.line_index() };
        self.results.extend(diagnostics.iter().map(|diagnostic| file.result(diagnostic)));
    }

    /// Writes the log, with whether all files were checked.
    pub fn write(&self, out: &mut impl Write, all_done: bool) -> io::Result<()> {
        let rules: Vec<Value> = Code::ALL.iter().copied().map(rule).collect();
        let log = json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": {"driver": {"name": "psl", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "invocations": [{"executionSuccessful": all_done}],
                "results": self.results,
            }],
        });
        writeln!(out, "{}", shown_json(&log.to_string()))
    }
}

fn rule(code: Code) -> Value {
    let entry = code.entry();
    json!({
        "id": entry.name,
        "shortDescription": {"text": entry.summary},
        "fullDescription": {"text": entry.why},
        "help": {"text": format!("{} {}", entry.summary, entry.why), "markdown": entry.markdown()},
        "defaultConfiguration": {"enabled": !entry.off, "level": level(entry.severity)},
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Hint => "note",
    }
}

struct Artifact<'l> {
    uri: String,
    lines: &'l LineIndex,
}

impl Artifact<'_> {
    fn result(&self, diagnostic: &Diagnostic) -> Value {
        let related: Vec<Value> = diagnostic
            .labels
            .iter()
            .map(|label| json!({"message": {"text": label.message}, "physicalLocation": self.place(label.span)}))
            .collect();
        let fixes: Vec<Value> = diagnostic
            .fixes
            .iter()
            .map(|fix| {
                let replacements: Vec<Value> = fix
                    .edits
                    .iter()
                    .map(
                        |edit| json!({"deletedRegion": self.region(edit.span), "insertedContent": {"text": edit.text}}),
                    )
                    .collect();
                json!({
                    "description": {"text": fix.title},
                    "artifactChanges": [{"artifactLocation": {"uri": self.uri}, "replacements": replacements}],
                    "properties": {"certain": fix.certain},
                })
            })
            .collect();
        json!({
            "ruleId": diagnostic.code.as_str(),
            "ruleIndex": Code::ALL.iter().position(|&code| code == diagnostic.code),
            "level": level(diagnostic.severity),
            "message": {"text": diagnostic.message_and_help()},
            "locations": [{"physicalLocation": self.place(diagnostic.span)}],
            "relatedLocations": related,
            "fixes": fixes,
        })
    }

    fn place(&self, span: Span) -> Value {
        json!({"artifactLocation": {"uri": self.uri}, "region": self.region(span)})
    }

    fn region(&self, span: Span) -> Value {
        let (start, end) = (self.lines.point(span.start), self.lines.point(span.end));
        json!({"startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column})
    }
}
