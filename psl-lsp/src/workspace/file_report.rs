//! The diagnostics of a file, without the file.

use lsp_types::Diagnostic;

use crate::{config_problem::ConfigProblem, document::Document, encoding::Encoding, to_proto};

/// The diagnostics of a file, as they are sent.
#[derive(Clone)]
pub struct FileReport {
    /// A digest of them.
    pub id: Box<str>,
    /// The diagnostics in JSON, many times smaller than as values.
    json: Box<str>,
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
        Self::new(&[to_proto::config_diagnostic(problem, encoding)])
    }

    fn new(diagnostics: &[Diagnostic]) -> Self {
        let json = serde_json::to_string(diagnostics).unwrap_or_default();
        Self { id: to_proto::result_id(diagnostics).into(), json: json.into() }
    }

    /// How much there is to send, in bytes.
    pub fn size(&self) -> usize {
        self.json.len()
    }

    /// The diagnostics.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        // We have written it.
        serde_json::from_str(&self.json).unwrap_or_default()
    }
}
