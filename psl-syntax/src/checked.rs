//! All that the text of a program tells, in one value.

use std::sync::Arc;

use crate::{
    analysis::{Analysis, analyze_after},
    diagnostic::Diagnostic,
    parse::{Parse, parse_shared, reparse},
    rules::findings,
    tree::Tree,
};

/// Parses and analyzes a text, which the tree then shares with the caller, without what only the program as a whole shows.
pub fn read(text: Arc<str>) -> Checked {
    analyzed(None, parse_shared(text))
}

/// Parses and analyzes a text as [`read`] does, in less time where it is much like the one that `earlier` was read from.
pub fn reread(earlier: &Checked, text: Arc<str>) -> Checked {
    analyzed(Some(&earlier.analysis), reparse(&earlier.tree, text))
}

fn analyzed(earlier: Option<&Analysis>, Parse { tree, mut diagnostics }: Parse) -> Checked {
    let mut analysis = analyze_after(earlier, &tree);
    diagnostics.append(&mut analysis.diagnostics);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    Checked { tree, analysis, diagnostics }
}

/// Parses and analyzes a text; the diagnostics of every step are in [`Checked::diagnostics`], in the order of the text.
pub fn check(text: &str) -> Checked {
    let mut checked = read(Arc::from(text));
    checked.diagnostics.extend(findings(&checked.tree, &checked.analysis));
    checked.diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    checked
}

/// All that the text of a program tells.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The tree.
    pub tree: Tree,
    /// What it means; its own list of diagnostics is empty.
    pub analysis: Analysis,
    /// The diagnostics of the steps taken, in the order of the text: see [`apply_levels`](crate::apply_levels()).
    pub diagnostics: Vec<Diagnostic>,
}

impl Checked {
    /// Whether the program compiles.
    pub fn compiles(&self) -> bool {
        !self.diagnostics.iter().any(Diagnostic::is_error)
    }
}
