//! `separate-layers`: productions that cannot be heads of an earlier production's layer.

use crate::{
    codes::Code,
    diagnostic::Diagnostic,
    program::{Production, ProductionId, Program},
    schedule::{Order, Usage, Wait, schedule, uses},
};

/// A note for each production whose layer an earlier one decides, in a program without errors.
pub fn separate_layers(program: &Program) -> Vec<Diagnostic> {
    let productions = program.productions();
    let schedule = schedule(program, None);
    let note = |(later, wait): (&Production, &Option<Wait>)| {
        let wait = wait.as_ref().filter(|wait| wait.order == Order::After)?;
        let earlier = productions.find(ProductionId::new(wait.earlier))?;
        let message = format!(
            "this production needs a later layer than an earlier one: it {}, which that one writes",
            uses(program, &wait.reasons)
        );
        let help = if wait.reasons.iter().any(|reason| reason.usage == Usage::Writes) {
            "if both never fire in one cell, give them guards on one register that exclude each other"
        } else {
            "`psl schedule` shows the layer of each production"
        };
        let note = Diagnostic::new(Code::SeparateLayers, later.head, message);
        Some(note.label(earlier.head, "the earlier production").help(help))
    };
    productions.iter().copied().zip(&schedule.waits).filter_map(note).collect()
}
