//! The diagnostics of a file, without its text.

use gen_lsp_types::Diagnostic;
use psl_program::config::ConfigProblem;
use psl_syntax::line_index::Encoding;

use crate::{compact_diagnostic::CompactDiagnostic, document::Document, host::Host, to_proto, uri::Url};

/// The diagnostics of a file.
#[derive(Clone)]
pub struct FileReport {
    /// A digest of the diagnostics as they are sent.
    pub id: Box<str>,
    diagnostics: Box<[CompactDiagnostic]>,
}

impl FileReport {
    /// Creates the report of a document.
    pub fn of(document: &Document) -> Self {
        Self::new(&to_proto::diagnostics(document))
    }

    /// Creates the report of a program that cannot be read.
    pub fn unreadable(why: &str) -> Self {
        Self::new(&[to_proto::unreadable(why)])
    }

    /// Creates the report of a `psl.toml`.
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
