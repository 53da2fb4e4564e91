//! Dependences in words.

use super::dependence::{Dependence, Usage};
use crate::program::{Cell, Program};

/// The uses that a production makes of registers: ``reads `region[n]` and writes `field` ``.
pub fn uses(program: &Program, dependences: &[Dependence]) -> String {
    let name = |it: &Dependence| program.registers[it.register].name.as_str();
    let (writes, reads): (Vec<&Dependence>, Vec<_>) = dependences.iter().partition(|it| it.usage == Usage::Writes);
    let reads = reads.into_iter().map(|it| {
        let cell = if it.usage == Usage::Reads(Cell::Source) { "n" } else { "N" };
        format!("`{}[{cell}]`", name(it))
    });
    let writes = writes.into_iter().map(|it| format!("`{}`", name(it)));
    let parts = [("reads", reads.collect::<Vec<_>>()), ("writes", writes.collect())];
    let parts = parts.into_iter().filter(|(_, registers)| !registers.is_empty());
    parts.map(|(verb, registers)| format!("{verb} {}", listed(&registers))).collect::<Vec<_>>().join(" and ")
}

/// `a, b and c`.
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}
