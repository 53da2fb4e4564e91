//! Turing machines, as `psl turing` compiles and runs them.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use psl_runtime::Options;
use psl_tasks::turing::{
    Direction, LineError, Table, Tape, TuringProgram,
    simulation::{self, NoEnd, Outcome},
};
use pyo3::{exceptions::PyValueError, prelude::*};

use super::{data, errors, handle::Program, numbers, options::machine_named, pool::interruptible};

/// Compiles a Turing machine, as `psl turing` does.
///
/// `table` has an instruction `state symbol new_state new_symbol L|R` on each line, and `#` starts a comment. With a
/// `tape`, symbols separated by spaces, the answer has the prompt of that tape: its `head` is on a square, 1-based, its
/// `start` is a state, by default that of the first instruction, and `pad` adds as many `blank` squares on each side.
///
/// Raises `psl.Error` with the line for a table with errors, and `ValueError` for a tape that has none of its states or
/// squares.
#[pyfunction]
#[pyo3(signature = (table, tape = None, *, head = 1, start = None, pad = 0, blank = "_"))]
pub fn turing<'py>(
    py: Python<'py>,
    table: &str,
    tape: Option<&str>,
    #[pyo3(from_py_with = numbers::head)] head: usize,
    start: Option<&str>,
    #[pyo3(from_py_with = numbers::pad)] pad: usize,
    blank: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let table = parse(py, table)?;
    let tape = tape.map(|symbols| self::tape(&table, symbols, head, start, pad, blank)).transpose()?;
    let compiled = TuringProgram::new(&table, tape.as_ref());
    let program = Program::of_text(py, compiled.text(None), "<turing>")?;
    let prompt = tape.as_ref().map(|tape| py.import("json")?.call_method1("loads", (tape.to_json(),))).transpose()?;
    data::object(py, "Turing", (program, prompt, compiled.changes))
}

/// Runs a Turing machine, as `psl turing --steps` does. The arguments are those of `turing`, and the `machine` and
/// `max_passes` of `Program.run`.
///
/// Raises `psl.RunError` if the machine does not halt, and the exceptions of `turing`.
#[pyfunction]
#[pyo3(signature = (table, tape, *, head = 1, start = None, pad = 0, blank = "_", machine = None, max_passes = None))]
#[expect(clippy::too_many_arguments, reason = "they are the options of a command")]
pub fn run_turing<'py>(
    py: Python<'py>,
    table: &str,
    tape: &str,
    #[pyo3(from_py_with = numbers::head)] head: usize,
    start: Option<&str>,
    #[pyo3(from_py_with = numbers::pad)] pad: usize,
    blank: &str,
    machine: Option<&str>,
    #[pyo3(from_py_with = numbers::max_passes)] max_passes: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let machine = machine_named(machine).map_err(PyValueError::new_err)?;
    let table = parse(py, table)?;
    let tape = self::tape(&table, tape, head, start, pad, blank)?;
    let cancelled = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancelled);
    let (end, steps) = interruptible(py, &cancelled, move || {
        let (compiled, mut steps) = (TuringProgram::new(&table, Some(&tape)), Vec::new());
        let end = simulation::run(&compiled, &tape, machine, max_passes, &mut |configuration| {
            steps.push((configuration.state().to_owned(), configuration.marked_tape()));
            if flag.load(Ordering::Relaxed) { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
        });
        (end, steps)
    })?;
    match end {
        Ok(Outcome { tape, state, left, .. }) => {
            data::object(py, "TuringRun", (tape, state, left.map(Direction::word), steps))
        }
        Err(NoEnd::Failed(message)) => Err(errors::run_refusal(py, &message)),
        Err(NoEnd::Unreported(error)) => Err(error.into()),
    }
}

/// The table, or the exception for its first error, which names all.
fn parse(py: Python<'_>, text: &str) -> PyResult<Table> {
    Table::parse(text).map_err(|found| {
        let messages: Vec<String> =
            found.iter().map(|LineError { line, message }| format!("{line}: {message}")).collect();
        errors::error_at(py, &messages.join("\n"), found.first().map(|first| first.line))
    })
}

fn tape(table: &Table, symbols: &str, head: usize, start: Option<&str>, pad: usize, blank: &str) -> PyResult<Tape> {
    let most = Options::MAX_CELLS;
    if pad > most {
        return Err(PyValueError::new_err(format!("`pad` is at most {most}, not {pad}")));
    }
    let tape = Tape::new(symbols, head, start, table).and_then(|tape| tape.padded(blank, pad));
    tape.map_err(|why| PyValueError::new_err(why.to_string()))
}
