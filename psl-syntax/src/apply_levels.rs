//! From the diagnostics found to the diagnostics shown.

use crate::{allow::allows, codes::Code, diagnostic::Diagnostic, levels::Levels, tree::Tree};

/// Removes the diagnostics that are allowed or off, sets the configured severities, and adds reports of unused
/// allows. The result is in text order. Takes n log n time in the length of the text and the list.
///
/// More diagnostics of the codes in `pending` may still come, for example while tests run, so no allow of these codes
/// is reported as unused. Neither is any allow in a program with errors, which can hide further diagnostics.
pub fn apply_levels(tree: &Tree, mut found: Vec<Diagnostic>, pending: &[Code], levels: &Levels) -> Vec<Diagnostic> {
    found.sort_by_key(|diagnostic| diagnostic.span);
    let compiles = !found.iter().any(|diagnostic| diagnostic.code.is_error());
    let all_found = |code| compiles && !pending.contains(&code) && !levels.is_off(code);
    let mut allows = allows(tree);
    let mut shown = allows.accept(found);
    shown.extend(allows.unused(tree, &all_found));
    shown.retain_mut(|diagnostic| match levels.of(diagnostic) {
        Some(severity) => {
            diagnostic.severity = severity;
            true
        }
        None => false,
    });
    shown.sort_by_key(|diagnostic| diagnostic.span);
    shown
}
