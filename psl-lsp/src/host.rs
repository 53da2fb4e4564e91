//! The server's host: a process with files, or a worker in a browser.

use std::{sync::Arc, time::Duration};

use psl_program::{Config, config::ConfigError};
use psl_syntax::{Code, glossary::Section};

use crate::{config_problem::UnusableConfig, uri::Url};

/// The services that a server needs from its host.
pub trait Host: Send + Sync {
    /// Returns the configuration of a document. A document without a file has the default configuration.
    ///
    /// # Errors
    ///
    /// Fails if its `psl.toml` cannot be used.
    fn config(&self, document: &Url) -> Result<Arc<Config>, Arc<UnusableConfig>>;

    /// Returns all errors in the text of a `psl.toml`, which may be open.
    fn check_config(&self, config: &Url, text: &str) -> Vec<ConfigError>;

    /// Reads a file by its path relative to a document's folder.
    ///
    /// # Errors
    ///
    /// Returns a message if it cannot be read.
    fn read(&self, document: &Url, path: &str) -> Result<String, String>;

    /// Resolves a path relative to a document's folder. `None` if there is no such file.
    fn locate(&self, document: &Url, path: &str) -> Option<Url>;

    /// Returns the URL of a diagnostic's documentation.
    fn diagnostic_docs(&self, code: Code) -> Option<Url>;

    /// Returns the URL of a section of the reference.
    fn reference(&self, section: Section) -> Option<Url>;

    /// The time since a fixed moment.
    fn clock(&self) -> Duration;
}
