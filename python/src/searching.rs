//! Searches: what belongs in the holes of a text, and changes with which the tests of a program pass.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use psl_program::File;
use psl_search::{
    Assessment, DistinguishingPrompt, Example, Fillings, NoSearch, Repairs, Workers, fill_file, repair_file,
};
use psl_syntax::{Span, holes::holes, program::TestPrompt};
use pyo3::{exceptions::PyValueError, prelude::*};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::{
    data::object,
    errors::{self, error},
    handle::Program,
    numbers,
    pool::interruptible,
    tasks::Lines,
    texts::file,
};

/// The threads of a search, which ends at a time limit or on Ctrl-C.
struct Threads {
    start: Instant,
    limit: Duration,
    stopped: Arc<AtomicBool>,
}

impl Workers for Threads {
    fn each(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        (0..count).into_par_iter().for_each(job);
    }

    fn stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || self.start.elapsed() >= self.limit
    }

    fn tried(&self) {}
}

/// A result of a search.
struct Found {
    text: String,
    changes: Vec<(Span, String)>,
    assessment: Assessment,
    same: Vec<Self>,
}

/// The results of a search, best first.
#[derive(Default)]
struct Answers {
    found: Vec<Found>,
    distinguishing_prompt: Option<DistinguishingPrompt>,
    compared_on: Option<String>,
    tried: usize,
    cut_off: bool,
}

/// Searches for what belongs in the holes `?` of a text, so that its tests pass, as `psl fill` does, on all cores.
///
/// `data` are further examples, in the forms of `Program.eval`, of which the first `limit` count. The search ends after
/// `seconds`. Returns `psl.Search`, the best result first.
///
/// Raises `psl.ProgramError` for other errors, `psl.Error` if the text has no holes or no tests, and the exceptions of
/// `Program.eval` for bad data.
#[pyfunction]
#[pyo3(signature = (text, *, data = None, seconds = 60, limit = 1000))]
pub fn fill<'py>(
    py: Python<'py>,
    text: &str,
    data: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = numbers::seconds)] seconds: u64,
    #[pyo3(from_py_with = numbers::limit)] limit: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let file = Arc::new(file(text));
    let examples = examples(data, limit)?;
    search(py, "<text>", &file, seconds, move |file, threads| {
        let fillings = fill_file(file, &examples, threads, &threads.stopped)?;
        let holes = holes(&file.checked().tree);
        let spans: Vec<Span> = holes.iter().map(|hole| hole.span).collect();
        let found = fillings.found.into_iter().map(|filling| of_filling(filling, &spans)).collect();
        let Fillings { distinguishing_prompt, compared_on, tried, cut_off, .. } = fillings;
        Ok(Answers { found, distinguishing_prompt, compared_on, tried, cut_off })
    })
}

#[pymethods]
impl Program {
    /// Searches for changes with which all tests pass, as `psl repair` does, on all cores.
    ///
    /// `data` are examples that rank the repairs, in the forms of `eval`, of which the first `limit` count. The search
    /// ends after `seconds`. Returns `psl.Search`, the best result first. Nothing is found if all tests pass.
    ///
    /// Raises `psl.Error` if the program has no tests, and the exceptions of `eval` for bad data.
    #[pyo3(signature = (*, data = None, seconds = 60, limit = 1000))]
    fn repair<'py>(
        &self,
        py: Python<'py>,
        data: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = numbers::seconds)] seconds: u64,
        #[pyo3(from_py_with = numbers::limit)] limit: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let examples = examples(data, limit)?;
        search(py, &self.name, &self.file, seconds, move |file, threads| {
            let repairs = match repair_file(file, &examples, threads, &threads.stopped) {
                Err(NoSearch::AllPass) => {
                    return Ok(Answers::default());
                }
                repairs => repairs?,
            };
            let found = repairs.found.into_iter().map(of_repair).collect();
            let Repairs { distinguishing_prompt, compared_on, tried, cut_off, .. } = repairs;
            Ok(Answers { found, distinguishing_prompt, compared_on, tried, cut_off })
        })
    }
}

fn of_filling(filling: psl_search::Filling, holes: &[Span]) -> Found {
    Found {
        changes: holes.iter().copied().zip(filling.parts).collect(),
        text: filling.text,
        assessment: filling.assessment,
        same: filling.same.into_iter().map(|filling| of_filling(filling, holes)).collect(),
    }
}

fn of_repair(repair: psl_search::Repair) -> Found {
    Found {
        changes: repair.changes.into_iter().map(|change| (change.span, change.description)).collect(),
        text: repair.text,
        assessment: repair.assessment,
        same: repair.same.into_iter().map(of_repair).collect(),
    }
}

fn examples(data: Option<&Bound<'_, PyAny>>, limit: usize) -> PyResult<Vec<Example>> {
    let Some(data) = data else { return Ok(Vec::new()) };
    let (mut lines, mut examples) = (Lines::of(data)?, Vec::new());
    while examples.len() < limit
        && let Some(line) = lines.next()
    {
        let (number, line) = line?;
        let line = line.parsed().map_err(|why| PyValueError::new_err(format!("line {number}: {why}")))?;
        examples.push(Example {
            prompt: TestPrompt::Plain(line.prompt.into_owned()),
            gold: line.gold.into_owned(),
            row: false,
        });
    }
    Ok(examples)
}

/// Searches until the time limit.
fn search<'py>(
    py: Python<'py>,
    name: &str,
    file: &Arc<File>,
    seconds: u64,
    work: impl FnOnce(&File, &Threads) -> Result<Answers, NoSearch> + Send + 'static,
) -> PyResult<Bound<'py, PyAny>> {
    let stopped = Arc::new(AtomicBool::new(false));
    let threads = Threads { start: Instant::now(), limit: Duration::from_secs(seconds), stopped: Arc::clone(&stopped) };
    let (_ended, end) = mpsc::channel::<()>();
    let (flag, limit) = (Arc::clone(&stopped), threads.limit);
    // A run does not look at the clock. The search may end before.
    thread::spawn(move || {
        if end.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout) {
            flag.store(true, Ordering::Relaxed);
        }
    });
    let of = Arc::clone(file);
    let answers = interruptible(py, &stopped, move || work(&of, &threads))?;
    let Answers { found, distinguishing_prompt, compared_on, tried, cut_off } = answers.map_err(|why| match why {
        NoSearch::Errors => errors::program_error(py, name, file, &file.errors()),
        why => error(py, &why.to_string()),
    })?;
    let found = found.into_iter().map(|found| of_found(py, file, found)).collect::<PyResult<Vec<_>>>()?;
    let differ = distinguishing_prompt.map(|DistinguishingPrompt { prompt, continuations }| (prompt, continuations));
    object(py, "Search", (found, differ, compared_on, tried, cut_off))
}

fn of_found<'py>(py: Python<'py>, file: &File, found: Found) -> PyResult<Bound<'py, PyAny>> {
    let Found { text, changes, assessment, same } = found;
    let line = |(span, says): (Span, String)| (file.line_index().point(span.start).line, says);
    let changes: Vec<(usize, String)> = changes.into_iter().map(line).collect();
    let warnings: Vec<&str> = assessment.new_warnings.iter().map(|warning| warning.message.as_str()).collect();
    let same = same.into_iter().map(|found| of_found(py, file, found)).collect::<PyResult<Vec<_>>>()?;
    object(py, "Found", (text, changes, warnings, assessment.held_back, same))
}
