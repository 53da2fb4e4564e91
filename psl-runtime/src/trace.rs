//! The trace of a run, cell by cell and layer by layer.

use serde_json::{Map, Value, json};

use crate::{
    input::{Registers, State},
    vocabulary::{ValueId, Vocabulary},
};

/// The update of one cell by one layer. All numbers are 1-based, except that `step` 0 is the prompt pass.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Update {
    /// The generated cell that is computed, or 0 in the prompt pass.
    pub step: usize,
    /// The layer: the number of the production in program order.
    pub layer: usize,
    /// The passes of the enclosing repeat blocks, outermost first.
    pub pass: Vec<usize>,
    /// The cell, N.
    pub cell: usize,
    /// The cell n that it attends to, or `None` if the layer does not fire.
    pub attends: Option<usize>,
    /// The assigned values that are not null, each with its register's index in [`Registers`].
    pub set: Vec<(usize, ValueId)>,
    /// The cell's registers after the layer.
    pub state: State,
}

/// The place of an update in a trace, as text: `step 0, layer 3, pass [1], cell 5`. The numbers are those of [`Update`].
pub fn place_in_words(step: usize, layer: usize, pass: &[usize], cell: usize) -> String {
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
    /// The label of each layer: entry i is that of layer i + 1.
    pub labels: &'a [Option<String>],
}

impl Update {
    /// The update as one line of `psl run --trace`, with the registers' long names. Null registers are left out.
    pub fn to_json(&self, names: &TraceNames<'_>) -> Value {
        let label = self.layer.checked_sub(1).and_then(|index| names.labels.get(index)).and_then(Option::as_deref);
        let held = self.state.iter().enumerate().filter_map(|(register, held)| held.map(|value| (register, value)));
        json!({
            "step": self.step,
            "layer": self.layer,
            "pass": self.pass,
            "cell": self.cell,
            "attends": self.attends,
            "production": label,
            "set": object(self.set.iter().copied(), names),
            "state": object(held, names),
        })
    }
}

fn object(values: impl Iterator<Item = (usize, ValueId)>, names: &TraceNames<'_>) -> Map<String, Value> {
    values
        .filter_map(|(register, value)| {
            let name = names.registers.long.get(register)?;
            Some((name.clone(), Value::from(names.vocabulary.show(Some(value)))))
        })
        .collect()
}
