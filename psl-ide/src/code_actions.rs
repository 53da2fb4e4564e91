//! Code actions: edits offered at a place in the text. Each action has its own file and a row in [`ACTIONS`].
//!
//! Invariant: an action leaves formatted text formatted.

mod action;
mod allow_here;
mod apply_fix;
mod declare_name;
mod expect_continuation;
mod extract_guard;
mod fix_all;
mod fix_all_of_code;
mod fixed_text;
mod merge_into_list;
mod proposed;
mod save_breaking_prompt;
mod save_prompt;
mod snippet;
mod split_same_cell;
mod unnoticed;
mod unread_register;

use psl_program::{File, RunHistory, TestReport};
use psl_syntax::Span;

use self::action::Context;
pub use self::{
    action::{Action, ActionKind, Cursor, WantedActions},
    snippet::snippets,
};
use crate::{proposals::Proposals, text_edits::lay_out};

/// Returns the actions that a file of this folder offers in a context.
type Actions = fn(&Context<'_>) -> Vec<Action>;

/// All code actions, in the order in which they are offered.
const ACTIONS: [(ActionKind, Actions); 14] = [
    (ActionKind::QuickFix, apply_fix::actions),
    (ActionKind::QuickFix, declare_name::actions),
    (ActionKind::QuickFix, split_same_cell::actions),
    (ActionKind::QuickFix, unread_register::actions),
    (ActionKind::QuickFix, proposed::actions),
    (ActionKind::QuickFix, expect_continuation::actions),
    (ActionKind::QuickFix, save_breaking_prompt::actions),
    (ActionKind::QuickFix, fix_all_of_code::actions),
    (ActionKind::QuickFix, allow_here::actions),
    (ActionKind::Extract, extract_guard::actions),
    (ActionKind::Rewrite, merge_into_list::actions),
    (ActionKind::Rewrite, save_prompt::actions),
    (ActionKind::Rewrite, unnoticed::actions),
    (ActionKind::FixAll, fix_all::actions),
];

/// Returns the actions for a selection or a cursor, with the proposals that are known for the file.
pub fn code_actions(
    file: &File,
    report: Option<&TestReport>,
    history: &RunHistory,
    proposals: Option<&Proposals>,
    selection: Span,
    wanted: &WantedActions,
) -> Vec<Action> {
    let context = Context::new(file, report, history, proposals, selection, wanted);
    let mut found = Vec::new();
    for (kind, actions) in ACTIONS {
        if wanted.kinds.contains(&kind) {
            found.extend(actions(&context));
        }
    }
    lay_out(file.text(), found.iter_mut().map(|action| &mut action.edits));
    found
}
