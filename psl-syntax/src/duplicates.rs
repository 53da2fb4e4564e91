//! Productions that repeat an earlier one with nothing changed in between.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    flow::{Claim, Flow, Layer},
    program::{CausalAttn, Operand, RegisterId, Select},
};

/// What a production does, whatever the order in which it is written.
#[derive(PartialEq, Eq, Hash)]
struct Effect<'f> {
    conditions: &'f [Claim],
    assignments: Vec<(RegisterId, Operand)>,
    /// Which of the cells it sees it attends to, where that can be another one.
    choice: Option<(CausalAttn, Select)>,
}

/// The layers that do nothing new, in order, each with the earlier one that it repeats.
pub fn duplicates(flow: &Flow<'_>) -> Vec<(usize, usize)> {
    let mut last = FxHashMap::default();
    let mut found = Vec::new();
    for (number, layer) in flow.layers.iter().enumerate() {
        if let Some(earlier) = last.insert(effect(flow, layer), number)
            && does_nothing_new(flow, layer, number, earlier)
        {
            found.push((number, earlier));
        }
    }
    found
}

fn effect<'f>(flow: &Flow<'_>, layer: &'f Layer<'_>) -> Effect<'f> {
    let production = layer.production;
    let assignments = production.assignments.iter();
    let mut assignments: Vec<_> = assignments.map(|it| (it.target, flow.canon.operand(it.source))).collect();
    assignments.sort_unstable();
    let choice = layer.sees().map(|cells| (cells, production.select));
    Effect { conditions: &layer.conditions, assignments, choice }
}

fn does_nothing_new(flow: &Flow<'_>, layer: &Layer<'_>, number: usize, earlier: usize) -> bool {
    let assignments = || layer.production.assignments.iter();
    let read = || layer.tested().chain(assignments().filter_map(|it| it.source.place()).map(|place| place.register));
    let written = || assignments().map(|it| it.target);
    // One that writes what it reads can do something new the second time.
    let targets: FxHashSet<RegisterId> = written().collect();
    let settled = || read().all(|register| !targets.contains(&register));
    // A block around the later one only must not undo it for its next pass.
    let block = flow.outermost_without(layer.block, earlier).map(|block| block.layers.clone());
    let unchanged = |register| {
        flow.unwritten(register, earlier + 1..number)
            && block.clone().is_none_or(|block| {
                flow.unwritten(register, block.start..number) && flow.unwritten(register, number + 1..block.end)
            })
    };
    settled() && read().chain(written()).all(unchanged)
}
