//! Patching: the values of one run put into another.

use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use psl_program::{
    Alignment, NotAligned, NotParts, NotPatched, PatchBy, PatchKey, PatchOptions, PatchPlace, Patched, Patching,
    Prompt, Score,
};
use psl_runtime::{CellId, record::Row};
use psl_syntax::program::{ProductionId, RegisterId};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyDict, PyString, PyTuple},
};
use rayon::prelude::*;

use super::{
    data::object,
    errors,
    handle::Program,
    numbers::{self, Number, wrong_type},
    options::{Layers, RunArguments, RunOptions, prompt},
    pool::interruptible,
    run::Run,
};

/// Two runs and how they are compared.
struct Comparison {
    base: Run,
    donor: Run,
    places: usize,
    rows: Vec<Row>,
    cells: Vec<CellId>,
}

/// The arguments that both functions share.
struct PatchArguments {
    prompts: [Prompt; 2],
    options: PatchOptions,
    run: RunArguments,
}

/// A patch with its places, as indices, and its result or the reason why the run fails.
type Effect = (PatchKey, Vec<PatchPlace>, Result<Patched, String>);

#[pymethods]
impl Program {
    /// Patches the run of the prompt `base` with values of the run of `donor`, as `psl patch` does, on all cores.
    ///
    /// A place is a register of a cell right after a layer in a pass, where both runs have different values. Where the
    /// donor took fewer passes of a repeat block, its values are those after its last one. Returns `psl.Patches`, with
    /// the patched runs.
    ///
    /// - `by`: what tells patches apart: a str or several of `layer`, `pass`, `cell` and `register`. A patch sets all
    ///   places that have these parts in common: without `pass`, those in all passes
    /// - `score`: what is compared: `continuation`, `symbol 1` of it, or a register of the prompt's last cell after the
    ///   last layer
    /// - `noising`: whether to patch the run of `donor` with the values of that of `base` instead
    /// - `generated`: whether to patch generated cells too
    /// - `align`: the cells that correspond, as a dict from cells of `base` to cells of `donor`, or as a str such as
    ///   `"1-3:1-3,4:6"`; by default those with the same number
    /// - `max_new`, `stop`, `max_passes`, `ablate`: those of `run`
    ///
    /// Raises `ValueError` for prompts of different lengths without `align`, for bad arguments, and the exceptions of
    /// `run`.
    #[pyo3(signature = (base, donor, *, by = None, score = "continuation", noising = false, generated = false,
        align = None, max_new = None, stop = None, max_passes = None, ablate = None))]
    #[expect(clippy::too_many_arguments, reason = "they are the options of a command")]
    fn patch<'py>(
        &self,
        py: Python<'py>,
        base: &Bound<'py, PyAny>,
        donor: &Bound<'py, PyAny>,
        by: Option<&Bound<'py, PyAny>>,
        score: &str,
        noising: bool,
        generated: bool,
        align: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = numbers::max_new)] max_new: Option<usize>,
        stop: Option<String>,
        #[pyo3(from_py_with = numbers::max_passes)] max_passes: Option<usize>,
        #[pyo3(from_py_with = numbers::ablate)] ablate: Option<Layers>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let by = by.map_or(Ok(PatchBy::default()), parts)?;
        let run = RunArguments { max_new, stop, max_passes, ablate, ..RunArguments::default() };
        let options = PatchOptions { alignment: align.map(alignment).transpose()?, generated, score: score_of(score)? };
        let given = PatchArguments { prompts: [prompt(base)?, prompt(donor)?], options, run }.in_direction(noising);
        let (of, effects) = self.compare(py, given, move |patching, flag| {
            let groups: Vec<_> = by.groups(patching.differing()).into_iter().collect();
            let effect = |(key, indices): (PatchKey, Vec<usize>)| -> Option<Effect> {
                let places = places(patching, &indices);
                let patched = (!flag.load(Ordering::Relaxed)).then(|| patching.patched(&places, flag))?;
                Some((key, places, patched.map_err(|failure| failure.message)))
            };
            groups.into_par_iter().filter_map(effect).collect::<Vec<_>>()
        })?;
        let patches = effects.into_iter().map(|effect| self.patch_object(py, effect)).collect::<PyResult<Vec<_>>>()?;
        let row = |row: &Row| Ok((row.layer.number(), PyTuple::new(py, &row.pass)?));
        let rows = of.rows.iter().map(row).collect::<PyResult<Vec<_>>>()?;
        let cells: Vec<usize> = of.cells.iter().map(|cell| cell.number()).collect();
        let by = PyTuple::new(py, by.names().collect::<Vec<_>>())?;
        object(py, "Patches", (of.base, of.donor, of.places, rows, cells, by, patches))
    }

    /// Finds, after each layer and pass, a set of places that carries the difference between two runs, as
    /// `psl patch --min` does, on all cores.
    ///
    /// With their values, the run of `base` has the score of the run of `donor`, and without any one of them it does
    /// not. Other sets may carry the difference as well. Returns a list of `psl.MinimalPatch`, one for each layer and
    /// pass after which the runs differ. The options are those of `patch`.
    ///
    /// Raises the exceptions of `patch`.
    #[pyo3(signature = (base, donor, *, score = "continuation", noising = false, generated = false, align = None,
        max_new = None, stop = None, max_passes = None, ablate = None))]
    #[expect(clippy::too_many_arguments, reason = "they are the options of a command")]
    fn minimal_patches<'py>(
        &self,
        py: Python<'py>,
        base: &Bound<'py, PyAny>,
        donor: &Bound<'py, PyAny>,
        score: &str,
        noising: bool,
        generated: bool,
        align: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = numbers::max_new)] max_new: Option<usize>,
        stop: Option<String>,
        #[pyo3(from_py_with = numbers::max_passes)] max_passes: Option<usize>,
        #[pyo3(from_py_with = numbers::ablate)] ablate: Option<Layers>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let run = RunArguments { max_new, stop, max_passes, ablate, ..RunArguments::default() };
        let options = PatchOptions { alignment: align.map(alignment).transpose()?, generated, score: score_of(score)? };
        let given = PatchArguments { prompts: [prompt(base)?, prompt(donor)?], options, run }.in_direction(noising);
        let (_, sets) = self.compare(py, given, |patching, flag| {
            let rows = PatchBy::ROWS.groups(patching.differing()).into_iter().collect::<Vec<_>>();
            let set = |(key, indices): (PatchKey, Vec<usize>)| {
                let found = patching.minimal(&indices, flag).map(|found| places(patching, &found));
                (key, indices.len(), found)
            };
            rows.into_par_iter().map(set).collect::<Vec<_>>()
        })?;
        let set = |(key, differing, places): (PatchKey, usize, Option<Vec<PatchPlace>>)| {
            let layer = key.layer.map(|layer| (layer.number(), self.label(layer)));
            let (number, label) = layer.unwrap_or_default();
            let set = places.map(|places| self.values(py, &places)).transpose()?;
            object(py, "MinimalPatch", (number, label, pass_of(py, &key)?, differing, set))
        };
        sets.into_iter().map(set).collect()
    }
}

