//! Diagnostics, for publishing and for requests.

use std::fmt::Write as _;

use gen_lsp_types as lsp;
use psl_ide::message_markdown;
use psl_program::config::{ConfigError, ConfigProblem};
use psl_syntax::{Code, Diagnostic, Severity, diagnostic::Label, line_index::Encoding};

use super::{
    markup::markdown,
    places::{location, range},
};
use crate::{
    compact_diagnostic::CompactDiagnostic, document::Document, encoded_text::EncodedText, host::Host, uri::Url,
};

/// The source of our diagnostics.
const SOURCE: &str = "psl";

/// Converts a diagnostic, with a link to its documentation.
pub fn diagnostic(document: &Document, diagnostic: &Diagnostic) -> lsp::Diagnostic {
    let related = diagnostic.labels.iter().map(|label| related(document, label));
    let found = lsp::Diagnostic {
        range: range(&document.text, diagnostic.span),
        severity: Some(match diagnostic.severity {
            Severity::Error => lsp::DiagnosticSeverity::Error,
            Severity::Warning => lsp::DiagnosticSeverity::Warning,
            Severity::Info => lsp::DiagnosticSeverity::Information,
            Severity::Hint => lsp::DiagnosticSeverity::Hint,
        }),
        message: message(document, diagnostic),
        related_information: unless_empty(related.collect()),
        ..lsp::Diagnostic::default()
    };
    with_code(found, Some(diagnostic.code), document.environment.host.as_ref())
}

/// The way to a filling in the help of a hole.
const IN_A_SHELL: &str = "search for what fits with `psl fill`";
const IN_AN_EDITOR: &str = "choose a quick fix, which searches for what fits";

/// The message and the help of a diagnostic, in Markdown if the client shows it. That of a failing test then lists the
/// layers that led to the wrong symbol.
fn message(document: &Document, diagnostic: &Diagnostic) -> lsp::Message {
    let help = diagnostic.help.as_ref().map(|help| help.replace(IN_A_SHELL, IN_AN_EDITOR));
    if !document.client().markdown_messages {
        return Diagnostic { help, ..diagnostic.clone() }.message_and_help().into();
    }
    let mut text = message_markdown(&diagnostic.message);
    if diagnostic.code == Code::FailingTest {
        for (number, label) in diagnostic.labels.iter().enumerate() {
            let line = range(&document.text, label.span).start.line + 1;
            let start = if number == 0 { "\n\n" } else { "\n" };
            let _ = write!(text, "{start}- line {line}: {}", message_markdown(&label.message));
        }
    }
    if let Some(help) = help {
        let _ = write!(text, "\n\nhelp: {}", message_markdown(&help));
    }
    markdown(text).into()
}

/// Converts a label to a related place.
pub fn related(document: &Document, label: &Label) -> lsp::DiagnosticRelatedInformation {
    lsp::DiagnosticRelatedInformation { location: location(document, label.span), message: label.message.clone() }
}

/// Restores a diagnostic of the file with this URI.
pub fn expanded(uri: &Url, compact: &CompactDiagnostic, host: &dyn Host) -> lsp::Diagnostic {
    let related = compact.related.iter().map(|(range, message)| lsp::DiagnosticRelatedInformation {
        location: lsp::Location { uri: uri.clone(), range: *range },
        message: message.to_string(),
    });
    let text = compact.text.to_string();
    let found = lsp::Diagnostic {
        range: compact.range,
        severity: compact.severity,
        message: if compact.is_markdown { markdown(text).into() } else { text.into() },
        related_information: unless_empty(related.collect()),
        ..lsp::Diagnostic::default()
    };
    with_code(found, compact.code, host)
}

/// Adds the parts of a diagnostic that follow from its code.
fn with_code(diagnostic: lsp::Diagnostic, code: Option<Code>, host: &dyn Host) -> lsp::Diagnostic {
    let docs = code.and_then(|code| host.diagnostic_docs(code));
    lsp::Diagnostic {
        code: code.map(|code| code.as_str().to_owned().into()),
        code_description: docs.map(|href| lsp::CodeDescription { href }),
        source: Some(SOURCE.to_owned()),
        tags: code.filter(|code| code.is_unnecessary()).map(|_| vec![lsp::DiagnosticTag::Unnecessary]),
        ..diagnostic
    }
}

fn unless_empty<T>(list: Vec<T>) -> Option<Vec<T>> {
    (!list.is_empty()).then_some(list)
}

