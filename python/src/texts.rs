//! Functions of texts, which need not compile: check, fmt, fix, import and explain.

use std::sync::{Arc, atomic::AtomicBool};

use psl_program::{Config, File, TestReport, run_test};
use psl_syntax::{Diagnostic, Fixed};
use psl_tasks::import::{self, Examples, TestLines};
use pyo3::{exceptions::PyValueError, prelude::*};
use rayon::prelude::*;

use super::{data, errors, pool::interruptible};

/// The name of a text in messages.
const NAME: &str = "<text>";

/// Returns all diagnostics of a text, which need not compile, as `psl check` does. Runs the tests if it compiles.
#[pyfunction]
pub fn check<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let file = Arc::new(file(text));
    let found = diagnosed(py, Arc::clone(&file))?;
    data::diagnostics(py, NAME, &file, &found)
}

/// Returns a text as `psl fmt` formats it.
///
/// Raises `psl.ProgramError` for an error of syntax.
#[pyfunction]
pub fn fmt(py: Python<'_>, text: &str) -> PyResult<String> {
    formatted(py, NAME, &Arc::new(file(text)))
}

/// Returns a text with the safe fixes, as `psl check --fix` does. The text need not compile.
#[pyfunction]
pub fn fix(py: Python<'_>, text: &str) -> PyResult<String> {
    let (cancelled, text) = (Arc::new(AtomicBool::new(false)), text.to_owned());
    let flag = Arc::clone(&cancelled);
    let fixed = interruptible(py, &cancelled, move || psl_syntax::fix(&text, |text| diagnose(&file(text), &flag)))?;
    let Fixed { text, .. } = fixed;
    Ok(text)
}

/// Turns a program of the reference implementation into PSL, with its examples in YAML as tests, as `psl import` does.
///
/// Raises `psl.ProgramError` if the program has errors, and `psl.Error` if the examples have.
#[pyfunction]
#[pyo3(signature = (program, examples = None))]
pub fn import_<'py>(py: Python<'py>, program: &str, examples: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
    let text = psl_host::without_mark(program).to_owned();
    let (file, found) = interruptible(py, &AtomicBool::new(false), move || {
        let file = file(&text);
        let found = file.errors();
        (file, found)
    })?;
    if !found.is_empty() {
        return Err(errors::program_error(py, NAME, &file, &import::with_readings(&file, found)));
    }
    let examples = examples.map(Examples::parse).transpose();
    let examples = examples.map_err(|error| errors::error(py, &error.to_string()))?.unwrap_or_default();
    let tests = TestLines::new(&examples, &file);
    data::object(py, "Imported", (import::text(&file, &tests), tests.notes))
}

/// Explains a diagnostic's code, a word of the language or a page of the reference, in Markdown, as `psl explain` does.
/// Without a word, lists all.
///
/// Raises `ValueError` for an unknown word.
#[pyfunction]
#[pyo3(signature = (word = None))]
pub fn explain(word: Option<&str>) -> PyResult<String> {
    let Some(word) = word else {
        let lists = psl_ide::topics().into_iter().map(|of_kind| {
            let rows = of_kind.topics.iter().map(|topic| format!("- `{}`: {}\n", topic.word, topic.summary));
            format!("## {}\n\n{}", of_kind.kind, rows.collect::<String>())
        });
        return Ok(lists.collect::<Vec<_>>().join("\n"));
    };
    psl_ide::explain(word).map_err(PyValueError::new_err)
}

pub fn file(text: &str) -> File {
    File::new(text, Arc::new(Config::default()))
}

/// All diagnostics of a file, unless Ctrl-C interrupts.
pub fn diagnosed(py: Python<'_>, file: Arc<File>) -> PyResult<Vec<Diagnostic>> {
    let cancelled = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancelled);
    interruptible(py, &cancelled, move || diagnose(&file, &flag))
}

/// The text as `psl fmt` formats it, unless Ctrl-C interrupts.
pub fn formatted(py: Python<'_>, name: &str, file: &Arc<File>) -> PyResult<String> {
    let of = Arc::clone(file);
    let formatted = interruptible(py, &AtomicBool::new(false), move || of.format())?;
    let formatted = formatted.map_err(|found| errors::program_error(py, name, file, &found))?;
    Ok(formatted.text)
}

/// All diagnostics of a file. Its tests run on the threads of the current pool.
fn diagnose(file: &File, cancelled: &AtomicBool) -> Vec<Diagnostic> {
    let tests = file.program().tests.len();
    let runs = (0..tests).into_par_iter().filter_map(|index| run_test(file, index, cancelled)).collect();
    psl_program::diagnostics(file, Some(&TestReport::new(runs)))
}
