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
    /// What is wrong, and where in the text; at least one thing.
    pub errors: Vec<ConfigError>,
}

/// Whether a document is a `psl.toml`.
pub fn is_config(uri: &Url) -> bool {
    uri.path().ends_with("/psl.toml")
}

/// A line for each thing that is wrong, with the path, and the place in the text.
impl fmt::Display for ConfigProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.errors.iter().enumerate() {
            let line_end = if index > 0 { "\n" } else { "" };
            match &self.text {
                Some(text) => write!(out, "{line_end}{}", error.located(&self.path, text))?,
                None => write!(out, "{line_end}cannot read {}: {}", self.path, error.message)?,
            }
        }
        Ok(())
    }
}
