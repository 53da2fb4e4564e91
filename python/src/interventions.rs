//! Interventions as arguments: a dictionary from places to values.

use psl_program::Intervention;
use psl_syntax::program::ProductionId;
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyDict, PyTuple},
};

use super::{
    handle::Program,
    names::LayerName,
    numbers::{Number, Passes, wrong_type},
};

/// A place as a tuple: the number of the layer, or 0 for the start of the cell; the passes, or `None` for all; the
/// cell, and the register.
pub type Place = (usize, Option<Vec<usize>>, usize, String);

/// The interventions of a program, from a dictionary with keys `(layer, cell, register)` or
/// `(layer, pass, cell, register)`.
///
/// # Errors
///
/// A `TypeError` for another form, and the errors of [`Program::layer_named`].
pub fn interventions(program: &Program, given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Intervention>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    let form = "a dict such as {(\"P3a\", 9, \"region\"): \"XQ\"}, with keys (layer, cell, register) or (layer, pass, cell, \
                register)";
    let entries = given.cast::<PyDict>().map_err(|_| wrong_type("set", form, given))?;
    let entry = |(place, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let place = place.cast::<PyTuple>().map_err(|_| wrong_type("set", form, &place))?;
        let (layer, pass, cell, register) = match place.len() {
            3 => (place.get_item(0)?, None, place.get_item(1)?, place.get_item(2)?),
            4 => (place.get_item(0)?, Some(place.get_item(1)?), place.get_item(2)?, place.get_item(3)?),
            _ => return Err(PyTypeError::new_err(format!("`set` is {form}; found {place}"))),
        };
        let pass = pass.filter(|pass| !pass.is_none()).map(|pass| Passes::of("pass", &pass)).transpose()?;
        Ok(Intervention {
            layer: layer_or_start(program, LayerName::of("layer", &layer)?)?,
            pass: pass.map(Passes::numbers),
            cell: usize::of("cell", &cell)?,
            register: register.extract()?,
            value: value.extract()?,
        })
    };
    entries.iter().map(entry).collect()
}

/// The layer with a name, or `None` for 0, the start.
fn layer_or_start(program: &Program, name: LayerName) -> PyResult<Option<ProductionId>> {
    if matches!(name, LayerName::Number(0)) { Ok(None) } else { program.layer_named(name).map(Some) }
}

/// The place of an intervention.
pub fn place(intervention: &Intervention) -> Place {
    let Intervention { layer, pass, cell, register, .. } = intervention.clone();
    (layer.map_or(0, ProductionId::number), pass, cell, register)
}

/// The intervention at a place.
pub fn at_place((layer, pass, cell, register): Place, value: Option<String>) -> Intervention {
    Intervention { layer: ProductionId::of_number(layer), pass, cell, register, value }
}
