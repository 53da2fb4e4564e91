//! Code actions: the fixes of diagnostics.

use psl_syntax::{Diagnostic, Span, diagnostic::Fix};

use crate::server::{diagnostics::diagnostics, documents::Snapshot};

/// The diagnostics that touch the span, each with one of its fixes.
pub fn fixes(snapshot: &Snapshot, span: Span) -> Vec<(Diagnostic, Fix)> {
    diagnostics(snapshot)
        .into_iter()
        .filter(|found| found.span.start <= span.end && span.start <= found.span.end)
        .flat_map(|found| found.fixes.clone().into_iter().map(move |fix| (found.clone(), fix)))
        .collect()
}
