//! The reasons of a critical path in words.

use psl_syntax::{
    program::{Cell, Program},
    schedule::{Dependence, Order, Usage, Wait},
};

use super::Plan;

impl Plan {
    /// The reason why a production of the critical path cannot have an earlier layer, given the one before it: `reads region[n], which P5b
    /// writes`.
    pub(super) fn reason(&self, program: &Program, before: Option<usize>, production: usize) -> String {
        let Some(before) = before.map(|before| self.name(before)) else { return String::new() };
        match self.schedule.waits.get(production) {
            Some(Some(Wait { order: Order::After, reasons, .. })) => {
                format!("{}, which {before} writes", uses(program, reasons))
            }
            Some(Some(Wait { order: Order::NotBefore, reasons, .. })) => {
                format!("writes what {before} needs as it was: {before} {}", uses(program, reasons))
            }
            Some(None) | None => format!("a repeat block starts or ends after {before}"),
        }
    }
}

/// `reads region[n] and field[N]`.
fn uses(program: &Program, dependences: &[Dependence]) -> String {
    let name = |it: &Dependence| program.register(it.register).map_or("", |register| register.name.as_str());
    let reads = dependences.iter().filter_map(|it| match it.usage {
        Usage::Reads(Cell::Source) => Some(format!("{}[n]", name(it))),
        Usage::Reads(Cell::Updated) => Some(format!("{}[N]", name(it))),
        Usage::Writes => None,
    });
    let reads: Vec<String> = reads.collect();
    if reads.is_empty() {
        let written = dependences.iter().map(|it| name(it).to_owned()).collect::<Vec<_>>();
        return format!("writes {}", listed(&written));
    }
    format!("reads {}", listed(&reads))
}

/// `a, b and c`.
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}
