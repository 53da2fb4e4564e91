//! The reasons of a critical path in words.

use psl_program::Plan;
use psl_syntax::{
    program::Program,
    schedule::{Order, Wait, uses},
};

/// The reason why a production of the critical path cannot have an earlier layer, given the one before it: ``reads
/// `region[n]`, which P5b writes``.
pub fn reason(plan: &Plan, program: &Program, before: Option<usize>, production: usize) -> String {
    let Some(before) = before.map(|before| quoted(plan.name(before))) else { return String::new() };
    match plan.schedule.waits.get(production) {
        Some(Some(Wait { order: Order::After, reasons, .. })) => {
            format!("{}, which {before} writes", uses(program, reasons))
        }
        Some(Some(Wait { order: Order::NotBefore, reasons, .. })) => {
            format!("writes what {before} needs as it was: {before} {}", uses(program, reasons))
        }
        Some(None) | None => format!("a repeat block starts or ends after {before}"),
    }
}

/// A name within a sentence: in quotation marks if it has several words.
fn quoted(name: &str) -> String {
    if name.contains(' ') { format!("\"{name}\"") } else { name.to_owned() }
}
