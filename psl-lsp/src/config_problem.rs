//! The reasons why a `psl.toml` cannot be used.

use std::{fmt, sync::Arc};

use lsp_types::Url;
use psl_ide::config::{ConfigError, located};

/// A `psl.toml` that cannot be used. Its programs have the default configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigProblem {
    /// The URI of the `psl.toml`, or `None` if its path has no URI.
    pub uri: Option<Url>,
    /// The path, as shown to users.
    pub path: String,
    /// The text, or `None` if it cannot be read.
    pub text: Option<Arc<str>>,
    /// The errors and their places in the text; at least one.
    pub errors: Vec<ConfigError>,
}

/// Whether a document is a `psl.toml`.
pub fn is_config(uri: &Url) -> bool {
    uri.path().ends_with("/psl.toml")
}

/// One line per error, with the path and the place in the text.
impl fmt::Display for ConfigProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unread = |error: &ConfigError| format!("cannot read {}: {}", self.path, error.message);
        let lines: Vec<String> = match &self.text {
            Some(text) => located(&self.errors, &self.path, text).collect(),
            None => self.errors.iter().map(unread).collect(),
        };
        out.write_str(&lines.join("\n"))
    }
}
