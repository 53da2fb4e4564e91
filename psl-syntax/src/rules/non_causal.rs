//! `non-causal`: productions that read a cell to the right of the one they update, or may.

use crate::{
    causality::Causality,
    codes::Code,
    diagnostic::{Diagnostic, Severity},
    facts::Facts,
    program::{Production, Program},
};

const MAY_LOOK_AHEAD: &str = "cell N may read a cell to its right: no condition keeps n at or before N";

/// A warning for each production that looks ahead, or may; of those that may a hint where the program has tests, which can
/// show it. A production that never fires does not look ahead either.
pub fn non_causal(facts: &Facts<'_>) -> Vec<Diagnostic> {
    let productions = facts.program.productions().into_iter().zip(facts.causality).enumerate();
    productions
        .filter(|(layer, _)| !facts.verdicts.never_fires(*layer))
        .filter_map(|(_, (production, causality))| report(facts.program, production, *causality))
        .collect()
}

fn report(program: &Program, production: &Production, causality: Causality) -> Option<Diagnostic> {
    let first = production.conditions.iter().find(|condition| condition.mentions_n())?;
    let (message, severity) = match causality {
        Causality::Proved(_) => return None,
        Causality::LooksAhead => ("cell N reads the cell to its right", Severity::Warning),
        Causality::Unproved if program.tests.is_empty() => (MAY_LOOK_AHEAD, Severity::Warning),
        Causality::Unproved => (MAY_LOOK_AHEAD, Severity::Hint),
    };
    let found = Diagnostic::new(Code::NonCausal, first.span, message).help(
        "keep n at or before N by a condition on its position or by `causal_attn: true`; \
         where looking ahead is meant, write `//@ allow non-causal` above",
    );
    Some(Diagnostic { severity, ..found })
}
