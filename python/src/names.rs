//! The names in a program: its layers, registers and constants.

use std::collections::BTreeSet;

use psl_program::{LayerNames, NotALayer};
use psl_runtime::record::BlocksOfLayers;
use psl_syntax::program::{Production, ProductionId, RegisterId};
use pyo3::{
    exceptions::{PyIndexError, PyValueError},
    prelude::*,
    types::{PyDict, PyString},
};

use super::{
    data::object,
    handle::Program,
    numbers::{self, Number},
};

/// A layer as an argument.
#[derive(Clone)]
pub enum LayerName {
    /// The number, from 1.
    Number(usize),
    /// The label, or the start of the label up to a colon or a space.
    Label(String),
}

impl Number for LayerName {
    fn of(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Self> {
        match given.cast::<PyString>() {
            Ok(label) => Ok(Self::Label(label.to_str()?.to_owned())),
            Err(_) => usize::of(name, given).map(Self::Number),
        }
    }
}

impl Program {
    fn layer_names(&self) -> LayerNames<'_> {
        match &self.loaded {
            Some(runner) => LayerNames::new(runner, None),
            None => self.file.layer_names(),
        }
    }

    /// The layer with a name.
    ///
    /// # Errors
    ///
    /// An `IndexError` for a number that the program lacks, or a `ValueError` for a label that none or several have.
    pub fn layer_named(&self, name: LayerName) -> PyResult<ProductionId> {
        self.find_layer(name).map_err(|error| match error {
            NotALayer::NoLayer(_) | NotALayer::NotRanges(_) => PyIndexError::new_err(error.to_string()),
            NotALayer::Unknown { .. } | NotALayer::Ambiguous { .. } => PyValueError::new_err(error.to_string()),
        })
    }

    /// The layer with a name.
    ///
    /// # Errors
    ///
    /// A message.
    pub fn find_layer(&self, name: LayerName) -> Result<ProductionId, NotALayer> {
        match name {
            LayerName::Label(label) => self.layer_names().layer(&label),
            LayerName::Number(number) => self.layer_names().layer(&number.to_string()),
        }
    }

    /// Several layers, by names and ranges of numbers with commas.
    ///
    /// # Errors
    ///
    /// A message.
    pub fn layers_named(&self, names: &str) -> Result<BTreeSet<ProductionId>, NotALayer> {
        self.layer_names().layers(names)
    }

    /// The label of a layer, without its comment mark.
    pub fn label(&self, layer: ProductionId) -> Option<&str> {
        self.runner().label(layer)
    }
}

/// The number of the layer of a program with a number or a label.
///
/// Raises `IndexError` for a number that the program lacks, and `ValueError` for a label that none or several have.
#[pyfunction]
pub fn layer_number(program: &Program, #[pyo3(from_py_with = numbers::layer)] layer: LayerName) -> PyResult<usize> {
    Ok(program.layer_named(layer)?.number())
}

/// The layers, as `psl.Layers`.
pub fn layers<'py>(program: &Bound<'py, Program>) -> PyResult<Bound<'py, PyAny>> {
    let (py, this) = (program.py(), program.get());
    let (file, blocks) = (&this.file, BlocksOfLayers::new(this.runner().executable()));
    let layer = |(id, production): (ProductionId, &Production)| {
        let (line, around) = (file.line_index().line(production.span.start) + 1, blocks.around(id));
        let text = production.span.of(file.text());
        object(py, "Layer", (id.number(), this.label(id), line, text, around.last(), around.len()))
    };
    let productions = file.program().productions();
    let all = productions.ids().zip(&productions).map(|(id, production)| layer((id, production)));
    object(py, "Layers", (program, all.collect::<PyResult<Vec<_>>>()?))
}

/// The registers, as a list of `psl.Register`.
pub fn registers<'py>(py: Python<'py>, program: &Program) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let (declared, domains) = (program.file.program(), &program.file.analysis().domains);
    let register = |id| {
        let register = &declared.registers[id];
        let named = declared.roles.iter().filter(|(_, of)| *of == Some(id));
        let roles: Vec<&str> = named.map(|(role, _)| role).collect();
        let domain = domains.before_any(id).map(|domain| domains.in_words_or_null(&domain));
        object(py, "Register", (&register.name, &register.short, roles, domain))
    };
    declared.registers.ids().map(register).collect()
}

/// The values of the constants by their names.
pub fn constants<'py>(py: Python<'py>, program: &Program) -> PyResult<Bound<'py, PyDict>> {
    let constants = PyDict::new(py);
    for constant in &program.file.program().constants {
        constants.set_item(&constant.name, &constant.value)?;
    }
    Ok(constants)
}

/// The edges of the data flow: the layer that writes, the layer that reads, and a dictionary with the register.
pub fn graph<'py>(py: Python<'py>, program: &Program) -> PyResult<Vec<(usize, usize, Bound<'py, PyDict>)>> {
    let (declared, blocks) = (program.file.program(), BlocksOfLayers::new(program.runner().executable()));
    let productions = declared.productions();
    let mut edges = Vec::new();
    for (reader, reading) in productions.ids().zip(&productions) {
        let registers = reading.registers_read();
        for (writer, writing) in productions.ids().zip(&productions) {
            // A later layer of a block writes for the next pass.
            let outer = |layer| blocks.around(layer).first();
            let comes_first = writer < reader || (outer(writer).is_some() && outer(writer) == outer(reader));
            let written: BTreeSet<RegisterId> = writing.assignments.iter().map(|it| it.target).collect();
            for register in registers.iter().filter(|register| comes_first && written.contains(register)) {
                let data = PyDict::new(py);
                data.set_item("register", &declared.registers[*register].name)?;
                edges.push((writer.number(), reader.number(), data));
            }
        }
    }
    Ok(edges)
}
