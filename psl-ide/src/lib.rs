//! The features of editors for a program, as plain functions over one [`psl_program::File`].
//!
//! Each feature, such as `hover`, `completions` or `code_actions`, is one function in one file, with byte offsets in
//! and out.
//!
//! A new code action is a file in `code_actions/` and a row in its table.
//!
//! Invariant: this crate does no I/O. It has no access to terminals, editor protocols, URLs, clocks, the environment or
//! threads; callers pass in what it needs. It compiles to WebAssembly.

mod call_hierarchy;
mod code_actions;
mod code_lens;
pub mod completion;
mod config_completion;
mod config_hover;
mod document_links;
mod document_symbols;
mod editor_command;
mod explain;
#[cfg(test)]
#[path = "../../tests/cases/fixture.rs"]
mod fixture;
mod folding_ranges;
mod formatting;
mod hover;
mod inlay_hints;
mod linked_editing;
mod look_ahead;
mod markdown;
mod navigation;
mod on_type_formatting;
mod prompt_files;
mod proposals;
mod reference;
mod rename;
mod saved_test;
mod selection_ranges;
mod semantic_tokens;
mod signature_help;
mod skeleton;
mod symbol_search;
mod text_edits;
mod watch_values;

pub use call_hierarchy::{
    Call, CallHierarchyItem, ProductionKey, incoming_calls, outgoing_calls, prepare_call_hierarchy,
};
pub use code_actions::{Action, ActionKind, Cursor, WantedActions, code_actions, snippets};
pub use code_lens::{CodeLens, code_lenses};
pub use completion::completions;
pub use config_completion::config_completions;
pub use config_hover::config_hover;
pub use document_links::{LinkTarget, document_links};
pub use document_symbols::{Symbol, SymbolKind, document_symbols, flat};
pub use editor_command::EditorCommand;
pub use explain::{Topic, Topics, explain, topics};
pub use folding_ranges::{Fold, folding_ranges};
pub use formatting::{format_edits, format_lines_edits};
pub use hover::{Hover, hover};
pub use inlay_hints::{InlayHint, InlayHintSettings, inlay_hints};
pub use linked_editing::{NAME_PATTERN, linked_editing_ranges};
pub use markdown::{code, message_markdown};
pub use navigation::{Highlight, definition, document_highlights, implementations, references};
pub use on_type_formatting::on_type_edits;
pub use prompt_files::rename_prompt_files;
pub use proposals::{Proposal, Proposals, Search, others_do_the_same, propose};
pub use reference::REFERENCE;
pub use rename::{prepare_rename, rename};
pub use saved_test::{Expected, SaveError, save_test, test_line};
pub use selection_ranges::selection_ranges;
pub use semantic_tokens::{Modifier, Token, TokenType, semantic_tokens};
pub use signature_help::{Signature, SignatureHelp, signature_help};
pub use skeleton::SKELETON;
pub use symbol_search::{SymbolSearch, searchable};
pub use watch_values::WatchValues;
