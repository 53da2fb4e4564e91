//! Registers that matter for continuations and rows.

use std::collections::BTreeSet;

use psl_syntax::program::RegisterId;

use super::part::{End, Part};

/// The registers that matter: the results, those that an end of a block reads, those that change in a block that runs
/// until nothing changes, and those that a layer reads which writes one that matters. Cells keep registers for later
/// cells, so that one which matters somewhere matters everywhere.
pub fn live(parts: &[Part], results: impl Iterator<Item = RegisterId>) -> BTreeSet<RegisterId> {
    let mut live: BTreeSet<RegisterId> = results.collect();
    loop {
        let before = live.len();
        grow(parts, &mut live);
        if live.len() == before {
            return live;
        }
    }
}

/// Recursion depth is the nesting of repeat blocks, which the parser limits.
fn grow(parts: &[Part], live: &mut BTreeSet<RegisterId>) {
    for part in parts {
        match part {
            Part::Layer(layer) if layer.writes.keys().any(|register| live.contains(register)) => {
                let sources = layer.writes.iter().filter(|(register, _)| live.contains(register));
                let sources = sources.filter_map(|(_, (term, _))| term.register());
                let read: Vec<_> = layer.claims.reads().chain(sources).map(|place| place.register).collect();
                live.extend(read);
            }
            Part::Layer(_) => {}
            Part::Block { body, end } => {
                match end {
                    End::NoChange => live.extend(body.iter().flat_map(written)),
                    End::Claims(claims) => live.extend(claims.reads().map(|place| place.register)),
                    End::Never => {}
                }
                grow(body, live);
            }
        }
    }
}

/// Recursion depth is the nesting of repeat blocks, which the parser limits.
fn written(part: &Part) -> Vec<RegisterId> {
    match part {
        Part::Layer(layer) => layer.writes.keys().copied().collect(),
        Part::Block { body, .. } => body.iter().flat_map(written).collect(),
    }
}

/// The parts without writes to registers that do not matter, and without layers that write nothing else. Recursion
/// depth is the nesting of repeat blocks, which the parser limits.
pub fn without_dead(parts: Vec<Part>, live: &BTreeSet<RegisterId>) -> Vec<Part> {
    let keep = |part| match part {
        Part::Layer(mut layer) => {
            layer.writes.retain(|register, _| live.contains(register));
            (!layer.writes.is_empty()).then_some(Part::Layer(layer))
        }
        Part::Block { body, end } => Some(Part::Block { body: without_dead(body, live), end }),
    };
    parts.into_iter().filter_map(keep).collect()
}
