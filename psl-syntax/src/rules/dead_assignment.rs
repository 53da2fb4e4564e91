//! `dead-assignment`: assignments that are overwritten before anything reads them.
//!
//! To take linear time, an assignment is only compared with the next one to its register, and with the next one in a
//! layer that matches in every cell. One of these is nearly always the one that overwrites it.

use rustc_hash::FxHashMap;

use crate::{
    codes::Code,
    diagnostic::Diagnostic,
    facts::Facts,
    flow::{Flow, Uses, Write},
    program::{CausalAttn, Operand, RegisterId},
};

/// For two layers: whether the second reaches every cell that the first one reaches.
type Reached = FxHashMap<(usize, usize), bool>;

/// A warning for each dead assignment. Duplicate productions are ignored, because they change nothing.
pub fn dead_assignments(facts: &Facts<'_>) -> Vec<Diagnostic> {
    let Facts { flow, duplicates, .. } = facts;
    let mut diagnostics = Vec::new();
    let mut reached = Reached::default();
    for (register, uses) in flow.registers() {
        let read = !uses.reads.is_empty() || flow.program.is_result(register);
        if read && !uses.watched {
            in_register(flow, register, uses, duplicates, &mut reached, &mut diagnostics);
        }
    }
    diagnostics
}

fn in_register(
    flow: &Flow<'_>,
    register: RegisterId,
    uses: &Uses,
    duplicates: &[(usize, usize)],
    reached: &mut Reached,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let (mut next, mut next_everywhere): (Option<&Write>, Option<&Write>) = (None, None);
    for write in uses.writes.iter().rev() {
        if duplicates.binary_search_by_key(&write.layer, |&(layer, _)| layer).is_ok() {
            continue;
        }
        let mut later = [next, next_everywhere].into_iter().flatten();
        if let Some(over) = later.find(|over| overwrites(flow, uses, write, over, reached)) {
            let name = flow.name(register);
            let message = format!("`{name}` is overwritten before anything reads it");
            diagnostics.push(
                Diagnostic::new(Code::DeadAssignment, write.span, message)
                    .label(
                        over.span,
                        format!("`{name}` is overwritten here, in every cell that the first assignment reaches"),
                    )
                    .help(format!("remove this assignment, or read `{name}` between the two")),
            );
        }
        next = Some(write);
        if flow.layers.get(write.layer).is_some_and(|layer| layer.everywhere) {
            next_everywhere = next;
        }
    }
}

/// Whether `over` always overwrites the result of `write` in the same cells, before anything reads it.
fn overwrites(flow: &Flow<'_>, uses: &Uses, write: &Write, over: &Write, reached: &mut Reached) -> bool {
    let never_null = match over.source {
        Operand::Constant(_) => true,
        Operand::Register(place, None) => flow.program.never_null(place.register),
        Operand::Register(_, Some(_)) => false,
    };
    let layers = (write.layer, over.layer);
    never_null
        && !uses.read_between(write.layer, over.layer)
        && *reached.entry(layers).or_insert_with(|| reaches(flow, write.layer, over.layer))
}

/// Whether the second layer reaches every cell that the first one reaches, before the first one runs again.
fn reaches(flow: &Flow<'_>, first: usize, second: usize) -> bool {
    let (Some(one), Some(other)) = (flow.layers.get(first), flow.layers.get(second)) else { return false };
    let always_runs = flow.around(one.block).all(|block| block.layers.contains(&second));
    let asks_no_more = || {
        other.conditions.len() <= one.conditions.len()
            && other.conditions.iter().all(|claim| one.conditions.binary_search(claim).is_ok())
            && (matches!(other.sees(), None | Some(CausalAttn::False)) || other.sees() == one.sees())
            && other.tested().all(|register| flow.unwritten(register, first..second))
    };
    always_runs && (other.everywhere || asks_no_more())
}
