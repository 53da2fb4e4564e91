//! Refusals as exceptions, which Python defines.

use std::io;

use psl_program::{File, RunFailure};
use psl_syntax::Diagnostic;
use pyo3::{call::PyCallArgs, prelude::*};

use super::data;

/// An exception of `psl.errors`.
fn exception<'py>(py: Python<'py>, class: &str, arguments: impl PyCallArgs<'py>) -> PyErr {
    let made = py.import("psl.errors").and_then(|errors| errors.getattr(class)?.call1(arguments));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// A refusal without a place.
pub fn error(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "Error", (message,))
}

/// The exception for a program that does not compile, with its errors.
pub fn program_error(py: Python<'_>, name: &str, file: &File, errors: &[Diagnostic]) -> PyErr {
    let diagnostics = match data::diagnostics(py, file, errors) {
        Ok(diagnostics) => diagnostics,
        Err(error) => return error,
    };
    let mut message = format!("{name} does not compile");
    for diagnostic in &diagnostics {
        message.push('\n');
        message.push_str(&diagnostic.to_string());
    }
    exception(py, "ProgramError", (message, diagnostics))
}

/// The exception for a run that failed, with the place of the repeat block that causes it.
pub fn run_error(py: Python<'_>, file: &File, failure: &RunFailure) -> PyErr {
    let block = file.compiled().block(failure);
    let point = block.map(|span| file.line_index().point(span.start));
    exception(py, "RunError", (&failure.message, point.map(|point| point.line), point.map(|point| point.column)))
}

/// The exception for a file that cannot be read. It names the file.
pub fn os_error(name: &str, error: &io::Error) -> PyErr {
    io::Error::new(error.kind(), format!("cannot read {name}: {error}")).into()
}
