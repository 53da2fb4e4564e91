//! Code actions, and the context that they are made from.

use std::cell::OnceCell;

use psl_program::{File, RunHistory, TestReport, diagnostics};
use psl_syntax::{
    Code, Diagnostic, Span,
    diagnostic::{Edit, Fix},
};

use crate::{
    editor_command::EditorCommand,
    proposals::{Proposals, Search},
};

/// An edit offered at a place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The title shown to the user.
    pub title: String,
    pub kind: ActionKind,
    /// The change.
    pub edits: Vec<Edit>,
    /// The diagnostics that it addresses.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the user most likely wants this action.
    pub preferred: bool,
    /// The name at which the cursor is left.
    pub cursor: Option<Cursor>,
    /// The command to run instead of edits.
    pub command: Option<EditorCommand>,
}

/// The name at which an action leaves the cursor, as the edits write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cursor {
    /// After the first occurrence in the edits of a name that the program uses already.
    After(String),
    /// At a name that occurs only in the edits, so that the user may type another one.
    On(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// Fixes or allows a diagnostic.
    QuickFix,
    /// Extracts a part into a new production.
    Extract,
    /// Rewrites code without changing its meaning.
    Rewrite,
    /// Applies all safe fixes of the file.
    FixAll,
}

impl ActionKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::QuickFix, Self::Extract, Self::Rewrite, Self::FixAll];
}

impl Action {
    /// Creates an action from a fix, for a diagnostic if there is one.
    pub fn new(fix: Fix, kind: ActionKind, about: Option<&Diagnostic>) -> Self {
        let diagnostics = about.cloned().into_iter().collect();
        Self { title: fix.title, kind, edits: fix.edits, diagnostics, preferred: false, cursor: None, command: None }
    }

    /// Creates a quick fix that runs a command.
    pub fn of_command(title: String, command: EditorCommand, about: &Diagnostic) -> Self {
        let fix = Fix { title, certain: false, edits: Vec::new() };
        Self { command: Some(command), ..Self::new(fix, ActionKind::QuickFix, Some(about)) }
    }

    /// Creates an action that searches, without a diagnostic.
    pub fn of_search(title: String, search: Search) -> Self {
        let fix = Fix { title, certain: false, edits: Vec::new() };
        Self { command: Some(EditorCommand::Search(search)), ..Self::new(fix, ActionKind::Rewrite, None) }
    }
}

/// A filter for code actions.
#[derive(Clone, Debug)]
pub struct WantedActions {
    /// The requested kinds.
    pub kinds: Vec<ActionKind>,
    /// Whether the editor asked automatically, because the cursor moved.
    pub automatic: bool,
    /// Maximum number of proposals.
    pub best: usize,
}

/// A place in a file, with the facts that actions need.
pub struct Context<'f> {
    pub file: &'f File,
    /// The results of its tests, if they have run.
    pub report: Option<&'f TestReport>,
    pub history: &'f RunHistory,
    /// The results of a search, if one has ended.
    pub proposals: Option<&'f Proposals>,
    /// The selection or the cursor.
    pub selection: Span,
    pub wanted: &'f WantedActions,
    diagnostics: OnceCell<Vec<Diagnostic>>,
}

/// Maximum number of diagnostics per selection that get actions. Nobody reads a longer list.
const MAX_DIAGNOSTICS: usize = 20;

impl<'f> Context<'f> {
    /// Creates the context of a selection.
    pub fn new(
        file: &'f File,
        report: Option<&'f TestReport>,
        history: &'f RunHistory,
        proposals: Option<&'f Proposals>,
        selection: Span,
        wanted: &'f WantedActions,
    ) -> Self {
        Self { file, report, history, proposals, selection, wanted, diagnostics: OnceCell::new() }
    }

    /// All diagnostics of the file.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.diagnostics.get_or_init(|| diagnostics(self.file, self.report))
    }

    /// The first diagnostics that touch the selection.
    pub fn here(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics().iter().filter(|found| concerns(found, self.selection)).take(MAX_DIAGNOSTICS)
    }
}

/// Whether a diagnostic touches the selection. An unknown name is reported once: labels and fixes
/// mark its other uses.
fn concerns(found: &Diagnostic, selection: Span) -> bool {
    let touched = |span: Span| span.start <= selection.end && selection.start <= span.end;
    let unknown = matches!(found.code, Code::UnknownRegister | Code::UnknownConstant | Code::UnknownFunction);
    let others = found.labels.iter().map(|label| label.span);
    let fixed = found.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
    touched(found.span) || (unknown && others.chain(fixed).any(touched))
}
