//! Answers as dataclasses, which Python defines.

use std::slice;

use psl_program::File;
use psl_render::{Terminal, human};
use psl_syntax::{Diagnostic, line_index::Point};
use pyo3::{call::PyCallArgs, prelude::*};

/// An object of a class of the package.
pub fn object<'py>(py: Python<'py>, class: &str, fields: impl PyCallArgs<'py>) -> PyResult<Bound<'py, PyAny>> {
    py.import("psl")?.getattr(class)?.call1(fields)
}

/// Diagnostics as `psl check` draws them, in a width of 100 columns.
pub fn report(name: &str, file: &File, found: &[Diagnostic]) -> String {
    let mut text = Vec::new();
    // A vector can always be written to.
    human(&mut text, name, file, found, Terminal::PLAIN).ok();
    String::from_utf8_lossy(&text).into_owned()
}

/// The diagnostics of a file. `name` is its name in their reports.
pub fn diagnostics<'py>(py: Python<'py>, name: &str, file: &File, found: &[Diagnostic]) -> PyResult<Bound<'py, PyAny>> {
    let lines = file.line_index();
    let diagnostic = |it: &Diagnostic| {
        let Point { line, column } = lines.point(it.span.start);
        let end = lines.point(it.span.end);
        let (severity, code) = (it.severity.as_str(), it.code.as_str());
        let report = report(name, file, slice::from_ref(it));
        let fields = (line, column, end.line, end.column, severity, code, &it.message, &it.help, report.trim_end());
        object(py, "Diagnostic", fields)
    };
    let diagnostics = found.iter().map(diagnostic).collect::<PyResult<Vec<_>>>()?;
    object(py, "Diagnostics", (diagnostics,))
}
