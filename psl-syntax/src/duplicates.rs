//! Productions that repeat an earlier one, with nothing changed in between.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    flow::{Claim, Flow, FlowLayer},
    program::{CausalAttn, Operand, RegisterId, Select},
};

/// The effect of a production, independent of the order in which it is written.
#[derive(PartialEq, Eq, Hash)]
struct Effect<'f> {
    conditions: &'f [Claim],
    assignments: Vec<(RegisterId, Operand)>,
    /// The choice among the visible cells, if it can attend to a different cell.
    choice: Option<(CausalAttn, Select)>,
}

/// The layers that repeat an earlier one, in order, each with that earlier layer.
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

fn effect<'f>(flow: &Flow<'_>, layer: &'f FlowLayer<'_>) -> Effect<'f> {
    let production = layer.production;
    let assignments = production.assignments.iter();
    let mut assignments: Vec<_> = assignments.map(|it| (it.target, flow.canon.operand(it.source))).collect();
    assignments.sort_unstable();
    let choice = layer.sees().map(|cells| (cells, production.select));
    Effect { conditions: &layer.conditions, assignments, choice }
}

fn does_nothing_new(flow: &Flow<'_>, layer: &FlowLayer<'_>, number: usize, earlier: usize) -> bool {
    let assignments = || layer.production.assignments.iter();
    let read = || layer.tested().chain(assignments().filter_map(|it| it.source.register()).map(|place| place.register));
    let written = || assignments().map(|it| it.target);
    // A production that writes what it reads can have a new effect the second time.
    let targets: FxHashSet<RegisterId> = written().collect();
    let settled = || read().all(|register| !targets.contains(&register));
    // A block around the later layer alone must not undo it in the next pass.
    let block = flow.outermost_without(layer.block, earlier).map(|block| block.layers.clone());
    let unchanged = |register| {
        flow.unwritten(register, earlier + 1..number)
            && block.clone().is_none_or(|block| {
                flow.unwritten(register, block.start..number) && flow.unwritten(register, number + 1..block.end)
            })
    };
    settled() && read().chain(written()).all(unchanged)
}
