//! The formats of a program, recognized by the file's extension.

use std::{ffi::OsStr, fmt::Display, fs::File, io::BufReader, path::Path};

use psl_runtime::{
    qkvl,
    weights::file::{self, Model},
};

use super::{paths::name, program_file::read_text};
use crate::{failure::Failure, output::stdio::say};

/// The format of a program, with its content unless it is PSL.
pub enum FileFormat {
    /// PSL, for any other extension. It is not read yet.
    Psl,
    /// QKVL, in `.json`.
    Qkvl(Box<qkvl::Program>),
    /// Weights, in `.safetensors`.
    Weights(Box<Model>),
}

impl FileFormat {
    /// Reads a file that is not PSL. Returns `None` if its content is invalid, after printing the reason on standard error.
    pub fn read(path: &Path) -> Result<Option<Self>, Failure> {
        Ok(match path.extension().and_then(OsStr::to_str) {
            Some("json") => {
                let program =
                    accepted(path, read_text(path)?).and_then(|text| accepted(path, qkvl::Program::from_json(&text)));
                program.map(|program| Self::Qkvl(Box::new(program)))
            }
            Some("safetensors") => {
                let mut file = BufReader::new(File::open(path).map_err(|error| Failure::reading(path, &error))?);
                accepted(path, file::read(&mut file)).map(|model| Self::Weights(Box::new(model)))
            }
            _ => Some(Self::Psl),
        })
    }
}

/// Returns the value, or prints the error on standard error and returns `None`.
pub fn accepted<T>(path: &Path, found: Result<T, impl Display>) -> Option<T> {
    found.map_err(|error| say(format_args!("error: {}: {error}", name(path)))).ok()
}
