//! Refusals as exceptions, which Python defines.

use std::io;

use psl_program::{File, RunFailure, count};
use psl_syntax::Diagnostic;
use pyo3::{call::PyCallArgs, prelude::*};

use super::data;

/// The words of the command line in messages of the other crates, each with those of Python. Longer ones come first.
const IN_PYTHON: &[(&str, &str)] = &[
    ("`psl compile --emit weights --vocabulary FILE`", "`Program.compile(\"weights\", vocabulary=[…])`"),
    ("`psl compile --emit weights --positions ", "`Program.compile(\"weights\")` and `positions="),
    (" -o OUT.safetensors FILE`", "`"),
    ("`psl compile --emit weights`", "`Program.compile(\"weights\")`"),
    ("`psl compile --emit qkvl`", "`Program.compile()`"),
    ("`psl compile --emit hf -o DIRECTORY`", "`Program.save_hf(directory)`"),
    ("`psl compile`", "`Program.compile`"),
    ("`psl run`", "`Program.run`"),
    ("`psl explain`", "`psl.explain`"),
    ("`--align 1-3:1-3,4:6`", "`align=\"1-3:1-3,4:6\"`"),
    ("without --heads", "with one head in each layer"),
    ("--vocabulary FILE", "`vocabulary`"),
    ("`--max-passes`", "`max_passes`"),
    ("`--max-new`", "`max_new`"),
    ("--max-prompt", "`max_prompt`"),
    ("--max-new", "`max_new`"),
    ("--passes", "`passes`"),
    ("--dtype float32", "`dtype=\"float32\"`"),
    ("`max-passes`", "`max_passes`"),
    ("`max-new`", "`max_new`"),
];

/// A message in the words of Python.
pub fn in_python(message: &str) -> String {
    IN_PYTHON.iter().fold(message.to_owned(), |message, (command, python)| message.replace(command, python))
}

/// The errors that a message draws. Further ones are counted.
const SHOWN: usize = 20;

/// An exception of `psl.errors`.
fn exception<'py>(py: Python<'py>, class: &str, arguments: impl PyCallArgs<'py>) -> PyErr {
    let made = py.import("psl.errors").and_then(|errors| errors.getattr(class)?.call1(arguments));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// A refusal without a place.
pub fn error(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "Error", (in_python(message),))
}

/// A refusal at a line, 1-based.
pub fn error_at(py: Python<'_>, message: &str, line: Option<usize>) -> PyErr {
    exception(py, "Error", (in_python(message), line))
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
    exception(py, "RunError", (in_python(message),))
}

/// The exception for a run that failed, with the place of the repeat block that causes it.
pub fn run_error(py: Python<'_>, file: &File, failure: &RunFailure) -> PyErr {
    let block = file.compiled().block(failure);
    let point = block.map(|span| file.line_index().point(span.start));
    exception(
        py,
        "RunError",
        (in_python(&failure.message), point.map(|point| point.line), point.map(|point| point.column)),
    )
}

/// The exception for a file that cannot be read. It names the file.
pub fn os_error(name: &str, error: &io::Error) -> PyErr {
    io::Error::new(error.kind(), format!("cannot read {name}: {error}")).into()
}
