//! The formats of a program, recognized by the file's extension.

use std::{ffi::OsStr, fs::File, io::BufReader, path::Path};

use psl_runtime::{
    qkvl,
    weights::file::{self, Model},
};

use super::program_file::read_text;
use crate::failure::Failure;

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
    /// Reads a file that is not PSL.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        Ok(match path.extension().and_then(OsStr::to_str) {
            Some("json") => {
                let program = qkvl::Program::from_json(&read_text(path)?);
                Self::Qkvl(Box::new(program.map_err(|error| Failure::content(path, error))?))
            }
            Some("safetensors") => {
                let mut file = BufReader::new(File::open(path).map_err(|error| Failure::reading(path, &error))?);
                Self::Weights(Box::new(file::read(&mut file).map_err(|error| Failure::content(path, error))?))
            }
            _ => Self::Psl,
        })
    }
}