/// The message for a document with a lost change.
pub const IN_DOUBT: &str = "the editor sent a damaged message, so the server's text may differ from the editor's; \
                            close the file and open it again";

/// The only diagnostic of a document with a lost change.
pub fn in_doubt() -> lsp::Diagnostic {
    about_file(lsp::Range::default(), IN_DOUBT.to_owned())
}

/// Maximum number of diagnostics to send for a document. VS Code shows the same number for a file.
const MOST: usize = 1_000;

/// The diagnostics of a version and of its tests, if they have run. If there are more than [`MOST`], the most severe
/// ones are sent, and the last one reports the number of the others.
pub fn diagnostics(document: &Document) -> Vec<lsp::Diagnostic> {
    if document.in_doubt {
        return vec![in_doubt()];
    }
    if document.is_config() {
        let errors = document.environment.host.check_config(&document.uri, &document.text.text);
        return config_errors(&document.text, &errors);
    }
    let found = document.diagnostics();
    if found.len() <= MOST {
        return found.iter().map(|it| diagnostic(document, it)).collect();
    }
    let mut found: Vec<_> = found.iter().collect();
    // Among equally severe ones, the first in the text win.
    found.sort_by_key(|it| (it.severity, it.span.start));
    let left_out = found.split_off(MOST - 1);
    found.sort_by_key(|it| it.span);
    let mut sent: Vec<_> = found.iter().map(|it| diagnostic(document, it)).collect();
    sent.push(left_out_of(document, &left_out));
    sent
}

/// The diagnostic that reports the number of diagnostics that are not sent, at the first of them.
fn left_out_of(document: &Document, left_out: &[&Diagnostic]) -> lsp::Diagnostic {
    let errors = left_out.iter().filter(|it| it.is_error()).count();
    let first = left_out.iter().map(|it| it.span).min().unwrap_or_default();
    lsp::Diagnostic {
        range: range(&document.text, first),
        severity: Some(lsp::DiagnosticSeverity::Information),
        source: Some(SOURCE.to_owned()),
        message: lsp::Message::String(format!(
            "{} more diagnostics are not shown, {errors} of them errors; `psl check` shows all",
            left_out.len()
        )),
        ..lsp::Diagnostic::default()
    }
}

/// A diagnostic at the start of a program that cannot be read.
pub fn unreadable(why: &str) -> lsp::Diagnostic {
    about_file(lsp::Range::default(), format!("cannot read this file: {why}"))
}

/// The errors of a `psl.toml`, at their places, or at its start if it cannot be read.
pub fn config_diagnostics(problem: &ConfigProblem, encoding: Encoding) -> Vec<lsp::Diagnostic> {
    match &problem.text {
        Some(text) => config_errors(&EncodedText { text: text.clone(), encoding }, &problem.errors),
        None => problem.errors.iter().map(|error| unreadable(&error.message)).collect(),
    }
}

fn config_errors(text: &EncodedText, errors: &[ConfigError]) -> Vec<lsp::Diagnostic> {
    errors.iter().take(MOST).map(|error| about_file(range(text, error.span), error.message.clone())).collect()
}

fn about_file(range: lsp::Range, message: String) -> lsp::Diagnostic {
    lsp::Diagnostic {
        range,
        severity: Some(lsp::DiagnosticSeverity::Error),
        source: Some(SOURCE.to_owned()),
        message: message.into(),
        ..lsp::Diagnostic::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::document;

    #[test]
    fn a_compact_diagnostic_loses_nothing() {
        let twice = document("registers: {a: 's', a: 't'}\n");
        let unused = document(
            "registers: {symbol: 's', position: 'p'}\nconstants: {A, B}\nwhere symbol[N] == A:\n    symbol[N] = A\n",
        );
        let of = |document: &Document| -> Vec<_> {
            let found = document.diagnostics();
            found.iter().map(|it| diagnostic(document, it)).chain([unreadable("it is a test")]).collect()
        };
        assert!(of(&twice).iter().any(|it| it.related_information.is_some()));
        assert!(of(&unused).iter().any(|it| it.tags.is_some()));
        for document in [twice, unused] {
            for found in of(&document) {
                let compact = CompactDiagnostic::of(&found);
                assert_eq!(expanded(&document.uri, &compact, document.environment.host.as_ref()), found);
            }
        }
    }
}
