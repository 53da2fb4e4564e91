//! Code actions: what can be done about a place in the text, one file a family.
//!
//! Invariant: what was laid out as the formatter does it still is after an action.

mod fixes;
mod names;
mod rewrites;
mod tests;

use psl_syntax::{
    Code, Diagnostic, Span,
    diagnostic::{Edit, Fix},
    format,
};

use crate::{
    diff,
    server::{diagnostics::diagnostics, documents::Snapshot},
};

/// Something that can be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// What it does.
    pub title: String,
    /// What kind it is of.
    pub kind: Kind,
    /// The change.
    pub edits: Vec<Edit>,
    /// The diagnostics that it is about.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether it is the one that is most likely meant.
    pub preferred: bool,
}

/// The kinds of actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Repairs or accepts a diagnostic.
    QuickFix,
    /// Takes something out into a production of its own.
    Extract,
    /// Says the same otherwise.
    Rewrite,
    /// Applies the safe fixes of the whole file.
    FixAll,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::QuickFix, Self::Extract, Self::Rewrite, Self::FixAll];

    /// As the protocol spells it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::QuickFix => "quickfix",
            Self::Extract => "refactor.extract",
            Self::Rewrite => "refactor.rewrite",
            Self::FixAll => "source.fixAll.psl",
        }
    }
}

/// Which actions are asked for.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Only these kinds, or kinds below them; without that all but those for the whole file.
    pub only: Option<Vec<String>>,
    /// Whether nobody asked: the cursor has moved.
    pub automatic: bool,
}

impl Wanted {
    fn includes(&self, kind: Kind) -> bool {
        let name = kind.as_str();
        let below = |wanted: &String| {
            wanted.is_empty()
                || name.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        match &self.only {
            Some(only) => only.iter().any(below),
            None => kind == Kind::QuickFix || (!self.automatic && kind != Kind::FixAll),
        }
    }
}

/// For how many diagnostics of a selection there are actions: a list of more is not read.
const MOST: usize = 20;

/// The actions for a selection or a cursor.
pub fn actions(snapshot: &Snapshot, span: Span, wanted: &Wanted) -> Vec<Action> {
    let text = snapshot.checked().tree.text.as_ref();
    let mut found = Vec::new();
    if wanted.includes(Kind::QuickFix) {
        let all = diagnostics(snapshot);
        let touched = all.iter().filter(|it| concerns(it, span));
        let here: Vec<&Diagnostic> = touched.take(MOST).collect();
        found.extend(fixes::fixes(&here));
        found.extend(names::declare(snapshot, span, &here));
        found.extend(rewrites::split(snapshot, &here));
        found.extend(tests::take_as_gold(snapshot, &here));
        if !wanted.automatic {
            found.extend(fixes::all_of_a_kind(snapshot, &all, &here));
        }
        found.extend(fixes::allow(snapshot, &here));
    }
    if wanted.includes(Kind::Extract) {
        found.extend(rewrites::extract(snapshot, span));
    }
    if wanted.includes(Kind::Rewrite) {
        found.extend(rewrites::merge(snapshot, span));
        found.extend(tests::save_prompt(snapshot, span));
    }
    if wanted.includes(Kind::FixAll) {
        found.extend(fixes::fix_all(snapshot));
    }
    lay_out(text, &mut found);
    found
}

/// Whether a diagnostic is about something in the selection: an unknown name is reported once for all places where it is used.
fn concerns(found: &Diagnostic, selection: Span) -> bool {
    let touched = |span: Span| span.start <= selection.end && selection.start <= span.end;
    let unknown = matches!(found.code, Code::UnknownRegister | Code::UnknownConstant);
    let others = found.labels.iter().map(|label| label.span);
    let mended = found.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
    touched(found.span) || (unknown && others.chain(mended).any(touched))
}

/// Makes actions leave a text laid out that is so.
fn lay_out(text: &str, actions: &mut [Action]) {
    let is_laid_out = |text: &str| format(text).is_ok_and(|formatted| formatted.edits.is_empty());
    if actions.is_empty() || !is_laid_out(text) {
        return;
    }
    for action in actions {
        action.edits.sort_by_key(|edit| edit.span);
        if let Some(after) = Edit::apply(&action.edits, text)
            && let Ok(formatted) = format(&after)
            && !formatted.edits.is_empty()
        {
            action.edits = diff::edits(text, &formatted.text);
        }
    }
}

/// A fix as an action that is about a diagnostic, or none.
fn action(fix: Fix, kind: Kind, about: Option<&Diagnostic>) -> Action {
    Action {
        title: fix.title,
        kind,
        edits: fix.edits,
        diagnostics: about.cloned().into_iter().collect(),
        preferred: false,
    }
}
