//! The diagnostics of a file, without the file.

use lsp_types::{Diagnostic, Url};

use crate::{
    compact_diagnostic::CompactDiagnostic, config_problem::ConfigProblem, document::Document, encoding::Encoding,
    host::Host, to_proto,
};

/// The diagnostics of a file.
#[derive(Clone)]
pub struct FileReport {
    /// A digest of them as they are sent.
    pub id: Box<str>,
    diagnostics: Box<[CompactDiagnostic]>,
}

impl FileReport {
    /// What is known to be wrong with a document.
    pub fn of(document: &Document) -> Self {
        Self::new(&to_proto::diagnostics(document))
    }

    /// That a program cannot be read, and why.
    pub fn unreadable(why: &str) -> Self {
        Self::new(&[to_proto::unreadable(why)])
    }

    /// What is wrong with a `psl.toml`.
    pub fn of_config(problem: &ConfigProblem, encoding: Encoding) -> Self {
        Self::new(&to_proto::config_diagnostics(problem, encoding))
    }

    fn new(diagnostics: &[Diagnostic]) -> Self {
        let id = to_proto::result_id(diagnostics).into();
        Self { id, diagnostics: diagnostics.iter().map(CompactDiagnostic::of).collect() }
    }

    /// The diagnostics of the file with this URI.
    pub fn diagnostics(&self, uri: &Url, host: &dyn Host) -> Vec<Diagnostic> {
        self.diagnostics.iter().map(|compact| to_proto::expanded(uri, compact, host)).collect()
    }
}
