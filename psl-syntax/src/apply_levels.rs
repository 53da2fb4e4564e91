//! From what was found to what is shown.

use crate::{allow::allows, codes::Code, diagnostic::Diagnostic, levels::Levels, tree::Tree};

/// Leaves out what the text allows and what is configured off, makes the rest as bad as configured, and adds what is wrong
/// with the allows themselves. In the order of the text; n log n in the length of text and list.
///
/// `found` is all that is known, but of the codes in `pending` there may be more, as where tests still run: no allow of theirs
/// is called unused. Neither is one in a program with errors, which hide what follows from them.
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
