//! Patching: the values of one run put into another, place by place.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use psl_program::{NotAligned, PatchPlace, Patching, Prompt};
use psl_runtime::Stopped;
use pyo3::{exceptions::PyValueError, prelude::*, types::PyTuple};
use rayon::prelude::*;

use super::{
    data::object,
    errors,
    handle::Program,
    options::{RunArguments, RunOptions},
    pool::interruptible,
    run::Run,
};

/// The continuation of a patched run: its symbols and its end, or the reason why it failed.
type Patched = Result<(Vec<String>, Stopped), String>;

impl Program {
    /// Patches the run of one prompt with the values of another, at each place where they differ, as `psl.Patches`.
    pub fn patches<'py>(
        &self,
        py: Python<'py>,
        base: Prompt,
        donor: Prompt,
        given: &RunArguments,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = |record| RunOptions::new(self, RunArguments { record, ..given.clone() });
        let task = options(false)?.task(self.runner(), &base);
        let task = task.map_err(|failure| errors::run_error(py, &self.file, &failure))?;
        let base = self.complete(py, base, options(true)?)?;
        let donor = self.complete(py, donor, options(true)?)?;
        let (of_base, of_donor) = (Arc::clone(&base.record(py)?.run), Arc::clone(&donor.record(py)?.run));
        let (this, cancelled) = (self.clone(), Arc::new(AtomicBool::new(false)));
        let flag = Arc::clone(&cancelled);
        let patched = interruptible(py, &cancelled, move || {
            let patching = Patching::new(this.runner(), task, &of_base, &of_donor)?;
            let patched = |place: &PatchPlace| {
                let result = (!flag.load(Ordering::Relaxed)).then(|| patching.patched([place], &flag))?;
                let result = result.map(|run| (run.symbols, run.stopped)).map_err(|failure| failure.message);
                Some((place.clone(), result))
            };
            let done = patching.differing().par_iter().filter_map(patched).collect();
            Ok((patching.places(), done))
        })?;
        let (places, patched): (usize, Vec<(PatchPlace, Patched)>) =
            patched.map_err(|error: NotAligned| PyValueError::new_err(error.to_string()))?;
        let registers = &self.runner().executable().registers.long;
        let effect = |(place, result): (PatchPlace, Patched)| {
            let layer = place.row.layer;
            let (tokens, stop, error) = match result {
                Ok((tokens, stopped)) => (Some(tokens), Some(stopped.as_str()), None),
                Err(message) => (None, None, Some(message)),
            };
            let is = |run: &Run| tokens.as_ref().is_some_and(|tokens| run.has_tokens(tokens));
            let (changed, restored) = (!is(&base), is(&donor));
            let fields = (
                layer.number(),
                self.label(layer),
                PyTuple::new(py, &place.row.pass)?,
                place.cell.number(),
                registers.get(place.register.index()),
                place.base,
                place.donor,
                tokens,
                stop,
                error,
                changed,
                restored,
            );
            object(py, "Patch", fields)
        };
        let effects = patched.into_iter().map(effect).collect::<PyResult<Vec<_>>>()?;
        object(py, "Patches", (base, donor, places, effects))
    }
}
