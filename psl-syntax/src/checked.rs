//! The result of parsing and analyzing a text.

use std::sync::OnceLock;

use crate::{
    analysis::{Analysis, analyze, analyze_after},
    codes::Code,
    comments::keep_in_fixes,
    diagnostic::Diagnostic,
    parse::{Parse, parse_shared, reparse},
    rules::{rule_diagnostics, separate_layers},
    source_text::SourceText,
    tree::Tree,
};

/// Parses and analyzes a text, which the tree shares with the caller. Does not apply the rules, which look at the
/// program as a whole.
pub fn read(text: impl Into<SourceText>) -> Checked {
    let parse = parse_shared(text.into());
    let analysis = analyze(&parse.tree);
    checked(parse, analysis)
}

/// Like [`read`], but faster if the text is similar to the one that `earlier` was read from.
pub fn reread(earlier: &Checked, text: impl Into<SourceText>) -> Checked {
    let (parse, unchanged) = reparse(&earlier.tree, text.into());
    let analysis = analyze_after(Some((&earlier.analysis, unchanged)), &parse.tree);
    let mut reread = checked(parse, analysis);
    // The text of a comment changes no finding, only its place.
    if let (Some(comment), Some(known)) = (unchanged.changed_comment, earlier.rule_diagnostics.get()) {
        let place = |offset: u32| if offset <= comment { offset } else { offset.wrapping_add(unchanged.shift) };
        reread.rule_diagnostics = OnceLock::from(known.iter().map(|found| found.moved(place)).collect::<Vec<_>>());
    }
    reread
}

fn checked(Parse { tree, mut diagnostics }: Parse, mut analysis: Analysis) -> Checked {
    diagnostics.append(&mut analysis.diagnostics);
    keep_in_fixes(&tree, &mut diagnostics);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    Checked { tree, analysis, diagnostics, rule_diagnostics: OnceLock::new() }
}

/// Parses and analyzes a text and applies the rules, with those of codes that are off by default. All diagnostics are
/// in [`Checked::diagnostics`], in text order.
pub fn check(text: &str) -> Checked {
    let mut checked = read(text);
    let found = checked.rule_diagnostics().to_vec();
    checked.diagnostics.extend(found);
    if checked.analysis.sound {
        checked.diagnostics.extend(separate_layers(&checked.analysis.program));
    }
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
    rule_diagnostics: OnceLock<Vec<Diagnostic>>,
}

impl Checked {
    /// The diagnostics of all rules, in text order: see [`rule_diagnostics`]. They are computed on demand, because a
    /// hover does not need them.
    pub fn rule_diagnostics(&self) -> &[Diagnostic] {
        self.rule_diagnostics.get_or_init(|| rule_diagnostics(&self.tree, &self.analysis))
    }

    /// Whether the program does not compile, only because it has holes.
    pub fn has_only_holes(&self) -> bool {
        !self.compiles()
            && self.diagnostics.iter().filter(|found| found.is_error()).all(|error| error.code == Code::Hole)
    }

    /// Whether the program compiles.
    pub fn compiles(&self) -> bool {
        !self.diagnostics.iter().any(Diagnostic::is_error)
    }
}
