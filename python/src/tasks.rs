//! Task data: its lines, and the score of a program on them.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::PathBuf,
};

use psl_host::{MAX_LINE, line_too_long, open_regular, without_mark};
use psl_tasks::{
    Line, LineFormat, Scored, Subject, nfe as nested,
    tgt::{self as templatic, Constraints, Split, Words},
};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
};

use super::{data, errors, numbers};

/// Generates lines of templatic generation, as `psl tgt` does.
///
/// `split` is a split of the paper's Tables 1 and 10, such as `train`, `shots` the number of examples before the cue, 1
/// to 10, and `words` is `rlw` or `eng`. The same seed gives the same lines.
///
/// Raises `ValueError` for an unknown split or words, or another number of examples.
#[pyfunction]
#[pyo3(signature = (split, count = 100, *, shots = 1, words = "rlw", seed = 0))]
pub fn tgt<'py>(
    py: Python<'py>,
    split: &str,
    #[pyo3(from_py_with = numbers::count)] count: usize,
    #[pyo3(from_py_with = numbers::shots)] shots: usize,
    words: &str,
    #[pyo3(from_py_with = numbers::seed)] seed: u64,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let Constraints { split, words, shots } = constraints(split, shots, words)?;
    generated(py, templatic::Generator::new(split, words, shots, seed), count)
}

/// Checks lines of templatic generation, as `psl tgt --check` does. Returns the first violation of each line, or
/// `None`.
///
/// A line is a `psl.Line`, or a prompt and its gold, and perhaps its info. The other arguments are those of `tgt`.
#[pyfunction]
#[pyo3(signature = (lines, split, *, shots = 1, words = "rlw"))]
pub fn check_tgt(
    lines: &Bound<'_, PyAny>,
    split: &str,
    #[pyo3(from_py_with = numbers::shots)] shots: usize,
    words: &str,
) -> PyResult<Vec<Option<String>>> {
    let constraints = constraints(split, shots, words)?;
    validated(lines, |line| templatic::validate(line, &constraints).err())
}

/// Generates lines of nested function evaluation, as `psl nfe` does.
///
/// `depth` is the depth of the expression: 1 for `f ( a )`, 2 for `f ( f ( a ) )`. The same seed gives the same lines.
///
/// Raises `ValueError` for another depth.
#[pyfunction]
#[pyo3(signature = (depth = 2, count = 100, *, seed = 0))]
pub fn nfe(
    py: Python<'_>,
    #[pyo3(from_py_with = numbers::depth)] depth: usize,
    #[pyo3(from_py_with = numbers::count)] count: usize,
    #[pyo3(from_py_with = numbers::seed)] seed: u64,
) -> PyResult<Vec<Bound<'_, PyAny>>> {
    let depth = depth_of_nfe(depth)?;
    generated(py, nested::Generator::new(depth, seed), count)
}

/// Checks lines of nested function evaluation, as `psl nfe --check` does. Returns the first violation of each line, or
/// `None`.
///
/// A line is a `psl.Line`, or a prompt and its gold, and perhaps its info. `depth` is that of the expressions, by
/// default any.
#[pyfunction]
#[pyo3(signature = (lines, depth = None))]
pub fn check_nfe(
    lines: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = numbers::depth)] depth: Option<usize>,
) -> PyResult<Vec<Option<String>>> {
    let depth = depth.map(depth_of_nfe).transpose()?;
    validated(lines, |line| nested::validate(line, depth).err())
}

fn depth_of_nfe(depth: usize) -> PyResult<u8> {
    let most = nested::MAX_DEPTH;
    let fits = u8::try_from(depth).ok().filter(|depth| (1..=most).contains(depth));
    fits.ok_or_else(|| PyValueError::new_err(format!("`depth` is from 1 to {most}, not {depth}")))
}

/// The first violation of each line, unless Ctrl-C interrupts.
fn validated(
    lines: &Bound<'_, PyAny>,
    validate: impl Fn(&Line<'_>) -> Option<String>,
) -> PyResult<Vec<Option<String>>> {
    let check = |given: PyResult<Bound<'_, PyAny>>| {
        lines.py().check_signals()?;
        Ok(validate(&line(&given?)?))
    };
    lines.try_iter()?.map(check).collect()
}

/// The first lines of a generator, unless Ctrl-C interrupts.
fn generated(
    py: Python<'_>,
    generator: impl Iterator<Item = Line<'static>>,
    count: usize,
) -> PyResult<Vec<Bound<'_, PyAny>>> {
    let line = |line| {
        py.check_signals()?;
        object(py, &line)
    };
    generator.take(count).map(line).collect()
}

fn constraints(split: &str, shots: usize, words: &str) -> PyResult<Constraints> {
    let unknown = || format!("unknown split `{split}`; expected one of `{}`", Split::names().join("`, `"));
    let split = Split::from_name(split).ok_or_else(|| PyValueError::new_err(unknown()))?;
    let words = match words {
        "rlw" => Words::Rlw,
        "eng" => Words::Eng,
        other => return Err(PyValueError::new_err(format!("unknown words `{other}`; expected `rlw` or `eng`"))),
    };
    if !(1..=10).contains(&shots) {
        return Err(PyValueError::new_err(format!("`shots` is from 1 to 10, not {shots}")));
    }
    Ok(Constraints { split, words, shots })
}

