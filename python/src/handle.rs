//! The class `Program` as data, which other modules hold.

use std::{path::PathBuf, sync::Arc};

use psl_program::{File, Runner};
use psl_runtime::{Executable, Options};
use pyo3::prelude::*;

/// A program that compiles.
///
/// `name` is the name of the text in messages.
///
/// Raises `psl.ProgramError` if the text has errors, and `ValueError` if it is larger than 16 MiB.
/// Programs are equal if their texts, their `psl.toml` and what they were loaded from are equal. Names and paths do not
/// count.
#[pyclass(frozen, module = "psl")]
#[derive(Clone)]
pub struct Program {
    pub file: Arc<File>,
    pub name: String,
    /// The file that it was loaded from.
    pub path: Option<PathBuf>,
    /// QKVL or weights that were loaded, which run instead of the text.
    pub loaded: Option<Arc<Runner>>,
}

impl Program {
    /// Whether the texts, the configurations and what the programs were loaded from are equal.
    pub fn equals(&self, other: &Self) -> bool {
        let is_same = |one: &Runner, other: &Runner| {
            let [one, other] = [one, other].map(|runner| (runner.executable(), runner.options(&Options::default())));
            let model = |executable: &Executable| executable.model().map(|model| format!("{model:?}"));
            one.1 == other.1 && one.0.qkvl() == other.0.qkvl() && model(one.0) == model(other.0)
        };
        let are_loaded = match (&self.loaded, &other.loaded) {
            (None, None) => true,
            (Some(one), Some(other)) => Arc::ptr_eq(one, other) || is_same(one, other),
            _ => false,
        };
        let is_same_text = Arc::ptr_eq(&self.file, &other.file)
            || (self.file.text() == other.file.text() && self.file.config() == other.file.config());
        is_same_text && are_loaded
    }

    pub fn runner(&self) -> &Runner {
        self.loaded.as_deref().unwrap_or_else(|| self.file.compiled())
    }
}
