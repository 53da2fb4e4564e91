//! `never-fires`: conditions that can each hold alone, but never together.

use super::wording::Wording;
use crate::{
    codes::Code, diagnostic::Diagnostic, domains::Contradiction, facts::Facts, program::CausalAttn, span::Span,
};

/// A warning for each production that never fires, and each `until` that never holds, because of a contradiction.
pub fn never_fires(facts: &Facts<'_>) -> Vec<Diagnostic> {
    let wording = Wording::new(facts.program, facts.domains);
    let report = |contradiction: &Contradiction, fires: bool| {
        let consequence = if fires { "so this production never fires" } else { "so this `until` never holds" };
        report(contradiction, &wording, consequence)
    };
    let found = facts.conjunctions.iter().filter_map(|conjunction| {
        let contradiction = facts.verdicts.at(conjunction.point)?.contradiction.as_ref()?;
        Some(report(contradiction, conjunction.production.is_some()))
    });
    found.collect()
}

fn report(contradiction: &Contradiction, wording: &Wording<'_>, consequence: &str) -> Diagnostic {
    let report = |span: Span, why: String, help: &str| {
        Diagnostic::new(Code::NeverFires, span, format!("{why}, {consequence}")).help(help)
    };
    let split = "remove one of the conditions, or split the production in two";
    match contradiction {
        Contradiction::TwoPlaces { first, second } => {
            report(*second, "`n` cannot be two different cells".to_owned(), split)
                .label(*first, "this already fixes `n`")
        }
        Contradiction::Hidden { span, causal_attn } => {
            let (side, visible) = if *causal_attn == CausalAttn::True { ("right", "left") } else { ("left", "right") };
            let why = format!("`causal_attn: {}` hides the cells to the {side}", causal_attn.as_str());
            let help = format!("attend to a cell on the {visible}, or set `causal_attn: false` above");
            report(*span, why, &help)
        }
        Contradiction::NoValue { span, place, others } => {
            let why = format!("{} cannot satisfy all conditions at once", wording.place(*place));
            report(*span, why, split).labels(others.iter().copied(), "conflicting condition")
        }
    }
}