impl PatchArguments {
    /// The other way round with `noising`.
    fn in_direction(mut self, noising: bool) -> Self {
        if noising {
            self.prompts.reverse();
            self.options.alignment = self.options.alignment.map(|alignment| alignment.reversed());
        }
        self
    }
}

impl Program {
    /// Records two runs, and does work with their comparison that can be interrupted.
    fn compare<T: Send + 'static>(
        &self,
        py: Python<'_>,
        given: PatchArguments,
        work: impl FnOnce(&Patching<'_>, &Arc<AtomicBool>) -> T + Send + 'static,
    ) -> PyResult<(Comparison, T)> {
        let PatchArguments { prompts: [base, donor], options, run } = given;
        let arguments = |record| RunOptions::new(self, RunArguments { record, ..run.clone() });
        let task = arguments(false)?.task(self.runner(), &base);
        let task = task.map_err(|failure| errors::run_error(py, &self.file, &failure))?;
        let base = self.complete(py, base, arguments(true)?)?;
        let donor = self.complete(py, donor, arguments(true)?)?;
        let (of_base, of_donor) = (Arc::clone(&base.record(py)?.run), Arc::clone(&donor.record(py)?.run));
        let (this, cancelled) = (self.clone(), Arc::new(AtomicBool::new(false)));
        let flag = Arc::clone(&cancelled);
        let done = interruptible(py, &cancelled, move || {
            let patching = Patching::new(this.runner(), task, &of_base, &of_donor, &options)?;
            let (rows, cells) = (patching.rows().to_vec(), patching.cells().to_vec());
            Ok((patching.places(), rows, cells, work(&patching, &flag)))
        })?;
        let (places, rows, cells, done) =
            done.map_err(|error: NotPatched| PyValueError::new_err(errors::in_python(&error.to_string())))?;
        Ok((Comparison { base, donor, places, rows, cells }, done))
    }

