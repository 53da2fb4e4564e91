//! Schedules: productions as the heads of layers, and their latent codes.

use std::{num::NonZeroUsize, sync::Arc};

use psl_program::{
    Plan, Progress,
    latent::{LatentRequest, NoCodes, latent_codes},
};
use psl_render::latent_json;
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyBool, PyString},
};

use super::{
    errors::{self, error},
    handle::Program,
    numbers::{self, Number},
    options::prompt,
    pool::interruptible,
};

/// Whether productions share layers, and the maximum number of heads in a layer.
#[derive(Clone, Copy, Default)]
pub enum Heads {
    /// Each production is a layer.
    #[default]
    One,
    /// Productions that do not affect each other share a layer.
    Several(Option<NonZeroUsize>),
}

impl Number for Heads {
    fn of(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Self> {
        match given.cast::<PyBool>() {
            Ok(shared) => Ok(if shared.is_true() { Self::Several(None) } else { Self::One }),
            Err(_) => max_heads(name, usize::of(name, given)?).map(|most| Self::Several(Some(most))),
        }
    }
}

fn max_heads(name: &str, most: usize) -> PyResult<NonZeroUsize> {
    NonZeroUsize::new(most).ok_or_else(|| PyValueError::new_err(format!("`{name}` is at least 1")))
}

#[pymethods]
impl Program {
    /// Returns the schedule of the productions as heads of layers, in the form of `psl schedule --format json`.
    ///
    /// `max_heads` is the maximum number of heads in a layer, by default unlimited. `run`, `run_many`, `eval` and
    /// `compile` take the same schedule with `heads`.
    ///
    /// Raises `ValueError` for a limit of 0, and `psl.Error` for weights without a form in PSL.
    #[pyo3(signature = (max_heads = None))]
    fn schedule<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = numbers::max_heads)] max_heads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let most = max_heads.map(|most| self::max_heads("max_heads", most)).transpose()?;
        let program = self.runner().unscheduled().map_err(|failure| error(py, &failure.message))?;
        let lines = self.runner().is_located().then(|| self.file.line_index());
        of_json(py, &Plan::new(program, lines, most).to_json(program).to_string())
    }

    /// Returns the codes of heads by pair of cells in a run, in the form of `psl latent --format json`, checked against
    /// the weights.
    ///
    /// `layers` are layers of the schedule, such as `"P3a,20-27"`, and `max_heads` is that of `schedule`.
    ///
    /// Raises `ValueError` for a layer that the schedule lacks, `psl.RunError` if the run cannot start or finish, and
    /// `psl.Error` for weights without a form in PSL.
    #[pyo3(signature = (prompt, *, layers = None, max_heads = None))]
    fn latent<'py>(
        &self,
        py: Python<'py>,
        prompt: &Bound<'py, PyAny>,
        layers: Option<String>,
        #[pyo3(from_py_with = numbers::max_heads)] max_heads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let max_heads = max_heads.map(|most| self::max_heads("max_heads", most)).transpose()?;
        let (prompt, progress) = (self::prompt(prompt)?, Progress::default());
        let (this, cancelled) = (self.clone(), Arc::clone(&progress.cancelled));
        let found = interruptible(py, &cancelled, move || {
            let runner = this.runner();
            let lines = runner.is_located().then(|| this.file.line_index());
            let shown = runner.prompt_to_json(&prompt);
            latent_codes(runner, lines, LatentRequest { prompt, layers, max_heads }, &progress, |codes| {
                let mut text = Vec::new();
                // A vector can always be written to.
                latent_json(&mut text, codes, &shown, max_heads).ok();
                String::from_utf8_lossy(&text).into_owned()
            })
        })?;
        let text = found.map_err(|why| match why {
            NoCodes::NotScheduled(failure) => error(py, &failure.message),
            NoCodes::NotALayer(why) => PyValueError::new_err(why.to_string()),
            NoCodes::Failed(failure) => errors::run_error(py, &self.file, &failure),
            difference @ NoCodes::Difference(_) => error(py, &difference.to_string()),
        })?;
        of_json(py, &text)
    }
}

impl Program {
    /// The program with heads, or as it is.
    ///
    /// # Errors
    ///
    /// A `psl.Error` for weights without a form in PSL.
    pub fn with_heads(&self, py: Python<'_>, heads: Heads) -> PyResult<Self> {
        let Heads::Several(most) = heads else { return Ok(self.clone()) };
        let scheduled = self.runner().scheduled(most).map_err(|failure| error(py, &failure.message))?;
        Ok(Self { loaded: Some(Arc::new(scheduled)), ..self.clone() })
    }
}

fn of_json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (PyString::new(py, text),))
}
