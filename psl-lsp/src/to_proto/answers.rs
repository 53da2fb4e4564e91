//! Whole answers: requested diagnostics, results of commands, and progress.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    time::Duration,
};

use gen_lsp_types as lsp;
use psl_program::{
    Compiled, CompiledLayer, FailedTest, FileCoverage, Outcome, Progress, Prompt, RunFailure, RunOutcome, failed_test,
    laws::Refutation,
};
use psl_syntax::{Span, program::TestCase, tree::DirectiveKind};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{
    diagnostic::{diagnostics, related},
    places::{position, range},
};
use crate::{document::Document, encoded_text::EncodedText, notice::Notice, refusal::Refusal, uri::Url};

/// Serializes a value of the protocol as JSON.
///
/// # Errors
///
/// Fails only if the server has a defect.
pub fn to_json(value: &impl Serialize) -> Result<String, Refusal> {
    serde_json::to_string(value).map_err(|_| Refusal::Internal)
}

/// All diagnostics of a document, or that they are unchanged.
pub use lsp::RelatedDocument as Report;

/// The diagnostics of a version, or that they are unchanged since `previous`. The id of a result is a digest.
pub fn diagnostic_report(document: &Document, previous: Option<&str>) -> Report {
    let items = diagnostics(document);
    let result_id = result_id(&items);
    if previous == Some(result_id.as_str()) { unchanged_report(result_id) } else { full_report(Some(result_id), items) }
}

/// The id of a result with these diagnostics.
pub fn result_id(items: &[lsp::Diagnostic]) -> String {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(items).ok().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// A report with all diagnostics. Without an id, the next report is complete again.
pub fn full_report(result_id: Option<String>, items: Vec<lsp::Diagnostic>) -> Report {
    lsp::FullDocumentDiagnosticReport { result_id, items }.into()
}

/// A report that the diagnostics with this id are unchanged.
pub fn unchanged_report(result_id: String) -> Report {
    lsp::UnchangedDocumentDiagnosticReport { result_id }.into()
}

/// A result of the client for this file with an unknown id.
pub fn unknown_result(uri: Url) -> lsp::PreviousResultId {
    lsp::PreviousResultId { uri, value: String::new() }
}

/// Wraps a report as the answer for a document.
pub fn document_report(report: Report) -> lsp::DocumentDiagnosticReport {
    match report {
        Report::FullDocumentDiagnosticReport(full) => {
            lsp::RelatedFullDocumentDiagnosticReport { related_documents: None, full_document_diagnostic_report: full }
                .into()
        }
        Report::UnchangedDocumentDiagnosticReport(unchanged) => lsp::RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: unchanged,
        }
        .into(),
    }
}

/// The answer for a document that is not open.
pub fn no_diagnostics() -> lsp::DocumentDiagnosticReport {
    lsp::RelatedFullDocumentDiagnosticReport::default().into()
}

/// The answer for the workspace.
pub fn workspace_diagnostics(items: Vec<lsp::WorkspaceDocumentDiagnosticReport>) -> lsp::WorkspaceDiagnosticReport {
    lsp::WorkspaceDiagnosticReport { items }
}

/// Wraps a report for a file of the workspace. The version is that of an open document.
pub fn workspace_report(uri: Url, version: Option<i32>, report: Report) -> lsp::WorkspaceDocumentDiagnosticReport {
    match report {
        Report::FullDocumentDiagnosticReport(full) => {
            lsp::WorkspaceFullDocumentDiagnosticReport { uri, version, full_document_diagnostic_report: full }.into()
        }
        Report::UnchangedDocumentDiagnosticReport(unchanged) => lsp::WorkspaceUnchangedDocumentDiagnosticReport {
            uri,
            version,
            unchanged_document_diagnostic_report: unchanged,
        }
        .into(),
    }
}

