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
