//! Why a `psl.toml` cannot be used.

use std::{fmt, sync::Arc};

use lsp_types::Url;
use psl_ide::config::ConfigError;

/// Why a `psl.toml` cannot be used. Its programs are as if there were none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigProblem {
    /// The `psl.toml`; nothing where no URI can name it.
    pub uri: Option<Url>,
    /// Its path, as shown to people.
    pub path: String,
    /// Its text; nothing where it cannot be read.
    pub text: Option<Arc<str>>,
    /// What is wrong, and where in the text.
    pub error: ConfigError,
}

/// On one line, with the path, and the place in the text.
impl fmt::Display for ConfigProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.text {
            Some(text) => out.write_str(&self.error.located(&self.path, text)),
            None => write!(out, "cannot read {}: {}", self.path, self.error.message),
        }
    }
}
