//! The layers of two traces, and which of them belong together.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use psl_program::{Pair, align};

use super::{twice::Twice, update::Update};
use crate::failure::Failure;

/// A layer of a trace.
#[derive(Default)]
struct TraceLayer {
    number: usize,
    label: Option<String>,
    /// The registers that it sets in some cell of the prompt.
    registers: BTreeSet<String>,
}

/// The layers of two traces that belong together.
#[derive(Default)]
pub struct PairedLayers {
    /// The layers that only one trace has, and those with another label, in words.
    pub differences: Vec<String>,
    /// The layer of B by the layer of A.
    of_a: HashMap<usize, usize>,
    /// The layers of B that A has, too.
    of_b: BTreeSet<usize>,
}

impl PairedLayers {
    /// Reads the layers of two traces, and pairs those of the same production.
    pub fn read(a: &Twice<'_>, b: &Twice<'_>) -> Result<Self, Failure> {
        let (a, b) = (layers(a)?, layers(b)?);
        let mut paired = Self::default();
        for (left, right) in pairs(&a, &b) {
            let left = left.and_then(|index| a.get(index));
            let right = right.and_then(|index| b.get(index));
            if let (Some(left), Some(right)) = (left, right) {
                paired.of_a.insert(left.number, right.number);
                paired.of_b.insert(right.number);
            }
            paired.differences.extend(difference(left, right));
        }
        Ok(paired)
    }

    /// The layer of B for a layer of A, or `None` if only A has it.
    pub fn in_b(&self, layer: usize) -> Option<usize> {
        self.of_a.get(&layer).copied()
    }

    /// Whether A has a layer of B, too.
    pub fn is_in_a(&self, layer: usize) -> bool {
        self.of_b.contains(&layer)
    }
}

/// The layers of a trace: the prompt pass runs each of them.
fn layers(trace: &Twice<'_>) -> Result<Vec<TraceLayer>, Failure> {
    let mut lines = trace.first()?;
    let mut layers = BTreeMap::new();
    while let Some(update) = Update::read(&mut lines)?.filter(|update| update.step == 0) {
        let layer: &mut TraceLayer = layers.entry(update.layer).or_default();
        (layer.number, layer.label) = (update.layer, update.production);
        layer.registers.extend(update.set.into_keys());
    }
    Ok(layers.into_values().collect())
}

/// Pairs layers by their labels. If these differ, the registers that they set distinguish those with the same label or
/// none. They only help then, as the prompt also decides whether a layer fires.
fn pairs(a: &[TraceLayer], b: &[TraceLayer]) -> Vec<Pair> {
    if a.iter().map(|layer| &layer.label).eq(b.iter().map(|layer| &layer.label)) {
        return (0..a.len()).map(|index| (Some(index), Some(index))).collect();
    }
    let keys =
        |layer: &TraceLayer| vec![(layer.label.clone(), Some(layer.registers.clone())), (layer.label.clone(), None)];
    let [a, b] = [a, b].map(|layers| layers.iter().map(keys).collect::<Vec<_>>());
    align(&a, &b)
}

/// The difference of two layers that belong together, or the layer that only one trace has.
fn difference(left: Option<&TraceLayer>, right: Option<&TraceLayer>) -> Option<String> {
    match (left, right) {
        (Some(left), Some(right)) if left.label == right.label => None,
        (Some(left), Some(right)) => Some(format!("edited: {} of A, {} of B", left.name(), right.name())),
        (left, right) => {
            let trace = if left.is_some() { "A" } else { "B" };
            Some(format!("only in {trace}: {}", left.or(right)?.name()))
        }
    }
}

impl TraceLayer {
    /// `layer 3 (# P1a: …)`.
    fn name(&self) -> String {
        let label = self.label.as_ref().map_or_else(String::new, |label| format!(" ({label})"));
        format!("layer {}{label}", self.number)
    }
}
