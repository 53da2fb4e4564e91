//! Programs in QKVL and weights, recognized by the extension of their file.

use std::{ffi::OsStr, fmt::Display, io::BufReader, path::Path, sync::Arc};

use psl_host::{open_regular, read_regular, without_mark};
use psl_program::{Config, File as ProgramFile};
use psl_runtime::{Executable, decompile, qkvl, weights::file};
use pyo3::prelude::*;

use super::errors;

/// The program of a file in QKVL or weights. `None` for another file.
///
/// # Errors
///
/// An `OSError` if it cannot be read, and a `psl.Error` for wrong content.
pub fn executable(py: Python<'_>, path: &Path, name: &str, config: &Arc<Config>) -> PyResult<Option<Executable>> {
    let refused = |error: &dyn Display| errors::error(py, &format!("{name}: {error}"));
    Ok(match path.extension().and_then(OsStr::to_str) {
        Some("json") => {
            let bytes = read_regular(path, config.max_file_size()).map_err(|error| errors::os_error(name, &error))?;
            let file = ProgramFile::from_bytes(bytes, Arc::clone(config));
            if let Some(why) = file.not_utf8() {
                return Err(refused(&why.message));
            }
            let program = qkvl::Program::from_json(without_mark(file.text())).map_err(|error| refused(&error))?;
            Some(Executable::of_qkvl(program))
        }
        Some("safetensors") => {
            let file = open_regular(path, u64::MAX).map_err(|error| errors::os_error(name, &error))?;
            let model = py.detach(|| file::read(&mut BufReader::new(file))).map_err(|error| refused(&error))?;
            Some(Executable::of_weights(model))
        }
        _ => None,
    })
}

/// The PSL that a loaded program decompiles to.
///
/// # Errors
///
/// A `psl.Error` if no program has these weights.
pub fn text(py: Python<'_>, executable: &Executable, name: &str) -> PyResult<String> {
    decompile(executable.qkvl()).map_err(|error| errors::error(py, &format!("{name}: {error}")))
}
