//! A program as Jupyter shows it, as data: `psl.html` writes the HTML.

use psl_ide::semantic_tokens;
use psl_program::diagnostics;
use psl_syntax::Span;
use pyo3::prelude::*;

use super::{data, handle::Program};

/// Returns the text in pieces, each with the type of its semantic token, or `None`.
#[pyfunction]
pub fn pieces(program: &Program) -> Vec<(String, Option<&'static str>)> {
    let (text, mut end, mut pieces) = (program.file.text(), 0, Vec::new());
    let whole = Span::new(0, text.len() as u32);
    let plain = |start, end, pieces: &mut Vec<_>| {
        if start < end {
            pieces.push((Span::new(start, end).of(text).to_owned(), None));
        }
    };
    for token in semantic_tokens(&program.file, whole) {
        plain(end, token.span.start, &mut pieces);
        pieces.push((token.span.of(text).to_owned(), Some(token.kind.name())));
        end = token.span.end;
    }
    plain(end, whole.end, &mut pieces);
    pieces
}

/// Returns the diagnostics that need no run of the tests.
#[pyfunction]
pub fn static_diagnostics<'py>(py: Python<'py>, program: &Program) -> PyResult<Bound<'py, PyAny>> {
    data::diagnostics(py, &program.name, &program.file, &diagnostics(&program.file, None))
}

/// Returns the names of the tests that have one.
#[pyfunction]
pub fn test_names(program: &Program) -> Vec<String> {
    program.file.program().tests.iter().filter_map(|test| test.name.clone()).collect()
}
