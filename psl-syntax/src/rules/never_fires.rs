//! `never-fires`: conditions that can each hold, but never all at once.

use crate::{
    codes::Code,
    diagnostic::Diagnostic,
    domains::{Contradiction, conjunctions},
    facts::Facts,
    program::CausalAttn,
    rules::wording::Wording,
    span::Span,
};

/// A warning for each production that never fires, and for each `until` that never holds, by a contradiction.
pub fn never_fires(facts: &Facts<'_>) -> Vec<Diagnostic> {
    let wording = Wording::new(facts.program, facts.domains);
    let report = |contradiction: &Contradiction, fires: bool| {
        let consequence = if fires { "so this production never fires" } else { "so this never ends the block" };
        report(contradiction, &wording, consequence)
    };
    let conjunctions = conjunctions(facts.program);
    let found = conjunctions.iter().filter_map(|conjunction| {
        let contradiction = facts.verdicts.at(conjunction.point)?.contradiction.as_ref()?;
        Some(report(contradiction, conjunction.production.is_some()))
    });
    found.collect()
}

fn report(contradiction: &Contradiction, wording: &Wording<'_>, consequence: &str) -> Diagnostic {
    let report = |span: Span, why: String, help: &str| {
        Diagnostic::new(Code::NeverFires, span, format!("{why}, {consequence}")).help(help)
    };
    let split = "leave one of the conditions out, or make a production of each";
    match contradiction {
        Contradiction::TwoPlaces { first, second } => {
            report(*second, "n cannot stand in two places".to_owned(), split).label(*first, "n has its place from here")
        }
        Contradiction::Hidden { span, causal_attn } => {
            let side = if *causal_attn == CausalAttn::True { "right" } else { "left" };
            let why = format!("`causal_attn: {}` hides the cells to the {side}", causal_attn.as_str());
            report(*span, why, "look to the other side, or set `causal_attn: false` above")
        }
        Contradiction::NoValue { span, place, others } => {
            let why = format!("{} cannot meet all its conditions at once", wording.place(*place));
            report(*span, why, split).labels(others.iter().copied(), "the other condition")
        }
    }
}
