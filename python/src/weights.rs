//! The weights of a program: as tensors, and as the bytes of a file.

use std::{
    io,
    sync::{Arc, atomic::AtomicBool},
};

use psl_program::{VocabularyNeeds, count};
use psl_runtime::{
    Options,
    weights::{
        file::{self, Layout, Model},
        tensors::{NamedMap, dense_bias, entries, named_maps},
    },
};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyDict, PyString},
};

use super::{
    array::{Numbers, array, reserve, zeros},
    data, errors,
    handle::Program,
    pool::interruptible,
};

/// Maximum size of dense weights, in bytes.
const LARGE: u64 = 1_000_000_000;

/// The vocabulary that a caller asks for.
pub struct Asked<'a, 'py> {
    pub vocabulary: Option<&'a Bound<'py, PyAny>>,
    pub positions: Option<usize>,
}

impl Asked<'_, '_> {
    /// The weights of a program. Without a vocabulary and positions, loaded weights are unchanged.
    ///
    /// # Errors
    ///
    /// A `ValueError` or a `TypeError` for bad arguments, or a `psl.Error` if the prompt of a test cannot be read.
    pub fn model(self, py: Python<'_>, program: &Program) -> PyResult<Model> {
        let runner = program.runner();
        let executable = runner.executable();
        if let (Some(model), None, None) = (executable.model(), self.vocabulary, self.positions) {
            return Ok(model.clone());
        }
        let most = Options::MAX_CELLS;
        if let Some(positions) = self.positions.filter(|positions| !(2..=most).contains(positions)) {
            return Err(PyValueError::new_err(format!("`positions` is from 2 to {most}, not {positions}")));
        }
        let tests = VocabularyNeeds::of_tests(runner).map_err(|why| errors::error(py, &why.to_string()))?;
        let needs = match self.vocabulary {
            None => tests,
            Some(symbols) => VocabularyNeeds { values: self::symbols(symbols)?.into_iter().collect(), ..tests },
        };
        let last = self.positions.unwrap_or_else(|| needs.last_position(executable.program.max_new));
        let program = program.clone();
        interruptible(py, &AtomicBool::new(false), move || {
            let qkvl = program.runner().executable().qkvl();
            Model::new(qkvl, needs.vocabulary(&qkvl.constants(), last))
        })
    }
}

/// The symbols of a vocabulary.
///
/// # Errors
///
/// A `TypeError` if they are not a list of strings.
pub fn symbols(given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if given.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("`vocabulary` takes several symbols: pass a list"));
    }
    let symbols: Vec<String> = given.try_iter()?.map(|symbol| symbol?.extract()).collect::<PyResult<_>>()?;
    let wrong: Vec<&str> =
        symbols.iter().filter(|it| it.split_whitespace().ne([it.as_str()])).map(String::as_str).collect();
    if wrong.is_empty() {
        return Ok(symbols);
    }
    Err(PyValueError::new_err(format!("not symbols, which are not empty and have no blanks: {wrong:?}")))
}

/// Refuses dense weights that are too large, before they take memory.
fn check_size(py: Python<'_>, model: &Model) -> PyResult<()> {
    let size = file::size(model, Layout::Dense).unwrap_or(u64::MAX);
    if size <= LARGE {
        return Ok(());
    }
    let Model { weights, vocabulary, .. } = model;
    let positions = vocabulary.positions().len().saturating_sub(1);
    let layers = count(weights.labels().len(), "layer");
    let (size, limit) = (size / 1_000_000, LARGE / 1_000_000);
    let of = format!("positions {positions}, vocabulary {}, {layers}", vocabulary.len());
    let message = format!("dense weights of {of} take {size} MB, and the limit is {limit} MB");
    Err(errors::error(py, &format!("{message}: take sparse ones, or choose smaller `positions`")))
}

#[expect(clippy::cast_possible_wrap, reason = "no vector has 2^63 components")]
fn index(component: usize) -> i64 {
    component as i64
}

/// The tensors of weights, with the document of their names.
///
/// # Errors
///
/// A `psl.Error` if dense weights are larger than 1 GB.
pub fn tensors<'py>(py: Python<'py>, model: &Model, dense: bool) -> PyResult<Bound<'py, PyAny>> {
    if dense {
        check_size(py, model)?;
    }
    let (dimension, side) = (model.weights.dimension, model.weights.registers.len() * model.weights.dimension);
    let tensors = PyDict::new(py);
    for NamedMap { matrix, bias, map } in named_maps(&model.weights.blocks) {
        py.check_signals()?;
        let entries = || entries(map, side, dimension);
        let numbers = if dense {
            let mut all = zeros(side * side)?;
            for (row, column, value) in entries() {
                if let Some(entry) = all.get_mut(row * side + column) {
                    *entry += value;
                }
            }
            array(py, Numbers::Float32(all), vec![side, side])?.into_bound(py)
        } else {
            let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
            let count = entries().count();
            reserve(&mut rows, count)?;
            reserve(&mut columns, count)?;
            reserve(&mut values, count)?;
            for (row, column, value) in entries() {
                rows.push(index(row));
                columns.push(index(column));
                values.push(value);
            }
            let count = vec![values.len()];
            let rows = array(py, Numbers::Int64(rows), count.clone())?;
            let columns = array(py, Numbers::Int64(columns), count.clone())?;
            let values = array(py, Numbers::Float32(values), count)?;
            data::object(py, "SparseMatrix", ((side, side), rows, columns, values))?
        };
        tensors.set_item(matrix, numbers)?;
        tensors.set_item(bias, array(py, Numbers::Float32(dense_bias(map, side, dimension)), vec![side])?)?;
    }
    let document = file::document(model).map_err(|error| errors::error(py, &error.to_string()))?;
    data::object(py, "Weights", (tensors, py.import("json")?.call_method1("loads", (document,))?))
}

/// The weights as the bytes of a safetensors file.
///
/// # Errors
///
/// A `psl.Error` if dense weights are larger than 1 GB, or a `MemoryError`.
pub fn bytes(py: Python<'_>, model: Arc<Model>, sparse: bool) -> PyResult<Vec<u8>> {
    if !sparse {
        check_size(py, &model)?;
    }
    let layout = if sparse { Layout::Sparse } else { Layout::Dense };
    let failed = |error: &io::Error| errors::error(py, &error.to_string());
    let mut bytes = Vec::new();
    let size = file::size(&model, layout).map_err(|error| failed(&error))?;
    reserve(&mut bytes, usize::try_from(size).unwrap_or(usize::MAX))?;
    let written =
        interruptible(py, &AtomicBool::new(false), move || file::write(&model, layout, &mut bytes).map(|()| bytes))?;
    written.map_err(|error| failed(&error))
}
