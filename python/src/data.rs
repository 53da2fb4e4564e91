//! Answers as dataclasses, which Python defines.

use psl_program::{File, line_index::Point};
use psl_syntax::Diagnostic;
use pyo3::{call::PyCallArgs, prelude::*};

/// An object of a class of `psl.data`.
pub fn object<'py>(py: Python<'py>, class: &str, fields: impl PyCallArgs<'py>) -> PyResult<Bound<'py, PyAny>> {
    py.import("psl.data")?.getattr(class)?.call1(fields)
}

/// The diagnostics of a file.
pub fn diagnostics<'py>(py: Python<'py>, file: &File, found: &[Diagnostic]) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let lines = file.line_index();
    let diagnostic = |it: &Diagnostic| {
        let Point { line, column } = lines.point(it.span.start);
        let end = lines.point(it.span.end);
        let (severity, code) = (it.severity.as_str(), it.code.as_str());
        let fields = (line, column, end.line, end.column, severity, code, &it.message, &it.help);
        object(py, "Diagnostic", fields)
    };
    found.iter().map(diagnostic).collect()
}
