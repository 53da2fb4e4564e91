//! The parts that the analyses leave for a hole.

use std::collections::{HashMap, HashSet};

use psl_syntax::{
    Checked, Code, Severity, Span,
    diagnostic::Edit,
    holes::{Hole, HoleKind},
    reread,
};

use crate::{fillings::fillings, phrases::Phrase, productions::productions, words::Words};

/// Maximum number of parts to check times productions, so that an editor can wait for the answer.
const MOST_WORK: usize = 10_000;

/// Returns the parts that may belong in a hole, the most plausible first. If the program has no other error, they bring no error
/// and no warning. Otherwise, for a whole condition or assignment, and in a long program, they have to do with their place elsewhere
/// in the program.
pub fn candidates(checked: &Checked, hole: Hole) -> Vec<String> {
    let phrases = fillings(checked, &Words::new(checked), hole);
    let is_only = checked.diagnostics.iter().filter(|found| found.is_error()).all(|found| found.span == hole.span);
    let is_brief = phrases.len() * productions(&checked.tree).len() <= MOST_WORK;
    let found = if is_only && is_brief && !matches!(hole.kind, HoleKind::Condition | HoleKind::Assignment) {
        sound(checked, hole, phrases)
    } else {
        phrases.into_iter().filter(|phrase| phrase.fits).collect()
    };
    found.into_iter().map(|phrase| phrase.text).collect()
}

/// A warning, by its code and message, and whether it is in the production with the hole.
type Warning = (Code, String, bool);

/// The phrases with which the program has no error and no warning that comes from them.
fn sound(checked: &Checked, hole: Hole, phrases: Vec<Phrase>) -> Vec<Phrase> {
    let around = productions(&checked.tree).into_iter().map(|production| production.span);
    let around = around.into_iter().find(|span| span.start <= hole.span.start && hole.span.end <= span.end);
    let filled = |phrase: Phrase| {
        let edit = Edit { span: hole.span, text: phrase.text.clone() };
        let after = reread(checked, Edit::apply([&edit], &checked.tree.text)?.into());
        // Warnings end at most at the end of the production.
        let around = around.map(|span| Span::new(span.start, span.end + phrase.text.len() as u32));
        let is_near = |span: Span| around.is_some_and(|around| around.start <= span.start && span.end <= around.end);
        let warnings = after.findings().iter().filter(|found| found.severity == Severity::Warning);
        let found = warnings.map(|it| (it.code, it.message.clone(), is_near(it.span)));
        after.compiles().then(|| (phrase, found.collect::<HashSet<Warning>>()))
    };
    let filled: Vec<(Phrase, HashSet<Warning>)> = phrases.into_iter().filter_map(filled).collect();
    let mut having: HashMap<&Warning, usize> = HashMap::new();
    for warning in filled.iter().flat_map(|(_, found)| found) {
        *having.entry(warning).or_default() += 1;
    }
    // A warning elsewhere that most phrases leave was there before. One in the production is there before if all leave it.
    let is_new = |warning: &Warning| {
        let having = having.get(warning).copied().unwrap_or(0);
        if warning.2 { having < filled.len() } else { 2 * having <= filled.len() }
    };
    let mut sound: Vec<(&Phrase, usize)> = filled
        .iter()
        .filter(|(_, found)| !found.iter().any(is_new))
        .map(|(phrase, found)| (phrase, found.len()))
        .collect();
    sound.sort_by_key(|(phrase, warnings)| (!phrase.fits, *warnings));
    sound.into_iter().map(|(phrase, _)| phrase.clone()).collect()
}
