//! What the server asks of the machine that it runs on: a process with files, or a worker in a browser.

use std::{sync::Arc, time::Duration};

use lsp_types::Url;
use psl_ide::{Config, config::ConfigError};
use psl_syntax::Code;

use crate::config_problem::ConfigProblem;

/// The machine that a server runs on.
pub trait Host: Send + Sync {
    /// What `psl.toml` says of a document; one that has no file is as if there were none.
    ///
    /// # Errors
    ///
    /// Its `psl.toml` cannot be used.
    fn config(&self, document: &Url) -> Result<Arc<Config>, Arc<ConfigProblem>>;

    /// All that is wrong with a `psl.toml`, open or not, with this text.
    fn check_config(&self, config: &Url, text: &str) -> Vec<ConfigError>;

    /// The content of a file, by its path relative to a document's folder.
    ///
    /// # Errors
    ///
    /// Why it cannot be read, in words.
    fn read(&self, document: &Url, path: &str) -> Result<String, String>;

    /// Where a path, relative to a document's folder, leads; nothing where there is no file.
    fn locate(&self, document: &Url, path: &str) -> Option<Url>;

    /// Where a diagnostic is documented.
    fn diagnostic_docs(&self, code: Code) -> Option<Url>;

    /// The time since some moment that never changes.
    fn clock(&self) -> Duration;
}
