//! Assignments that are overwritten before anything reads them.
//!
//! To stay linear, an assignment is compared with the next one to its register, and with the next one in a layer that
//! matches in every cell: one of the two is nearly always the one that overwrites it.

use super::{Claim, Flow, Layer, Uses, Write};
use crate::{
    codes::Code,
    diagnostic::Diagnostic,
    program::{Operand, RegisterId, Test},
};

/// A warning for each. Duplicates change nothing, so they count as if they were not there.
pub(super) fn dead_assignments(flow: &Flow<'_>, duplicates: &[(usize, usize)]) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for (register, uses) in flow.registers() {
        let read = !uses.reads.is_empty() || flow.program.roles.output == Some(register);
        if read && !uses.watched {
            in_register(flow, register, uses, duplicates, &mut diagnostics);
        }
    }
    diagnostics
}

fn in_register(
    flow: &Flow<'_>,
    register: RegisterId,
    uses: &Uses,
    duplicates: &[(usize, usize)],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let (mut next, mut next_everywhere): (Option<&Write>, Option<&Write>) = (None, None);
    for write in uses.writes.iter().rev() {
        if duplicates.binary_search_by_key(&write.layer, |&(layer, _)| layer).is_ok() {
            continue;
        }
        let mut later = [next, next_everywhere].into_iter().flatten();
        if let Some(over) = later.find(|over| overwrites(flow, uses, write, over)) {
            let name = flow.name(register);
            let message = format!("`{name}` is overwritten before anything reads it");
            diagnostics.push(
                Diagnostic::new(Code::DeadAssignment, write.span, message)
                    .label(over.span, "overwritten here in each cell that the first one reaches")
                    .help(format!("take this assignment out, or read `{name}` between the two")),
            );
        }
        next = Some(write);
        if flow.layers.get(write.layer).is_some_and(|layer| matches_everywhere(flow, layer)) {
            next_everywhere = next;
        }
    }
}

/// Whether what `write` leaves is overwritten by `over` in the same cells, each time, and not read before that.
fn overwrites(flow: &Flow<'_>, uses: &Uses, write: &Write, over: &Write) -> bool {
    let (Some(first), Some(second)) = (flow.layers.get(write.layer), flow.layers.get(over.layer)) else { return false };
    let never_null = match over.source {
        Operand::Constant(_) => true,
        Operand::Register(place, None) => flow.program.never_null(place.register),
        Operand::Register(_, Some(_)) => false,
    };
    let always_runs = || flow.around(first.block).all(|block| block.layers.contains(&over.layer));
    let matches_there = || {
        matches_everywhere(flow, second)
            || (second.conditions.iter().all(|claim| first.conditions.binary_search(claim).is_ok())
                && (second.sees().is_none() || second.sees() == first.sees())
                && second.tested().all(|register| flow.unwritten(register, write.layer..over.layer)))
    };
    never_null && !uses.read_between(write.layer, over.layer) && always_runs() && matches_there()
}

/// Whether every cell at least matches itself.
fn matches_everywhere(flow: &Flow<'_>, layer: &Layer<'_>) -> bool {
    let holds = |(left, test): &Claim| {
        matches!(test, Test::Is(Operand::Register(right, None))
            if right.register == left.register && flow.program.never_null(left.register))
    };
    layer.conditions.iter().all(holds)
}
