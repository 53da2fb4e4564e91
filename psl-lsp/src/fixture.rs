//! Sessions and documents for tests.

#![allow(clippy::expect_used, reason = "a test may fail by panic")]

use std::{sync::Arc, time::Duration};

use psl_program::{Config, config::ConfigError};
use psl_syntax::{Code, glossary::Section};

use crate::{config_problem::UnusableConfig, document::Document, host::Host, session::Session, uri::Url};

/// A host without files.
struct NoFiles;

impl Host for NoFiles {
    fn config(&self, _: &Url) -> Result<Arc<Config>, Arc<UnusableConfig>> {
        Ok(Arc::default())
    }

    fn check_config(&self, _: &Url, text: &str) -> Vec<ConfigError> {
        Config::parse(text).err().unwrap_or_default()
    }

    fn read(&self, _: &Url, _: &str) -> Result<String, String> {
        Err("there are no files here".to_owned())
    }

    fn locate(&self, _: &Url, _: &str) -> Option<Url> {
        None
    }

    fn diagnostic_docs(&self, _: Code) -> Option<Url> {
        None
    }

    fn reference(&self, _: Section) -> Option<Url> {
        None
    }

    fn clock(&self) -> Duration {
        Duration::ZERO
    }
}

/// Creates a session without open documents.
pub fn session() -> Session {
    Session::new(Arc::new(NoFiles))
}

/// Creates a document with this text.
pub fn document(text: &str) -> Arc<Document> {
    session().open(Url::parse("untitled:1").expect("a URI"), 1, text).new
}
