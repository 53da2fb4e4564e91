//! A page as the server's host: a clock, and no files.
#![allow(unsafe_code, reason = "the page provides the clock")]

use std::{sync::Arc, time::Duration};

use psl_program::{Config, config::ConfigError};
use psl_syntax::{Code, glossary::Section};

use crate::{config_problem::UnusableConfig, host::Host, uri::Url};

#[link(wasm_import_module = "page")]
// SAFETY: a worker that creates an instance provides this function, which only returns a number.
unsafe extern "C" {
    /// The time since a fixed moment, in milliseconds.
    safe fn now() -> f64;
}

/// A page.
pub struct Page;

impl Host for Page {
    fn config(&self, _: &Url) -> Result<Arc<Config>, Arc<UnusableConfig>> {
        Ok(Arc::default())
    }

    fn check_config(&self, _: &Url, text: &str) -> Vec<ConfigError> {
        Config::parse(text).err().unwrap_or_default()
    }

    fn read(&self, _: &Url, path: &str) -> Result<String, String> {
        Err(format!("cannot read {path}: a page has no files, so write the prompt into the test"))
    }

    fn locate(&self, _: &Url, _: &str) -> Option<Url> {
        None
    }

    fn diagnostic_docs(&self, code: Code) -> Option<Url> {
        // The page shows it.
        Url::parse(&format!("psl:/explain/{}", code.as_str())).ok()
    }

    fn reference(&self, section: Section) -> Option<Url> {
        let mut url = Url::parse(&format!("psl:/reference/{}", section.page)).ok()?;
        url.set_fragment(Some(section.title));
        Some(url)
    }

    fn clock(&self) -> Duration {
        Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default()
    }
}
