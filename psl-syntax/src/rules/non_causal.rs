//! `non-causal`: productions that read, or may read, a cell to the right of the one they update.

use crate::{
    analysis::Analysis,
    causality::Causality,
    codes::Code,
    diagnostic::{Diagnostic, Severity},
    facts::Facts,
    program::{Production, ProductionId},
};

const MAY_LOOK_AHEAD: &str = "cell `N` may attend to a cell to its right: no condition keeps `n` at or before `N`";

/// A warning for each production that looks ahead, or may look ahead. If the program has tests, they decide the
/// latter: see [`undecided_look_aheads`]. A production that never fires is not reported, and none is in a program that
/// generates nothing, whose cells are all there from the start.
pub fn non_causal(facts: &Facts<'_>) -> Vec<Diagnostic> {
    if facts.program.roles.output.is_none() {
        return Vec::new();
    }
    let productions = facts.program.productions();
    let productions = productions.ids().zip(productions.iter().zip(facts.causality));
    productions
        .filter(|(layer, _)| !facts.verdicts.never_fires(*layer))
        .filter_map(|(_, (production, causality))| match causality {
            Causality::LooksAhead => look_ahead(production, "cell `N` attends to the cell to its right"),
            Causality::Unproved if facts.program.tests.is_empty() => look_ahead(production, MAY_LOOK_AHEAD),
            Causality::Unproved | Causality::Proved(_) => None,
        })
        .collect()
}

/// The layers that may look ahead in a program with tests. Each one has a hint, which applies until a test
/// shows something.
pub fn undecided_look_aheads(analysis: &Analysis) -> Vec<(ProductionId, Diagnostic)> {
    let program = &analysis.program;
    if !analysis.sound || program.tests.is_empty() || program.roles.output.is_none() {
        return Vec::new();
    }
    let productions = program.productions();
    let productions = productions.ids().zip(productions.iter().zip(&*analysis.causality));
    productions
        .filter(|(layer, (_, causality))| {
            **causality == Causality::Unproved && !analysis.verdicts().never_fires(*layer)
        })
        .filter_map(|(layer, (production, _))| {
            Some((layer, Diagnostic { severity: Severity::Hint, ..look_ahead(production, MAY_LOOK_AHEAD)? }))
        })
        .collect()
}

fn look_ahead(production: &Production, message: &str) -> Option<Diagnostic> {
    let first = production.conditions.iter().find(|condition| condition.mentions_n())?;
    let found = Diagnostic::new(Code::NonCausal, first.span, message).help(
        "keep `n` at or before `N` with a condition on its position or `causal_attn: true`, \
         or write `//@ allow non-causal` above",
    );
    Some(Diagnostic { severity: Severity::Warning, ..found })
}
