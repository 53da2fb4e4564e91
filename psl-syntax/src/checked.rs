//! The result of parsing and analyzing a text.

use std::sync::Arc;

use crate::{
    analysis::{Analysis, analyze_after},
    diagnostic::Diagnostic,
    parse::{Parse, parse_shared, reparse},
    rules::findings,
    tree::Tree,
};

/// Parses and analyzes a text, which the tree shares with the caller. Does not apply the rules, which look at the
/// program as a whole.
pub fn read(text: Arc<str>) -> Checked {
    analyzed(None, parse_shared(text))
}

/// Like [`read`], but faster if the text is similar to the one that `earlier` was read from.
pub fn reread(earlier: &Checked, text: Arc<str>) -> Checked {
    analyzed(Some(&earlier.analysis), reparse(&earlier.tree, text))
}

fn analyzed(earlier: Option<&Analysis>, Parse { tree, mut diagnostics }: Parse) -> Checked {
    let mut analysis = analyze_after(earlier, &tree);
    diagnostics.append(&mut analysis.diagnostics);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    Checked { tree, analysis, diagnostics }
}

/// Parses and analyzes a text and applies the rules. All diagnostics are in [`Checked::diagnostics`], in text order.
pub fn check(text: &str) -> Checked {
    let mut checked = read(Arc::from(text));
    checked.diagnostics.extend(findings(&checked.tree, &checked.analysis));
    checked.diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    checked
}

/// The result of parsing and analyzing a text.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The syntax tree, with its text and tokens.
    pub tree: Tree,
    /// The analysis. Its own list of diagnostics is empty.
    pub analysis: Analysis,
    /// The diagnostics of all steps so far, in text order, before [`apply_levels`](crate::apply_levels()).
    pub diagnostics: Vec<Diagnostic>,
}

impl Checked {
    /// Whether the program compiles.
    pub fn compiles(&self) -> bool {
        !self.diagnostics.iter().any(Diagnostic::is_error)
    }
}
