//! The features of editors, pages and debuggers for a program, as plain functions over one [`File`].
//!
//! ```text
//! File::new(text, config).with_prompts(read)   a program and the facts derived from it, computed on demand
//! diagnostics(&file, report)                   its diagnostics, with those of its tests, at the configured severities
//! run_test(&file, index, &cancelled)           one test; a TestReport holds all of them
//! hover, completions, code_actions, …          each feature: one function in one file, byte offsets in and out
//! debugger::Debugger                           a recorded run at one of its moments
//! ```
//!
//! A new code action is a file in `code_actions/` and a row in its table.
//!
//! Invariant: this crate does no I/O. It has no access to terminals, editor protocols, URLs, clocks, the environment or
//! threads; callers pass in what it needs. It compiles to WebAssembly.

mod align;
mod attention;
mod brief_run;
mod call_hierarchy;
mod code_actions;

mod code_lens;
mod compile;
pub mod completion;
pub mod config;
mod config_completion;
mod config_hover;
pub mod debugger;
mod diagnostics;
mod document_links;
mod document_symbols;
mod explain;
mod explorer_page;
mod explorer_prompt;
mod failed_test;
mod failure_explanation;
mod file;
#[cfg(test)]
mod fixture;
mod folding_ranges;
mod formatting;
mod grid;
mod hover;
mod inlay_hints;
mod layer_tensors;
pub mod line_index;
mod linked_editing;
mod look_ahead;
mod markdown;
mod navigation;
mod on_type_formatting;
mod parse_pictures;
mod progress;
mod ranges;
mod recorded_run;
mod reference;
mod rename;
mod requested_table;
mod residual_stream;
mod run;
mod run_history;
mod run_outcome;
mod run_table;
mod runner;
mod selection_ranges;
mod semantic_tokens;
mod signature_help;
mod skeleton;
mod structured_prompt;
mod symbol_search;
mod table_selection;
mod test_prompts;
mod test_report;
mod text_edits;
mod versions;
mod watch_values;

pub use align::{Pair, align};
pub use attention::{CellAttention, attention};
pub use call_hierarchy::{
    Call, CallHierarchyItem, ProductionKey, incoming_calls, outgoing_calls, prepare_call_hierarchy,
};
pub use code_actions::{Action, ActionKind, WantedActions, code_actions, save_test};
pub use code_lens::{CodeLens, LensAction, code_lenses};
pub use compile::{Compiled, CompiledLayer, Emit, compile};
pub use completion::completions;
pub use config::Config;
pub use config_completion::config_completions;
pub use config_hover::config_hover;
pub use diagnostics::diagnostics;
pub use document_links::{LinkTarget, document_links};
pub use document_symbols::{Symbol, SymbolKind, document_symbols, flat};
pub use explain::{Topic, Topics, explain, topics};
pub use explorer_page::{PageAgainst, PageData, PageExample, PagePrompt, PageServer, explorer_page};
pub use explorer_prompt::explorer_prompt;
pub use failed_test::{FailedTest, failed_test};
pub use failure_explanation::{FailureExplanation, explain_failure};
pub use file::File;
pub use folding_ranges::{Fold, folding_ranges};
pub use formatting::{format_edits, format_lines_edits};
pub use grid::{Grid, GridRow, Paint, Part, fitting};
pub use hover::{Hover, hover};
pub use inlay_hints::{InlayHint, InlayHintSettings, inlay_hints};
pub use layer_tensors::{LayerTensors, TensorBlock, layer_tensors};
pub use line_index::LineIndex;
pub use linked_editing::{NAME_PATTERN, linked_editing_ranges};
pub use navigation::{Highlight, definition, document_highlights, implementations, references};
pub use on_type_formatting::on_type_edits;
pub use parse_pictures::{ParseCell, ParseNode, ParseRow, ParseTable, parse_tables, parse_tree};
pub use progress::Progress;
pub use ranges::Ranges;
pub use recorded_run::{
    ConditionResult, Difference, DifferenceKind, Link, LinkKind, Matches, RecordedRun, RecordedUpdate, Right, Row,
    UpdateDifference, Why, Write, first_difference, history, last_write, matches, tested, where_from, why,
};
pub use reference::REFERENCE;
pub use rename::{prepare_rename, rename};
pub use requested_table::table;
pub use residual_stream::ResidualStream;
pub use run::{MAX_TRACE, RunRefusal, RunRequest, TestName, run, run_listed_test, trace};
pub use run_history::{RunHistory, RunResults};
pub use run_outcome::RunOutcome;
pub use run_table::RunTable;
pub use runner::{Continuation, RunFailure, Runner};
pub use selection_ranges::selection_ranges;
pub use semantic_tokens::{Modifier, Token, TokenType, semantic_tokens};
pub use signature_help::{Signature, SignatureHelp, signature_help};
pub use skeleton::SKELETON;
pub use structured_prompt::StructuredPrompt;
pub use symbol_search::{SymbolSearch, searchable};
pub use table_selection::TableSelection;
pub use test_prompts::TestPrompts;
pub use test_report::{Ahead, LayerStats, Outcome, TestReport, TestRun, run_test};
pub use versions::layers_in_new_version;
pub use watch_values::WatchValues;
