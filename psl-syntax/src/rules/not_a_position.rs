//! `not-a-position`: functions of values that are not positions.

use super::wording::Wording;
use crate::{
    codes::Code,
    diagnostic::Diagnostic,
    domains::ProgramPoint,
    facts::Facts,
    names::Names,
    program::{CellRegister, Comparison, Operand},
    span::Span,
};

/// A warning for each function of a register that can hold other values because of the program's own writes,
/// regardless of `//@ input`.
pub fn not_a_position(facts: &Facts<'_>) -> Vec<Diagnostic> {
    let wording = Wording::new(facts.program, facts.plain_domains());
    let mut found = Vec::new();
    for conjunction in &facts.conjunctions {
        for condition in conjunction.conditions {
            if let Comparison::Is(right) | Comparison::IsNot(right) = condition.comparison {
                found.extend(report(facts.names, &wording, conjunction.point, right, condition.span));
            }
        }
        for assignment in conjunction.production.into_iter().flat_map(|production| &production.assignments) {
            found.extend(report(facts.names, &wording, conjunction.point, assignment.source, assignment.span));
        }
    }
    found
}

fn report(
    names: &Names,
    wording: &Wording<'_>,
    point: ProgramPoint,
    operand: Operand,
    within: Span,
) -> Option<Diagnostic> {
    let Operand::Register(CellRegister { register, .. }, Some(function)) = operand else { return None };
    let domain = wording.domains.at(point, register);
    if domain.is_empty() || domain.only_positions(&wording.domains.values) {
        return None;
    }
    let (name, can) = (wording.register(register), wording.domain(domain));
    let function = function.as_str();
    let found = Diagnostic::new(
        Code::NotAPosition,
        names.last_in(within).map_or(within, |name| Span::new(name.span.start, within.end)),
        format!("{name} can be {can}, and `@{function}` turns every value except a position into null"),
    )
    .help(format!("apply `@{function}` to a register that only holds positions"));
    Some(wording.origins(found, register, domain))
}
