//! One diagnostic, as it is published and as it is asked for.

use lsp_types as lsp;
use psl_syntax::{Diagnostic, Severity};

use super::places::{location, range};
use crate::{
    config_problem::ConfigProblem,
    document::Document,
    encoding::{EncodedText, Encoding},
};

/// Whose diagnostics they are.
const SOURCE: &str = "psl";

/// A diagnostic, with a link to its documentation.
pub fn diagnostic(document: &Document, diagnostic: &Diagnostic) -> lsp::Diagnostic {
    let related: Vec<_> = diagnostic
        .labels
        .iter()
        .map(|label| lsp::DiagnosticRelatedInformation {
            location: location(document, label.span),
            message: label.message.clone(),
        })
        .collect();
    let docs = document.environment.host.diagnostic_docs(diagnostic.code);
    lsp::Diagnostic {
        range: range(&document.text, diagnostic.span),
        severity: Some(match diagnostic.severity {
            Severity::Error => lsp::DiagnosticSeverity::ERROR,
            Severity::Warning => lsp::DiagnosticSeverity::WARNING,
            Severity::Info => lsp::DiagnosticSeverity::INFORMATION,
            Severity::Hint => lsp::DiagnosticSeverity::HINT,
        }),
        code: Some(lsp::NumberOrString::String(diagnostic.code.as_str().to_owned())),
        code_description: docs.map(|href| lsp::CodeDescription { href }),
        source: Some(SOURCE.to_owned()),
        message: diagnostic.message_and_help(),
        related_information: (!related.is_empty()).then_some(related),
        tags: diagnostic.code.is_unnecessary().then(|| vec![lsp::DiagnosticTag::UNNECESSARY]),
        ..lsp::Diagnostic::default()
    }
}

/// What is said of a document of which a change was lost.
pub const IN_DOUBT: &str = "a message from the editor arrived damaged, so the server's text may differ from what the editor shows; \
                            close the file and open it again";

/// The only diagnostic of a document of which a change was lost.
pub fn in_doubt() -> lsp::Diagnostic {
    about_file(lsp::Range::default(), IN_DOUBT.to_owned())
}

/// As many diagnostics of a document are sent; VS Code shows as many of a file.
const MOST: usize = 1_000;

/// The diagnostics of a version, as far as its tests have run. Where there are more than [`MOST`], the worst are there, and a
/// last one says how many are not.
pub fn diagnostics(document: &Document) -> Vec<lsp::Diagnostic> {
    if document.in_doubt {
        return vec![in_doubt()];
    }
    let mut found = psl_ide::diagnostics(document.file(), document.report());
    let more = found.len().saturating_sub(MOST);
    if more == 0 {
        return found.iter().map(|it| diagnostic(document, it)).collect();
    }
    // Among those that are equally bad the first in the text.
    found.sort_by_key(|it| (it.severity, it.span.start));
    let left_out = found.split_off(MOST - 1);
    found.sort_by_key(|it| it.span);
    let mut sent: Vec<_> = found.iter().map(|it| diagnostic(document, it)).collect();
    sent.push(left_out_of(document, &left_out));
    sent
}

/// Says how many diagnostics are not sent, where the first of them is.
fn left_out_of(document: &Document, left_out: &[Diagnostic]) -> lsp::Diagnostic {
    let errors = left_out.iter().filter(|it| it.is_error()).count();
    let first = left_out.iter().map(|it| it.span).min().unwrap_or_default();
    lsp::Diagnostic {
        range: range(&document.text, first),
        severity: Some(lsp::DiagnosticSeverity::INFORMATION),
        source: Some(SOURCE.to_owned()),
        message: format!(
            "{} more diagnostics, {errors} of them errors, are not shown, the first of them here; `psl check` lists them all",
            left_out.len()
        ),
        ..lsp::Diagnostic::default()
    }
}

/// That a program cannot be read, at its start.
pub fn unreadable(why: &str) -> lsp::Diagnostic {
    about_file(lsp::Range::default(), format!("cannot read this file: {why}"))
}

/// What is wrong with a `psl.toml`: there, or at its start where it cannot be read.
pub fn config_diagnostic(problem: &ConfigProblem, encoding: Encoding) -> lsp::Diagnostic {
    match &problem.text {
        Some(text) => {
            about_file(range(&EncodedText::new(text, encoding), problem.error.span), problem.error.message.clone())
        }
        None => unreadable(&problem.error.message),
    }
}

fn about_file(range: lsp::Range, message: String) -> lsp::Diagnostic {
    lsp::Diagnostic {
        range,
        severity: Some(lsp::DiagnosticSeverity::ERROR),
        source: Some(SOURCE.to_owned()),
        message,
        ..lsp::Diagnostic::default()
    }
}
