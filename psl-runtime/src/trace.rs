//! The trace of a run, cell by cell and layer by layer.

use std::{fmt::Display, sync::Arc};

use psl_syntax::program::{ProductionId, RegisterId};
use serde_json::{Map, Value, json};

use crate::{
    cell_id::CellId,
    heads::HeadPlace,
    input::{Registers, State},
    vocabulary::{ValueId, Vocabulary},
};

/// The update of one cell by one layer, or by one head of a layer that has several.
///
/// A layer with several heads has an update of each cell for each head: those of its first head come first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Update {
    /// The generated cell that is computed, or 0 in the prompt pass.
    pub step: usize,
    /// The layer, or the head of a layer that has several, as its production.
    pub layer: ProductionId,
    /// The passes of the enclosing repeat blocks, outermost first, each counted from 1.
    pub pass: Vec<usize>,
    /// The cell, N.
    pub cell: CellId,
    /// The cell n that it attends to, or `None` if the production does not fire.
    pub attends: Option<CellId>,
    /// The assigned values that are not null, each with its register.
    pub set: Vec<(RegisterId, ValueId)>,
    /// The cell's registers after the layer, with what all of its heads set. It is shared with other updates of the
    /// cell.
    pub state: Arc<State>,
}

/// The place of an update in a trace, as text: `step 0, layer 3, pass [1], cell 5`.
pub fn place_in_words(step: usize, layer: impl Display, pass: &[usize], cell: impl Display) -> String {
    format!("step {step}, layer {layer}, pass {pass:?}, cell {cell}")
}

/// The updates of a run, in the order of computation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// One update for each cell, layer and pass.
    pub updates: Vec<Update>,
}

impl Trace {
    /// The first index at which the two differ, with the update of each there.
    pub fn first_difference<'a>(&'a self, other: &'a Self) -> Option<(usize, Option<&'a Update>, Option<&'a Update>)> {
        let length = self.updates.len().max(other.updates.len());
        (0..length)
            .map(|index| (index, self.updates.get(index), other.updates.get(index)))
            .find(|(_, ours, theirs)| ours != theirs)
    }
}

/// The names for showing a trace.
#[derive(Clone, Copy, Debug)]
pub struct TraceNames<'a> {
    /// The names of the registers.
    pub registers: &'a Registers,
    /// The values.
    pub vocabulary: &'a Vocabulary,
    /// The label of each production.
    pub labels: &'a [Option<String>],
    /// The place of each production, in the same order. Empty if every layer has one head.
    pub heads: &'a [HeadPlace],
}

impl Update {
    /// The update as one line of `psl run --trace`, with the registers' long names. Null registers are left out. For a
    /// program that has a layer with several heads, `layer` is the number of the layer, and `head` that of the head in
    /// it.
    pub fn to_json(&self, names: &TraceNames<'_>) -> Value {
        let label = names.labels.get(self.layer.index()).and_then(Option::as_deref);
        let place = names.heads.get(self.layer.index());
        let held = self
            .state
            .iter()
            .enumerate()
            .filter_map(|(register, held)| held.map(|value| (RegisterId::new(register), value)));
        let mut line = Map::new();
        line.insert("step".to_owned(), self.step.into());
        line.insert("layer".to_owned(), place.map_or(self.layer.number(), |place| place.layer.number()).into());
        line.extend(place.map(|place| ("head".to_owned(), place.head.into())));
        line.insert("pass".to_owned(), json!(self.pass));
        line.insert("cell".to_owned(), self.cell.number().into());
        line.insert("attends".to_owned(), json!(self.attends.map(CellId::number)));
        line.insert("production".to_owned(), json!(label));
        line.insert("set".to_owned(), object(self.set.iter().copied(), names).into());
        line.insert("state".to_owned(), object(held, names).into());
        Value::Object(line)
    }
}

fn object(values: impl Iterator<Item = (RegisterId, ValueId)>, names: &TraceNames<'_>) -> Map<String, Value> {
    values
        .filter_map(|(register, value)| {
            let name = names.registers.long.get(register.index())?;
            Some((name.clone(), Value::from(names.vocabulary.show(Some(value)))))
        })
        .collect()
}
