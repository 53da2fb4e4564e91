//! The reasons why a `psl.toml` cannot be used.

use std::{fmt, path::PathBuf};

use psl_syntax::SourceText;

use super::values::{ConfigError, located};

/// A `psl.toml` that cannot be used. Its programs have the default configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigProblem {
    /// The path, spelled like that of the programs' folder.
    pub file: PathBuf,
    /// The path, as shown to users.
    pub shown: String,
    /// The text, or `None` if it cannot be read.
    pub text: Option<SourceText>,
    /// The errors, at least one.
    pub errors: Vec<ConfigError>,
}

/// One line per error, with the path, the line and the column.
impl fmt::Display for ConfigProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unread = |error: &ConfigError| format!("cannot read {}: {}", self.shown, error.message);
        let lines: Vec<String> = match &self.text {
            Some(text) => located(&self.errors, &self.shown, text).collect(),
            None => self.errors.iter().map(unread).collect(),
        };
        out.write_str(&lines.join("\n"))
    }
}
