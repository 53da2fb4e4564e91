//! Repairs for a failing test and fillings for a hole, or a search for them, and other ways to look into a test.

use psl_program::File;
use psl_syntax::{Code, Diagnostic, Span, diagnostic::Fix};

use super::action::{Action, ActionKind, Context};
use crate::{
    editor_command::EditorCommand,
    proposals::{Proposal, Proposals, Search},
};

/// The best proposals that are known for the hole or the failing test here, and the search for more. A line that a
/// known repair changes has this repair alone.
pub fn actions(context: &Context<'_>) -> Vec<Action> {
    if let Some(hole) = context.here().find(|found| can_fill(context.file, found)) {
        return proposed(context, Search::Fill, hole);
    }
    let is_failing = |found: &&Diagnostic| found.code == Code::FailingTest;
    let mut failing = context.diagnostics().iter().filter(is_failing).peekable();
    let Some(first) = failing.peek().copied() else { return Vec::new() };
    let Some(about) = failing.find(|found| is_on_line(context, found.span)) else {
        let is_here = |proposal: &Proposal| proposal.edits.iter().any(|edit| is_on_line(context, edit.span));
        return best(context, Search::Repair, first, is_here);
    };
    let mut tests = context.file.program().tests.iter();
    let Some(test) = tests.position(|test| test.span.touches(about.span.start)) else { return Vec::new() };
    let mut actions = proposed(context, Search::Repair, about);
    for (title, command) in
        [("Debug this test", EditorCommand::Debug(test)), ("Explore this test", EditorCommand::Explore(test))]
    {
        actions.push(Action::of_command(title.to_owned(), command, about));
    }
    actions
}

/// Whether a diagnostic is a hole that a search can fill.
fn can_fill(file: &File, found: &Diagnostic) -> bool {
    let is_hole = |found: &Diagnostic| found.code == Code::Hole;
    is_hole(found) && !file.program().tests.is_empty() && file.errors().iter().all(is_hole)
}

/// Whether a part of the text is on a line of the selection.
fn is_on_line(context: &Context<'_>, span: Span) -> bool {
    let line = |offset: u32| context.file.line_index().line(offset);
    line(span.start) <= line(context.selection.end) && line(context.selection.start) <= line(span.end)
}

/// The best proposals, and the search for more.
fn proposed(context: &Context<'_>, search: Search, about: &Diagnostic) -> Vec<Action> {
    let mut actions = best(context, search, about, |_| true);
    let known = context.proposals.filter(|known| known.search == search);
    let more = more(known, search, context.wanted.best);
    actions.extend(more.map(|title| Action::of_command(title, EditorCommand::Search(search), about)));
    actions
}

/// Those of the best proposals that fit.
fn best(context: &Context<'_>, search: Search, about: &Diagnostic, fits: impl Fn(&Proposal) -> bool) -> Vec<Action> {
    let Some(known) = context.proposals.filter(|known| known.search == search) else { return Vec::new() };
    let best = known.found.iter().take(context.wanted.best).filter(|proposal| fits(proposal));
    let fix = |proposal: &Proposal| Fix { title: known.title(proposal), certain: false, edits: proposal.edits.clone() };
    best.map(|proposal| Action::new(fix(proposal), ActionKind::QuickFix, Some(about))).collect()
}

/// The title of the action that searches, or shows all that is known. `None` if there is no more than the best ones.
fn more(known: Option<&Proposals>, search: Search, best: usize) -> Option<String> {
    match known {
        Some(known) if known.count > best => Some(format!("Show all {}…", known.counted())),
        Some(known) if known.count > 0 || !known.cut_off => None,
        _ if search == Search::Repair => Some("Search for a repair".to_owned()),
        _ => Some("Search for what belongs in the hole".to_owned()),
    }
}