    fn patch_object<'py>(&self, py: Python<'py>, (key, places, result): Effect) -> PyResult<Bound<'py, PyAny>> {
        let register =
            |register: RegisterId| self.runner().executable().registers.long.get(register.index()).map(String::as_str);
        let place = (
            key.layer.map(ProductionId::number),
            key.layer.and_then(|layer| self.label(layer)),
            key.pass.as_ref().map(|_| pass_of(py, &key)).transpose()?,
            key.cell.map(CellId::number),
            key.register.and_then(register),
        );
        let (layer, label, pass, cell, register) = place;
        let set = self.values(py, &places)?;
        let common = |value: fn(&PatchPlace) -> &Option<String>| {
            let mut values = places.iter().map(value);
            let first = values.next().cloned().flatten();
            values.all(|value| *value == first).then_some(first).flatten()
        };
        let (base, donor) = (common(|place| &place.base), common(|place| &place.donor));
        let (run, score, changes, restored, error) = match result {
            Ok(Patched { continuation, score, changes, restores }) => (
                Some((continuation.symbols, continuation.stopped.as_str())),
                Some(score),
                Some(changes),
                restores,
                None,
            ),
            Err(message) => (None, None, None, false, Some(message)),
        };
        let (tokens, stop) = run.unzip();
        let fields = PyTuple::new(
            py,
            [
                layer.into_pyobject(py)?.into_any(),
                label.into_pyobject(py)?.into_any(),
                pass.into_pyobject(py)?.into_any(),
                cell.into_pyobject(py)?.into_any(),
                register.into_pyobject(py)?.into_any(),
                base.into_pyobject(py)?.into_any(),
                donor.into_pyobject(py)?.into_any(),
                set.into_any(),
                tokens.into_pyobject(py)?.into_any(),
                stop.into_pyobject(py)?.into_any(),
                score.into_pyobject(py)?.into_any(),
                changes.into_pyobject(py)?.into_any(),
                restored.into_pyobject(py)?.to_owned().into_any(),
                error.into_pyobject(py)?.into_any(),
            ],
        )?;
        object(py, "Patch", fields)
    }

    /// The donor's values at places, as the argument `set` of `run`.
    fn values<'py>(&self, py: Python<'py>, places: &[PatchPlace]) -> PyResult<Bound<'py, PyDict>> {
        let (values, registers) = (PyDict::new(py), &self.runner().executable().registers.long);
        for PatchPlace { row, cell, register, donor, .. } in places {
            let pass = PyTuple::new(py, &row.pass)?;
            values.set_item((row.layer.number(), pass, cell.number(), registers.get(register.index())), donor)?;
        }
        Ok(values)
    }
}

fn places(patching: &Patching<'_>, indices: &[usize]) -> Vec<PatchPlace> {
    indices.iter().filter_map(|index| patching.differing().get(*index)).cloned().collect()
}

fn pass_of<'py>(py: Python<'py>, key: &PatchKey) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, key.pass.as_deref().unwrap_or_default())
}

/// Parts of a place, as one text or several.
fn parts(given: &Bound<'_, PyAny>) -> PyResult<PatchBy> {
    let expected = || wrong_type("by", "a str such as \"layer,cell\", or several", given);
    let text = if given.is_instance_of::<PyString>() {
        given.extract()?
    } else {
        let parts = given.try_iter().map_err(|_| expected())?;
        parts.map(|part| part?.extract()).collect::<PyResult<Vec<String>>>()?.join(",")
    };
    text.parse().map_err(|error: NotParts| PyValueError::new_err(error.to_string()))
}

fn score_of(text: &str) -> PyResult<Score> {
    text.parse().map_err(|never: Infallible| match never {})
}

/// Pairs of cells, as a dictionary or a text.
fn alignment(given: &Bound<'_, PyAny>) -> PyResult<Alignment> {
    let text = if let Ok(pairs) = given.cast::<PyDict>() {
        let pair = |(base, donor): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok(format!("{}:{}", usize::of("align", &base)?, usize::of("align", &donor)?))
        };
        pairs.iter().map(pair).collect::<PyResult<Vec<_>>>()?.join(",")
    } else {
        let text = given.cast::<PyString>();
        text.map_err(|_| wrong_type("align", "a dict of cells, or a str such as \"1-3:1-3,4:6\"", given))?.to_string()
    };
    text.parse().map_err(|error: NotAligned| PyValueError::new_err(error.to_string()))
}
