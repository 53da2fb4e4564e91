//! How the protocol spells what both directions name.

use psl_ide::ActionKind;

/// A kind of code action.
pub const fn action_kind(kind: ActionKind) -> &'static str {
    match kind {
        ActionKind::QuickFix => "quickfix",
        ActionKind::Extract => "refactor.extract",
        ActionKind::Rewrite => "refactor.rewrite",
        ActionKind::FixAll => "source.fixAll.psl",
    }
}
