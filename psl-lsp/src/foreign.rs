//! Programs in other forms than PSL, told by their file's ending: `.json` is QKVL, `.safetensors` weights.

use std::{ffi::OsStr, fs::File, io::BufReader, path::Path};

use psl_runtime::{
    qkvl,
    weights::file::{self, Model},
};

use crate::source::Failure;

/// What a file of another form holds.
pub enum Foreign {
    /// QKVL.
    Qkvl(qkvl::Program),
    /// Weights.
    Weights(Box<Model>),
}

/// Reads such a file; none for PSL. What is wrong with its content is reported on standard error.
pub fn read(path: &Path) -> Result<Option<Option<Foreign>>, Failure> {
    let unreadable = |error| Failure::Message(format!("cannot read {}: {error}", path.display()));
    let found = match path.extension().and_then(OsStr::to_str) {
        Some("json") => {
            let bytes = std::fs::read(path).map_err(unreadable)?;
            qkvl::Program::from_json(&String::from_utf8_lossy(&bytes)).map(Foreign::Qkvl)
        }
        Some("safetensors") => {
            let mut file = BufReader::new(File::open(path).map_err(unreadable)?);
            file::read(&mut file).map(|model| Foreign::Weights(Box::new(model)))
        }
        _ => return Ok(None),
    };
    Ok(Some(accepted(path, found)))
}

/// What was found; where it was not, the reason goes to standard error.
pub fn accepted<T>(path: &Path, found: Result<T, impl std::fmt::Display>) -> Option<T> {
    found.map_err(|error| eprintln!("error: {}: {error}", path.display())).ok()
}
