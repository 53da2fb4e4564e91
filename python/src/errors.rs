//! Refusals as exceptions, which Python defines.

use std::io;

use psl_program::{File, RunFailure, count};
use psl_syntax::Diagnostic;
use pyo3::{call::PyCallArgs, prelude::*};

use super::data;

/// The errors that a message draws. Further ones are counted.
const SHOWN: usize = 20;

/// An exception of `psl.errors`.
fn exception<'py>(py: Python<'py>, class: &str, arguments: impl PyCallArgs<'py>) -> PyErr {
    let made = py.import("psl.errors").and_then(|errors| errors.getattr(class)?.call1(arguments));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// A refusal without a place.
pub fn error(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "Error", (message,))
}

/// A refusal at a line, 1-based.
pub fn error_at(py: Python<'_>, message: &str, line: Option<usize>) -> PyErr {
    exception(py, "Error", (message, line))
}

/// The exception for a program that does not compile, with its errors as `psl check` draws them.
pub fn program_error(py: Python<'_>, name: &str, file: &File, errors: &[Diagnostic]) -> PyErr {
    let shown = errors.get(..SHOWN).unwrap_or(errors);
    let (report, more) = (data::report(name, file, shown), errors.len() - shown.len());
    let rest =
        if more > 0 { format!("\n\nand {}: `diagnostics` has all", count(more, "more error")) } else { String::new() };
    let message = format!("{name} does not compile\n\n{}{rest}", report.trim_end());
    match data::diagnostics(py, name, file, errors) {
        Ok(diagnostics) => exception(py, "ProgramError", (message, diagnostics)),
        Err(error) => error,
    }
}

/// The exception for a run that failed without a place.
pub fn run_refusal(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "RunError", (message,))
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
