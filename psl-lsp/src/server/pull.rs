//! Diagnostics that the client asks for.

use std::hash::{DefaultHasher, Hash, Hasher};

use tower_lsp::lsp_types as lsp;

use crate::server::{documents::Snapshot, publisher};

/// The diagnostics of a version, or that they are those which the client has: a result's id is a digest of it.
pub fn report(snapshot: &Snapshot, previous: Option<&str>) -> lsp::DocumentDiagnosticReportKind {
    let items = publisher::of(snapshot);
    let result_id = digest(&items);
    if previous == Some(result_id.as_str()) {
        return lsp::UnchangedDocumentDiagnosticReport { result_id }.into();
    }
    lsp::FullDocumentDiagnosticReport { result_id: Some(result_id), items }.into()
}

/// The same for a document, as an answer.
pub fn of_document(snapshot: &Snapshot, previous: Option<&str>) -> lsp::DocumentDiagnosticReport {
    match report(snapshot, previous) {
        lsp::DocumentDiagnosticReportKind::Full(full) => {
            lsp::RelatedFullDocumentDiagnosticReport { related_documents: None, full_document_diagnostic_report: full }
                .into()
        }
        lsp::DocumentDiagnosticReportKind::Unchanged(unchanged) => lsp::RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: unchanged,
        }
        .into(),
    }
}

/// The same for a file of the workspace.
pub fn of_file(snapshot: &Snapshot, previous: Option<&str>) -> lsp::WorkspaceDocumentDiagnosticReport {
    let (uri, version) = (snapshot.uri.clone(), snapshot.version.map(i64::from));
    match report(snapshot, previous) {
        lsp::DocumentDiagnosticReportKind::Full(full) => {
            lsp::WorkspaceFullDocumentDiagnosticReport { uri, version, full_document_diagnostic_report: full }.into()
        }
        lsp::DocumentDiagnosticReportKind::Unchanged(unchanged) => lsp::WorkspaceUnchangedDocumentDiagnosticReport {
            uri,
            version,
            unchanged_document_diagnostic_report: unchanged,
        }
        .into(),
    }
}

fn digest(items: &[lsp::Diagnostic]) -> String {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(items).ok().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