fn object<'py>(py: Python<'py>, line: &Line<'_>) -> PyResult<Bound<'py, PyAny>> {
    let info = py.import("json")?.call_method1("loads", (line.info.as_ref(),))?;
    data::object(py, "Line", (line.prompt.as_ref(), line.gold.as_ref(), info))
}

/// A line from a `psl.Line`, or from a prompt, a gold and perhaps an info.
fn line(given: &Bound<'_, PyAny>) -> PyResult<Line<'static>> {
    let py = given.py();
    let json =
        |info: Bound<'_, PyAny>| -> PyResult<String> { py.import("json")?.call_method1("dumps", (info,))?.extract() };
    if let Ok(prompt) = given.getattr("prompt") {
        return Ok(Line::new(prompt.extract()?, given.getattr("gold")?.extract()?, json(given.getattr("info")?)?));
    }
    if let Ok((prompt, gold)) = given.extract::<(String, String)>() {
        return Ok(Line::new(prompt, gold, "null".to_owned()));
    }
    if let Ok((prompt, gold, info)) = given.extract::<(String, String, Bound<'_, PyAny>)>() {
        return Ok(Line::new(prompt, gold, json(info)?));
    }
    let form = "a line is a psl.Line, or a tuple of a prompt, a gold and perhaps an info";
    Err(PyTypeError::new_err(format!("{form}; found {}", given.repr()?)))
}

/// Lines to score, one in memory at a time.
pub enum Lines<'py> {
    /// The lines of a file, each with its number.
    File { name: String, format: LineFormat, number: usize, file: BufReader<File> },
    /// The lines that an iterator returns.
    Given(std::iter::Enumerate<Bound<'py, pyo3::types::PyIterator>>),
}

/// A line to score.
pub enum ToScore {
    Text(String, LineFormat),
    Line(Line<'static>),
}

impl ToScore {
    /// The line, or the reason why it is malformed.
    pub fn parsed(&self) -> Result<Line<'_>, String> {
        match self {
            Self::Text(text, format) => format.parse(text),
            Self::Line(line) => Ok(line.clone()),
        }
    }
}

impl<'py> Lines<'py> {
    /// The lines of a file, if `data` is a path, or of an iterable.
    pub fn of(data: &Bound<'py, PyAny>) -> PyResult<Self> {
        let Ok(path) = data.extract::<PathBuf>() else { return Ok(Self::Given(data.try_iter()?.enumerate())) };
        let name = path.display().to_string();
        let file = open_regular(&path, u64::MAX).map_err(|error| errors::os_error(&name, &error))?;
        Ok(Self::File { name, format: LineFormat::of(&path), number: 0, file: BufReader::new(file) })
    }

    /// The next line that is not blank, with its number, 1-based.
    pub fn next(&mut self) -> Option<PyResult<(usize, ToScore)>> {
        match self {
            Self::Given(lines) => {
                let (index, given) = lines.next()?;
                Some(given.and_then(|given| Ok((index + 1, ToScore::Line(line(&given)?)))))
            }
            Self::File { name, format, number, file } => loop {
                *number += 1;
                let text = match line_of(file) {
                    Ok(text) => text?,
                    Err(error) => return Some(Err(errors::os_error(&format!("line {number} of {name}"), &error))),
                };
                let text = if *number == 1 { without_mark(&text) } else { &text };
                if !text.trim().is_empty() {
                    return Some(Ok((*number, ToScore::Text(text.to_owned(), *format))));
                }
            },
        }
    }
}

/// The next line of a file, without its end. `None` after the last one.
fn line_of(file: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut text = String::new();
    file.by_ref().take(MAX_LINE + 1).read_line(&mut text)?;
    if text.len() as u64 > MAX_LINE {
        return Err(line_too_long());
    }
    Ok((!text.is_empty()).then(|| text.trim_end_matches(['\r', '\n']).to_owned()))
}

/// The score of a line.
pub fn score(subject: &Subject<'_>, number: usize, line: &ToScore) -> Scored {
    match line {
        ToScore::Text(text, format) => subject.score(number, text, *format),
        ToScore::Line(line) => subject.score_line(number, line.clone()),
    }
}

/// A scored line as a `psl.ScoredLine`.
pub fn scored<'py>(py: Python<'py>, scored: &Scored) -> PyResult<Bound<'py, PyAny>> {
    let Scored { line, prompt, gold, info, got, correct, tokens: (right, _), .. } = scored;
    let (got, error) = match got {
        Ok(got) => (Some(got), None),
        Err(error) => (None, Some(error)),
    };
    let loads = |info: &String| py.import("json")?.call_method1("loads", (info,));
    // An info that is not JSON is a text.
    let info = info
        .as_ref()
        .map(|info| loads(info).or_else(|_| Ok::<_, PyErr>(info.into_pyobject(py)?.into_any())))
        .transpose()?;
    data::object(py, "ScoredLine", (line, prompt, gold, got, *correct, info, error, *right))
}
