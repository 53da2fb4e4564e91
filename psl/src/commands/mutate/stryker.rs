//! Mutants in the format of Stryker's reports: the schema `mutation-testing-report-schema` of
//! mutation-testing-elements.

use std::io::{self, Write};

use psl_program::Continuation;
use psl_render::shown_json;
use psl_search::{Change, Fate, Killer};
use psl_syntax::{LineIndex, Span, diagnostic::Edit, line_index::Point};
use serde_json::{Value, json};

use super::{json::operator, tried::Tried};

/// The scores from which a report is green, and below which it is red.
const THRESHOLDS: (usize, usize) = (95, 80);

pub fn write(out: &mut impl Write, tried: &Tried<'_>) -> io::Result<()> {
    let Tried { source, data, mutants, .. } = tried;
    let (lines, program) = (source.file.line_index(), source.file.program());
    let object = |(index, (mutant, fate)): (usize, &(Change, Option<Fate>))| {
        of_mutant(index, mutant, fate.as_ref(), source.file.text(), lines)
    };
    let mut tests: Vec<Value> = Vec::new();
    for (index, test) in program.tests.iter().enumerate() {
        let name = Killer::Test(index).in_words(program);
        tests.push(json!({"id": id(Killer::Test(index)), "name": name, "location": location(lines, test.span)}));
    }
    let of_data = (0..data.len()).map(Killer::Data);
    tests.extend(of_data.map(|line| json!({"id": id(line), "name": line.in_words(program)})));
    let report = json!({
        "schemaVersion": "2",
        "thresholds": {"high": THRESHOLDS.0, "low": THRESHOLDS.1},
        "framework": {"name": "psl", "version": env!("CARGO_PKG_VERSION")},
        "files": {&source.name: {
            "language": "psl",
            "source": source.file.text(),
            "mutants": mutants.iter().enumerate().map(object).collect::<Vec<_>>(),
        }},
        "testFiles": {&source.name: {"source": source.file.text(), "tests": tests}},
    });
    writeln!(out, "{}", shown_json(&report.to_string()))
}

fn id(killer: Killer) -> String {
    match killer {
        Killer::Test(index) => format!("test {}", index + 1),
        Killer::Data(index) => format!("line {}", index + 1),
    }
}

fn location(lines: &LineIndex, span: Span) -> Value {
    let place = |offset| {
        let Point { line, column } = lines.point(offset);
        json!({"line": line, "column": column})
    };
    json!({"start": place(span.start), "end": place(span.end)})
}

fn of_mutant(index: usize, mutant: &Change, fate: Option<&Fate>, text: &str, lines: &LineIndex) -> Value {
    // A report has one replacement for each mutant: from its first edit to its last.
    let start = mutant.edits.iter().map(|edit| edit.span.start).min().unwrap_or(mutant.span.start);
    let end = mutant.edits.iter().map(|edit| edit.span.end).max().unwrap_or(mutant.span.end);
    let whole = Span::new(start, end);
    let inside =
        |edit: &Edit| Edit { span: Span::new(edit.span.start - start, edit.span.end - start), text: edit.text.clone() };
    let edits: Vec<Edit> = mutant.edits.iter().map(inside).collect();
    let (status, reason, killed_by) = match fate {
        None => ("Pending", Some("not tried".to_owned()), Vec::new()),
        Some(Fate::Invalid) => ("CompileError", None, Vec::new()),
        Some(Fate::Killed { by, endless: false }) => ("Killed", None, vec![id(*by)]),
        Some(Fate::Killed { by, endless: true }) => ("Timeout", Some("it does not end".to_owned()), vec![id(*by)]),
        Some(Fate::Equal) => ("Ignored", Some("equal, as the text shows".to_owned()), Vec::new()),
        Some(Fate::EqualUpTo { symbols, .. }) => {
            ("Ignored", Some(format!("equal for all prompts of at most {symbols} symbols")), Vec::new())
        }
        Some(Fate::ToldApart(found)) => {
            let [expected, got] =
                [&found.expected, &found.got].map(|it| it.as_ref().map_or_else(Clone::clone, Continuation::text));
            ("Survived", Some(format!("`{}` gives `{got}` and not `{expected}`", found.prompt)), Vec::new())
        }
        Some(Fate::Unknown) => ("Survived", None, Vec::new()),
    };
    let mut object = json!({
        "id": (index + 1).to_string(),
        "mutatorName": operator(mutant.operator),
        "description": mutant.description,
        "replacement": Edit::apply(&edits, whole.of(text)),
        "location": location(lines, whole),
        "status": status,
        "killedBy": killed_by,
    });
    if let (Some(reason), Some(fields)) = (reason, object.as_object_mut()) {
        fields.insert("statusReason".to_owned(), reason.into());
    }
    object
}
