//! The source of the program, as the client names it.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::path_format::{PathFormat, canonical, path_of};

/// A source that a client names.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GivenSource {
    path: Option<String>,
    /// The number of a text of the session, or 0 for a file.
    #[serde(default)]
    source_reference: i64,
}

/// The source of the program.
pub struct Source {
    /// The file, or `None` if the program is a text alone.
    path: Option<PathBuf>,
    format: PathFormat,
}

impl Source {
    /// The source of the program with this path, which is empty for a text alone.
    pub fn new(path: PathBuf, format: PathFormat) -> Self {
        Self { path: (path != Path::new("")).then(|| canonical(path)), format }
    }

    /// The name of the program's file, without its folder.
    pub fn name(&self) -> String {
        let name = self.path.as_deref().and_then(Path::file_name);
        name.map_or("program.psl".to_owned(), |name| name.to_string_lossy().into_owned())
    }

    /// The source as the client shows it.
    pub fn value(&self) -> Value {
        match &self.path {
            Some(path) => json!({ "name": self.name(), "path": self.format.name(path) }),
            None => json!({ "name": self.name(), "sourceReference": 1 }),
        }
    }

    /// Whether a source that the client names is the program.
    pub fn is(&self, given: &GivenSource) -> bool {
        match (&given.path, &self.path) {
            _ if given.source_reference > 0 => true,
            (Some(given), Some(path)) => canonical(path_of(given)) == *path,
            _ => true,
        }
    }
}
