//! The labels of productions and blocks as names.

use crate::{span::Span, tree::Tree};

/// Returns a label without its comment mark, or `None` if nothing else is in it.
pub fn label(tree: &Tree, comment: Option<Span>) -> Option<String> {
    let text = plain_label(tree.str(comment?));
    (!text.is_empty()).then(|| text.to_owned())
}

/// The text of a label without its comment mark.
pub fn plain_label(label: &str) -> &str {
    label.trim_start_matches(['#', '/']).trim()
}
