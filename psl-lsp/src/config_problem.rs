//! The `psl.toml`s that cannot be used, as documents.

use std::sync::Arc;

use psl_program::config::ConfigProblem;

use crate::uri::Url;

/// A `psl.toml` that cannot be used, and its document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusableConfig {
    /// The URI, or `None` if the path has none.
    pub uri: Option<Url>,
    /// The problem.
    pub problem: Arc<ConfigProblem>,
}

#[cfg(feature = "native")]
impl UnusableConfig {
    /// The problem with the `psl.toml` of a program that an editor has not opened.
    pub fn of_file(problem: Arc<ConfigProblem>) -> Arc<Self> {
        Arc::new(Self { uri: Url::from_file_path(&problem.file).ok(), problem })
    }
}

/// Whether a document is a `psl.toml`.
pub fn is_config(uri: &Url) -> bool {
    uri.path().ends_with("/psl.toml")
}