/// The result of `psl.run`, and a message about it.
///
/// # Errors
///
/// Fails if the prompt could not be completed.
pub fn run_answer(document: &Document, outcome: &RunOutcome, time: Duration) -> Result<(Value, Notice), RunFailure> {
    let tested = &outcome.outcome;
    let completion = tested.result.as_ref().map_err(Clone::clone)?;
    let case = outcome.test.and_then(|index| document.file().program().tests.get(index));
    let mut fields = Map::new();
    let mut set = |name: &str, value: Value| drop(fields.insert(name.to_owned(), value));
    set("continuation", completion.text().into());
    set("steps", completion.symbols.len().into());
    set("seconds", time.as_secs_f64().into());
    set("stopped", completion.stopped.as_str().into());
    let mut notice = Notice { text: completion.shown(), success: true };
    if let Some(test) = case {
        let (passed, case) = (tested.passes(test), tested.case(test));
        set("prompt", document.file().compiled().prompt_to_json(&Prompt::from(&case.prompt)));
        set("gold", case.gold.as_str().into());
        set("passed", passed.into());
        notice = if passed {
            let holds = tested.law.as_ref().and_then(|law| law.holds.clone());
            Notice { text: format!("✓ {}", holds.unwrap_or_else(|| completion.text())), success: true }
        } else {
            let explanation = explanation(document, tested);
            let how = explanation.as_ref().map_or_else(String::new, |how| format!("; {how}"));
            set("explanation", explanation.into());
            let symbols = broken(tested).map_or_else(String::new, |it| format!("for {}, ", it.symbols_in_words()));
            let text = format!("✗ {symbols}expected {}, got {}{how}", case.gold, completion.text());
            Notice { text, success: false }
        };
        let places = failed_test(document.file(), test, tested);
        set("missed", missed(document, &places));
        set("related", related_places(document, &places));
        for (name, value) in law_fields(document, test, Some(tested)) {
            set(name, value);
        }
    }
    if let Some(note) = &outcome.note {
        notice.text = format!("{}\nnote: {note}", notice.text);
        set("note", note.as_str().into());
    }
    Ok((fields.into(), notice))
}

/// The refutation of a law, if it is broken.
fn broken(outcome: &Outcome) -> Option<&Refutation> {
    outcome.law.as_ref()?.refutation.as_ref()
}

/// The entry of a test in the result of `psl.tests`, and its running time if it has just run.
pub fn test_answer(
    document: &Document,
    index: usize,
    test: &TestCase,
    outcome: Option<&Outcome>,
    time: Option<Duration>,
) -> Value {
    let file = document.file();
    let completion = outcome.and_then(|outcome| outcome.result.as_ref().ok());
    let places = outcome.map_or_else(FailedTest::default, |outcome| failed_test(file, test, outcome));
    let error = match outcome {
        Some(outcome) => outcome.result.as_ref().err().map(|failure| failure.message.clone()),
        None => file.runner().err().map(|error| error.to_string()),
    };
    let case = outcome.map_or(test, |outcome| outcome.case(test));
    let mut answer = json!({
        "index": index,
        "name": test.name,
        "prompt": file.compiled().prompt_to_json(&Prompt::from(&case.prompt)),
        "gold": case.gold,
        "range": range(&document.text, test.span),
        "passed": outcome.map(|outcome| outcome.passes(test)),
        "continuation": completion.map(psl_program::Continuation::text),
        "stopped": completion.map(|completion| completion.stopped.as_str()),
        "explanation": outcome.and_then(|outcome| explanation(document, outcome)),
        "missed": missed(document, &places),
        "related": related_places(document, &places),
        "error": error,
        "seconds": time.map(|time| time.as_secs_f64()),
    });
    if let Some(fields) = answer.as_object_mut() {
        fields.extend(law_fields(document, test, outcome).into_iter().map(|(name, value)| (name.to_owned(), value)));
    }
    answer
}

/// The fields of a law beside those of a test. Other tests have none.
fn law_fields(document: &Document, test: &TestCase, outcome: Option<&Outcome>) -> Vec<(&'static str, Value)> {
    let mut directives = document.file().checked().tree.directives.iter();
    let Some(DirectiveKind::Law { prompt, gold, .. }) =
        directives.find(|directive| directive.span == test.span).map(|directive| &directive.kind)
    else {
        return Vec::new();
    };
    let law = outcome.and_then(|outcome| outcome.law.as_ref());
    vec![
        ("law", json!(format!("{prompt} => {gold}"))),
        ("runs", json!(law.map(|law| law.runs))),
        ("holds", json!(law.and_then(|law| law.holds.as_deref()))),
        ("symbols", json!(outcome.and_then(broken).map(Refutation::symbols_in_words))),
    ]
}

/// The result of `psl.coverage`.
pub fn coverage(document: &Document, coverage: &FileCoverage) -> Value {
    coverage.to_json(|span| json!({"range": range(&document.text, span)}))
}

/// The entry of a program in the result of `psl.tests` for all programs.
pub fn program_tests(uri: &Url, tests: &[Value]) -> Value {
    json!({"uri": uri, "tests": tests})
}

/// The explanation of a failed test.
fn explanation(document: &Document, outcome: &Outcome) -> Option<String> {
    let line = |span: Span| Some(position(&document.text, span.start).line as usize + 1);
    Some(outcome.explanation.as_ref()?.in_words(document.file().program(), line))
}

/// The range of the missed symbol in the expected continuation, or null.
fn missed(document: &Document, places: &FailedTest) -> Value {
    json!(places.missed.map(|span| range(&document.text, span)))
}

