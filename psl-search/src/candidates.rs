//! The parts that the analyses leave for a hole.

use std::collections::{HashMap, HashSet};

use psl_syntax::{
    Checked, Code, Severity, Span,
    diagnostic::Edit,
    holes::{Hole, HoleKind},
    reread,
};

use crate::{
    assessment::{Assessment, Known},
    fillings::Slots,
    name_sorts::NameSorts,
    phrases::Phrase,
    productions::productions,
};

/// Maximum number of parts to check times tokens of the program, so that an editor can wait for the answer.
const MOST_WORK: usize = 200_000;
/// Maximum number of parts to look at, of which perhaps none fits.
const MOST_LOOKED_AT: usize = 1_000_000;
/// Maximum number of parts that are listed.
const MOST: usize = 10_000;

/// The parts that may belong in a hole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidates {
    /// The parts, the most plausible first.
    pub parts: Vec<String>,
    /// Whether other parts may fit, which were not looked at.
    pub cut_off: bool,
}

/// Returns the parts that may belong in a hole. If the program has no other error, they bring no error and no warning.
/// Otherwise, for a whole condition or assignment, and in a long program, they have to do with their place elsewhere in
/// the program. The work is limited, so that an editor can wait for the answer.
pub fn candidates(checked: &Checked, hole: Hole) -> Candidates {
    let names = NameSorts::new(checked);
    let slots = Slots::new(&checked.tree, &names);
    let slot = slots.of(hole);
    let is_only = checked.diagnostics.iter().filter(|found| found.is_error()).all(|found| found.span == hole.span);
    if is_only && !matches!(hole.kind, HoleKind::Condition | HoleKind::Assignment) {
        let most = MOST_WORK / checked.tree.tokens.code.len().max(1);
        let phrases: Vec<Phrase> = slots.phrases(&slot, || true).take(most + 1).collect();
        if phrases.len() <= most {
            let parts = sound(checked, hole, &names, phrases);
            return Candidates { parts, cut_off: false };
        }
    }
    let mut looked_at = 0;
    let going_on = || {
        looked_at += 1;
        looked_at <= MOST_LOOKED_AT
    };
    let mut parts: Vec<String> =
        slots.fitting(&slot, going_on).take(MOST + 1).map(|phrase| phrase.text(&names)).collect();
    let cut_off = looked_at > MOST_LOOKED_AT || parts.len() > MOST;
    parts.truncate(MOST);
    Candidates { parts, cut_off }
}

/// A warning, by its code and message, and whether it is in the production with the hole.
type Warning = (Code, String, bool);

/// The phrases with which the program has no error and no warning that comes from them.
fn sound(checked: &Checked, hole: Hole, names: &NameSorts, phrases: Vec<Phrase>) -> Vec<String> {
    let around = productions(&checked.tree).into_iter().map(|production| production.span);
    let around = around.into_iter().find(|span| span.start <= hole.span.start && hole.span.end <= span.end);
    let known = Known::new(checked);
    let filled = |phrase: Phrase| {
        let text = phrase.text(names);
        let edit = Edit { span: hole.span, text: text.clone() };
        let after = reread(checked, Edit::apply([&edit], &checked.tree.text)?);
        // Warnings end at most at the end of the production.
        let around = around.map(|span| Span::new(span.start, span.end + text.len() as u32));
        let is_near = |span: Span| around.is_some_and(|around| around.start <= span.start && span.end <= around.end);
        let warnings = after.rule_diagnostics().iter().filter(|found| found.severity == Severity::Warning);
        let found = warnings.map(|it| (it.code, it.message.clone(), is_near(it.span)));
        let rank = || Assessment::of_filling(&known, &after, phrase.newly_used(names)).rank();
        after.compiles().then(|| (phrase, rank(), found.collect::<HashSet<Warning>>()))
    };
    let filled: Vec<(Phrase, _, HashSet<Warning>)> = phrases.into_iter().filter_map(filled).collect();
    let mut having: HashMap<&Warning, usize> = HashMap::new();
    for warning in filled.iter().flat_map(|(.., found)| found) {
        *having.entry(warning).or_default() += 1;
    }
    // A warning elsewhere that most phrases leave was there before. One in the production is there before if all leave
    // it.
    let is_new = |warning: &Warning| {
        let having = having.get(warning).copied().unwrap_or(0);
        if warning.2 { having < filled.len() } else { 2 * having <= filled.len() }
    };
    let mut sound: Vec<(Phrase, _)> = filled
        .iter()
        .filter(|(.., found)| !found.iter().any(is_new))
        .map(|(phrase, rank, _)| (*phrase, rank))
        .collect();
    sound.sort_by_key(|(phrase, rank)| (*rank, !phrase.fits));
    sound.into_iter().map(|(phrase, _)| phrase.text(names)).collect()
}
