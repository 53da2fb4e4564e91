//! One diagnostic, as it is published and as it is asked for.

use lsp_types as lsp;
use psl_syntax::{Code, Diagnostic, Severity};

use super::places::{location, range};
use crate::document::Document;

/// A diagnostic, with a link to its documentation.
pub fn diagnostic(document: &Document, diagnostic: &Diagnostic) -> lsp::Diagnostic {
    let entry = diagnostic.code.entry();
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
        code: Some(lsp::NumberOrString::String(entry.name.to_owned())),
        code_description: docs.map(|href| lsp::CodeDescription { href }),
        source: Some("psl".to_owned()),
        message: message_and_help(diagnostic),
        related_information: (!related.is_empty()).then_some(related),
        tags: is_unnecessary(diagnostic.code).then(|| vec![lsp::DiagnosticTag::UNNECESSARY]),
        ..lsp::Diagnostic::default()
    }
}

fn message_and_help(diagnostic: &Diagnostic) -> String {
    match &diagnostic.help {
        Some(help) => format!("{}\nhelp: {help}", diagnostic.message),
        None => diagnostic.message.clone(),
    }
}

/// Whether the text at such a diagnostic could be left out: editors fade it.
fn is_unnecessary(code: Code) -> bool {
    matches!(
        code,
        Code::UnusedRegister
            | Code::UnusedConstant
            | Code::NeverRead
            | Code::DeadAssignment
            | Code::DuplicateProduction
            | Code::UnusedAllow
    )
}