/// The places that explain a failed test.
fn related_places(document: &Document, places: &FailedTest) -> Value {
    json!(places.related.iter().map(|label| related(document, label)).collect::<Vec<_>>())
}

/// The result of `psl.table` and `psl.compile`.
pub fn text(text: &str) -> Value {
    json!({"text": text})
}

/// The result of `psl.compile` for QKVL, with the places of each layer in the program and in the text.
pub fn compiled_layers(document: &Document, compiled: &Compiled) -> Value {
    let text = EncodedText { text: compiled.text.as_str().into(), encoding: document.text.encoding };
    let layer = |(CompiledLayer { production, object }, layer): (&CompiledLayer, usize)| {
        let production = range(&document.text, *production);
        json!({"layer": layer, "line": production.start.line, "range": production, "text": range(&text, *object)})
    };
    let layers: Vec<_> = compiled.layers.iter().zip(1..).map(layer).collect();
    json!({"text": compiled.text, "layers": layers})
}

/// The notification that reports whether tests are running.
pub enum Status {}

impl lsp::Notification for Status {
    type Params = Value;
    const METHOD: lsp::LspNotificationMethod<'static> = lsp::LspNotificationMethod::new("psl/status");
    const MESSAGE_DIRECTION: lsp::MessageDirection = lsp::MessageDirection::ServerToClient;
}

/// Reports whether tests are running.
pub fn status(testing: bool) -> Value {
    json!({"testing": testing})
}

/// The token for the progress of the work with this number. Clients never create such a token.
pub fn progress_token(number: i64) -> lsp::ProgressToken {
    lsp::ProgressToken::String(format!("psl/{number}"))
}

/// A document's diagnostics.
pub fn publication(uri: Url, version: Option<i32>, diagnostics: Vec<lsp::Diagnostic>) -> lsp::PublishDiagnosticsParams {
    lsp::PublishDiagnosticsParams { uri, diagnostics, version }
}

/// A message for users.
pub fn message(kind: lsp::MessageType, message: String) -> lsp::ShowMessageParams {
    lsp::ShowMessageParams { kind, message }
}

/// A warning in the client's log.
pub fn log(message: String) -> lsp::LogMessageParams {
    lsp::LogMessageParams { kind: lsp::MessageType::Warning, message }
}

/// The request to open an address in a browser.
pub fn show_in_browser(uri: Url) -> lsp::ShowDocumentParams {
    lsp::ShowDocumentParams { uri, external: Some(true), take_focus: None, selection: None }
}

/// The request to show a document that the server computes.
pub fn show_content(uri: Url) -> lsp::ShowDocumentParams {
    lsp::ShowDocumentParams { uri, external: None, take_focus: Some(false), selection: None }
}

/// The request to fetch a document of the server again.
pub fn refresh_content(uri: Url) -> lsp::TextDocumentContentRefreshParams {
    lsp::TextDocumentContentRefreshParams { uri }
}

/// The request to show a 1-based line of a document.
pub fn show_line(uri: Url, line: usize) -> lsp::ShowDocumentParams {
    let start = lsp::Position { line: u32::try_from(line.saturating_sub(1)).unwrap_or(u32::MAX), character: 0 };
    let selection = Some(lsp::Range { start, end: start });
    lsp::ShowDocumentParams { uri, external: None, take_focus: Some(true), selection }
}

/// The request for a progress display.
pub fn progress_create(token: lsp::ProgressToken) -> lsp::WorkDoneProgressCreateParams {
    lsp::WorkDoneProgressCreateParams { token }
}

/// The start of work that the client can cancel.
pub fn progress_begin(token: lsp::ProgressToken, title: &str) -> lsp::ProgressParams {
    let begin = lsp::WorkDoneProgressBegin {
        title: title.to_owned(),
        cancellable: Some(true),
        message: None,
        percentage: None,
    };
    progress(token, begin)
}

/// The progress of work.
pub fn progress_report(token: lsp::ProgressToken, work: &Progress) -> lsp::ProgressParams {
    let (done, expected) = (work.done(), work.expected());
    let report = lsp::WorkDoneProgressReport {
        cancellable: Some(true),
        message: expected.map(|(total, unit)| format!("{done} of {total} {unit}")),
        percentage: expected.and_then(|(total, _)| Some((done * 100).checked_div(total)?.min(100) as u32)),
    };
    progress(token, report)
}

/// The end of work.
pub fn progress_end(token: lsp::ProgressToken) -> lsp::ProgressParams {
    progress(token, lsp::WorkDoneProgressEnd { message: None })
}

fn progress(token: lsp::ProgressToken, value: impl Serialize) -> lsp::ProgressParams {
    lsp::ProgressParams { token, value: json!(value) }
}
