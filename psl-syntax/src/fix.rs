//! Applies the certain fixes of diagnostics.
//!
//! Invariants: fixing never adds an error, and fixing a fixed text changes nothing. This holds for any fixes, because
//! each one is kept only after the text with it was diagnosed, and fixing ends when no fix of the text can be kept.

use std::collections::BTreeMap;

use crate::{
    codes::Code,
    diagnostic::{Diagnostic, Edit, Fix},
    span::Span,
};

/// Maximum number of rounds. If fixes still lead to more fixes then, they undo each other, and nothing is changed.
const MAX_ROUNDS: usize = 100;

/// Maximum number of attempts in a round to find the fixes that cannot be kept together with the others.
const MAX_TRIES: usize = 256;

/// A fixed text and the applied fixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The fixed text.
    pub text: String,
    /// The code of each diagnostic whose fix was applied.
    pub applied: Vec<Code>,
    /// The diagnostics of the fixed text.
    pub left: Vec<Diagnostic>,
}

/// Applies the certain fixes of the diagnostics of a text, then those of the result, until none is left. Of fixes
/// that overlap, the first one is applied, and the other one only if it is still offered afterwards.
pub fn fix(text: &str, diagnose: impl Fn(&str) -> Vec<Diagnostic>) -> Fixed {
    let mut fixed = Fixed { text: text.to_owned(), applied: Vec::new(), left: diagnose(text) };
    for _ in 0..MAX_ROUNDS {
        let Some(better) = round(&fixed, &diagnose) else { return fixed };
        fixed = better;
    }
    Fixed { text: text.to_owned(), applied: Vec::new(), left: diagnose(text) }
}

/// Applies the fixes that do not overlap, or returns `None` if none can be kept.
fn round(before: &Fixed, diagnose: &impl Fn(&str) -> Vec<Diagnostic>) -> Option<Fixed> {
    let mut offered: Vec<(Span, Code, &Fix)> = before.left.iter().filter_map(certain).collect();
    offered.sort_by_key(|&(span, ..)| span);
    let mut end = None;
    offered.retain(|&(span, ..)| {
        let free = end.is_none_or(|end| span.start > end || span.start == end && !span.is_empty());
        if free {
            end = Some(span.end);
        }
        free
    });
    let mut kept: Vec<(Span, Code, &Fix)> = Vec::new();
    let mut result = None;
    // The parts still to try, the next one last.
    let mut open = vec![offered.as_slice()];
    for _ in 0..MAX_TRIES {
        let Some(part) = open.pop() else { break };
        let together = [kept.as_slice(), part].concat();
        if let Some(text) = apply(&before.text, &together).filter(|text| *text != before.text) {
            let left = diagnose(&text);
            if no_new_error(&before.left, &left) {
                let codes = together.iter().map(|&(_, code, _)| code);
                let applied = before.applied.iter().copied().chain(codes).collect();
                result = Some(Fixed { text, applied, left });
                kept = together;
                continue;
            }
        }
        if let (first, second @ [_, ..]) = part.split_at(part.len() / 2)
            && !first.is_empty()
        {
            open.extend([second, first]);
        }
    }
    result
}

/// The certain fix of a diagnostic, if there is one, with the span that its edits cover.
fn certain(diagnostic: &Diagnostic) -> Option<(Span, Code, &Fix)> {
    let fix = diagnostic.fixes.iter().find(|fix| fix.certain)?;
    let span = fix.edits.iter().map(|edit| edit.span).reduce(Span::join)?;
    Some((span, diagnostic.code, fix))
}

/// Applies fixes that do not overlap. Returns `None` if an edit is outside of the text.
fn apply(text: &str, fixes: &[(Span, Code, &Fix)]) -> Option<String> {
    let mut edits: Vec<&Edit> = fixes.iter().flat_map(|(_, _, fix)| &fix.edits).collect();
    edits.sort_by_key(|edit| edit.span);
    Edit::apply(edits, text)
}

/// Whether each error in `after` is also in `before`, possibly at a different place.
fn no_new_error(before: &[Diagnostic], after: &[Diagnostic]) -> bool {
    let errors = |found| <[Diagnostic]>::iter(found).filter(|diagnostic| diagnostic.code.is_error());
    let mut known: BTreeMap<(Code, &str), usize> = BTreeMap::new();
    for error in errors(before) {
        *known.entry((error.code, &error.message)).or_default() += 1;
    }
    errors(after).all(|error| {
        let count = known.get_mut(&(error.code, &error.message)).filter(|count| **count > 0);
        count.map(|count| *count -= 1).is_some()
    })
}
