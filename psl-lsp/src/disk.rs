//! The machine of a server that runs in a process of its own: files, and the time.

mod bounded;
mod configs;
mod diagnostic_docs;
mod search;
mod stamp;
mod test_prompt;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

pub use bounded::{read, read_at_most, read_regular};
use configs::check_config;
pub use configs::{Configs, FolderConfig};
use lsp_types::Url;
use psl_ide::{Config, config::ConfigError};
use psl_syntax::Code;
pub use search::{Found, FoundFile, expand};
pub use stamp::Stamp;
pub use test_prompt::read_prompt;

use crate::{config_problem::ConfigProblem, host::Host};

/// Files, and the time.
pub struct Disk {
    start: Instant,
}

impl Disk {
    /// The machine that this process runs on.
    pub fn new() -> Self {
        Self { start: Instant::now() }
    }
}

impl Default for Disk {
    fn default() -> Self {
        Self::new()
    }
}

/// The folder that a document's file is in, if it has one.
fn folder(document: &Url) -> Option<PathBuf> {
    Some(document.to_file_path().ok()?.parent()?.to_owned())
}

impl Host for Disk {
    fn config(&self, document: &Url) -> Result<Arc<Config>, Arc<ConfigProblem>> {
        match document.to_file_path() {
            Ok(path) => Ok(Arc::clone(&Configs::default().of(&path)?.config)),
            Err(()) => Ok(Arc::default()),
        }
    }

    fn check_config(&self, config: &Url, text: &str) -> Vec<ConfigError> {
        check_config(text, &folder(config).unwrap_or_default())
    }

    fn read(&self, document: &Url, path: &str) -> Result<String, String> {
        read_prompt(folder(document).as_deref(), path)
    }

    fn locate(&self, document: &Url, path: &str) -> Option<Url> {
        let path = folder(document)?.join(Path::new(path));
        path.is_file().then(|| Url::from_file_path(path).ok()).flatten()
    }

    fn diagnostic_docs(&self, code: Code) -> Option<Url> {
        diagnostic_docs::link(code)
    }

    fn clock(&self) -> Duration {
        self.start.elapsed()
    }
}
