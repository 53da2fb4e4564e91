//! Files and time for a server in a separate process.

mod diagnostic_docs;
mod reference;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use psl_host::{Configs, check_config, read_prompt};
use psl_program::{Config, config::ConfigError};
use psl_syntax::{Code, glossary::Section};

use crate::{config_problem::UnusableConfig, host::Host, uri::Url};

/// Access to files and time.
pub struct Disk {
    start: Instant,
}

impl Disk {
    /// Creates the host of this process.
    pub fn new() -> Self {
        Self { start: Instant::now() }
    }
}

impl Default for Disk {
    fn default() -> Self {
        Self::new()
    }
}

/// The folder of a document's file, or `None` if it has no file.
fn folder(document: &Url) -> Option<PathBuf> {
    Some(document.to_file_path().ok()?.parent()?.to_owned())
}

/// The URI of a `psl.toml` in the folder of a document or above it, with the folder spelled as in the editor's URI:
/// some editors write `C:` as `c%3A`.
fn spelled_like(document: &Url, path: &Path, config: &Path) -> Option<Url> {
    let below = path.strip_prefix(config.parent()?).ok()?;
    let mut uri = document.clone();
    uri.set_fragment(None);
    let mut segments = uri.path_segments_mut().ok()?;
    for _ in below.components() {
        segments.pop();
    }
    segments.push(config.file_name()?.to_str()?);
    drop(segments);
    Some(uri)
}

impl Host for Disk {
    fn config(&self, document: &Url) -> Result<Arc<Config>, Arc<UnusableConfig>> {
        match document.to_file_path() {
            Ok(path) => match Configs::default().of(&path) {
                Ok(found) => Ok(Arc::clone(&found.config)),
                Err(problem) => {
                    let uri = spelled_like(document, &path, &problem.file);
                    let found = UnusableConfig::of_file(problem);
                    Err(if uri.is_some() { Arc::new(UnusableConfig { uri, ..found.as_ref().clone() }) } else { found })
                }
            },
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

    fn reference(&self, section: Section) -> Option<Url> {
        reference::link(section)
    }

    fn clock(&self) -> Duration {
        self.start.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_broken_psl_toml_has_the_uri_that_the_editor_has_for_its_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("c:/sub")).expect("a folder");
        fs::write(folder.path().join("c:/psl.toml"), "broken").expect("a file");
        let above = Url::from_directory_path(folder.path()).expect("a URI");
        for spelling in ["c%3A", "c:", "%63%3a"] {
            for program in ["a.psl", "sub/a.psl"] {
                let uri = |name: &str| Url::parse(&format!("{above}{spelling}/{name}")).expect("a URI");
                let problem = Disk::new().config(&uri(program)).expect_err("psl.toml is broken");
                assert_eq!(problem.uri, Some(uri("psl.toml")));
            }
        }
    }
}
