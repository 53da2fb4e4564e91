//! What a code action is, and what one is made from.

use std::cell::OnceCell;

use psl_syntax::{
    Code, Diagnostic, Span,
    diagnostic::{Edit, Fix},
};

use crate::{diagnostics::diagnostics, file::File, run_history::RunHistory, test_report::TestReport};

/// Something that can be done about a place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// What it does.
    pub title: String,
    /// What kind it is of.
    pub kind: ActionKind,
    /// The change.
    pub edits: Vec<Edit>,
    /// The diagnostics that it is about.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether it is the one that is most likely meant.
    pub preferred: bool,
}

/// The kinds of actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// Repairs or accepts a diagnostic.
    QuickFix,
    /// Takes something out into a production of its own.
    Extract,
    /// Says the same otherwise.
    Rewrite,
    /// Applies the safe fixes of the whole file.
    FixAll,
}

impl ActionKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::QuickFix, Self::Extract, Self::Rewrite, Self::FixAll];
}

impl Action {
    /// A fix as an action of a kind, about a diagnostic or none.
    pub fn new(fix: Fix, kind: ActionKind, about: Option<&Diagnostic>) -> Self {
        let diagnostics = about.cloned().into_iter().collect();
        Self { title: fix.title, kind, edits: fix.edits, diagnostics, preferred: false }
    }
}

/// A place in a file, and what is known there.
pub struct Context<'f> {
    /// The file.
    pub file: &'f File,
    /// What its tests showed, where they have run.
    pub report: Option<&'f TestReport>,
    /// Its runs.
    pub history: &'f RunHistory,
    /// What is selected, or the cursor.
    pub selection: Span,
    /// Whether nobody asked for actions: the cursor has moved.
    pub automatic: bool,
    diagnostics: OnceCell<Vec<Diagnostic>>,
}

/// For how many diagnostics of a selection there are actions: a list of more is not read.
const MAX_DIAGNOSTICS: usize = 20;

impl<'f> Context<'f> {
    /// The context of a selection.
    pub fn new(
        file: &'f File,
        report: Option<&'f TestReport>,
        history: &'f RunHistory,
        selection: Span,
        automatic: bool,
    ) -> Self {
        Self { file, report, history, selection, automatic, diagnostics: OnceCell::new() }
    }

    /// All diagnostics of the file.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.diagnostics.get_or_init(|| diagnostics(self.file, self.report))
    }

    /// The first diagnostics that are about something in the selection.
    pub fn here(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics().iter().filter(|found| concerns(found, self.selection)).take(MAX_DIAGNOSTICS)
    }
}

/// Whether a diagnostic is about something in the selection: an unknown name is reported once for all places where it is used.
fn concerns(found: &Diagnostic, selection: Span) -> bool {
    let touched = |span: Span| span.start <= selection.end && selection.start <= span.end;
    let unknown = matches!(found.code, Code::UnknownRegister | Code::UnknownConstant | Code::UnknownFunction);
    let others = found.labels.iter().map(|label| label.span);
    let mended = found.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
    touched(found.span) || (unknown && others.chain(mended).any(touched))
}
