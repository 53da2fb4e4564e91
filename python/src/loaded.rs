//! Programs in QKVL and weights, recognized by the extension of their file, and those of checkpoints.

use std::{
    ffi::OsStr,
    io::{self, BufReader, Read, Seek},
    path::Path,
    sync::Arc,
};

use psl_host::{open_regular, read_regular, without_mark};
use psl_program::{Config, File as ProgramFile};
use psl_runtime::{Executable, decompile, qkvl, weights::file};
use pyo3::prelude::*;
use serde_json::Value;

use super::errors;

/// The file of a checkpoint with the program that it was made from.
const MEANING: &str = "psl.json";

/// A program that is not a text.
pub struct Form {
    pub executable: Executable,
    /// The symbol that ends a continuation, if the program has one.
    pub stop: Option<String>,
}

impl Form {
    /// QKVL.
    ///
    /// # Errors
    ///
    /// A `psl.Error` for wrong content.
    pub fn qkvl(py: Python<'_>, bytes: &[u8], name: &str, stop: Option<String>) -> PyResult<Self> {
        let file = ProgramFile::from_bytes(bytes.to_vec(), Arc::default());
        let read = match file.not_utf8() {
            Some(why) => Err(why.message.clone()),
            None => qkvl::Program::from_json(without_mark(file.text())).map_err(|error| error.to_string()),
        };
        let program = read.map_err(|why| errors::error(py, &format!("{name}: {why}")))?;
        Ok(Self { executable: Executable::of_qkvl(program), stop })
    }

    /// Weights.
    ///
    /// # Errors
    ///
    /// A `psl.Error` for wrong content.
    pub fn weights(py: Python<'_>, mut from: impl Read + Seek + Send, name: &str) -> PyResult<Self> {
        let model = py.detach(|| file::read(&mut from).map_err(|error| error.to_string()));
        let model = model.map_err(|why| errors::error(py, &format!("{name}: {why}")))?;
        Ok(Self { executable: Executable::of_weights(model), stop: None })
    }
}

/// The program of a file in QKVL or weights, or of a checkpoint. `None` for another file.
///
/// # Errors
///
/// An `OSError` if it cannot be read, and a `psl.Error` for wrong content.
pub fn form(py: Python<'_>, path: &Path, name: &str, config: &Config) -> PyResult<Option<Form>> {
    let os_error = |name: &str, error: &io::Error| errors::os_error(name, error);
    if path.is_dir() {
        let path = path.join(MEANING);
        let name = path.display().to_string();
        let bytes = read_regular(&path, config.max_file_size()).map_err(|error| os_error(&name, &error))?;
        let meaning: Value =
            serde_json::from_slice(&bytes).map_err(|error| errors::error(py, &format!("{name}: {error}")))?;
        let (Some(program), Some(stop)) = (meaning.get("program"), meaning.get("stop").and_then(Value::as_str)) else {
            return Err(errors::error(py, &format!("{name}: `program` or `stop` is missing")));
        };
        return Form::qkvl(py, program.to_string().as_bytes(), &name, Some(stop.to_owned())).map(Some);
    }
    match path.extension().and_then(OsStr::to_str) {
        Some("json") => {
            let bytes = read_regular(path, config.max_file_size()).map_err(|error| os_error(name, &error))?;
            Form::qkvl(py, &bytes, name, None).map(Some)
        }
        Some("safetensors") => {
            let file = open_regular(path, u64::MAX).map_err(|error| os_error(name, &error))?;
            Form::weights(py, BufReader::new(file), name).map(Some)
        }
        _ => Ok(None),
    }
}

/// The PSL that a loaded program decompiles to.
///
/// # Errors
///
/// A `psl.Error` if no program has these weights.
pub fn text(py: Python<'_>, executable: &Executable, name: &str) -> PyResult<String> {
    decompile(executable.qkvl()).map_err(|error| errors::error(py, &format!("{name}: {error}")))
}
