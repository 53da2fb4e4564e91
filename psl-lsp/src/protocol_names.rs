//! The protocol's names for things that are both sent and received.

use psl_ide::ActionKind;

/// The name of a kind of code action.
pub const fn action_kind(kind: ActionKind) -> &'static str {
    match kind {
        ActionKind::QuickFix => "quickfix",
        ActionKind::Extract => "refactor.extract",
        ActionKind::Rewrite => "refactor.rewrite",
        ActionKind::FixAll => "source.fixAll.psl",
    }
}
