//! Analyzes the text of a PSL program: tokens, tree, names and diagnostics.
//!
//! The steps of an analysis. Each step is total: it returns a value and diagnostics, and never panics.
//!
//! ```text
//! parse(text)    -> Parse { tree, diagnostics }
//! analyze(&tree) -> Analysis { program, names, domains, causality, diagnostics }
//! rule_diagnostics(&tree, &analysis) -> diagnostics of the rules, which check the program as a whole
//! apply_levels(&tree, diagnostics, pending, &levels) -> the diagnostics to show, with configured severities
//! fix(text, diagnose) -> Fixed { text, applied, left }
//! rename(&checked, &renamable, name) -> edits, or the reason for a refusal
//! format(text)   -> Formatted { text, edits }, or syntax errors
//! ```
//!
//! [`check`] combines the first three steps. Diagnostics from running the program are added before the fourth.
//!
//! [`reread`] returns the same result as [`read`], but faster if the text is similar to an earlier one.
//!
//! A new diagnostic needs a file in `rules/` and a line in the list of `rules.rs`, a row in the table of
//! `codes/table.rs` that names this file, and a page in `docs/diagnostics/`.
//!
//! Invariant: this crate does no I/O and does not depend on terminals, editor protocols, clocks or thread pools.
#![warn(missing_docs)]

mod allow;
mod analysis;
mod apply_levels;
pub mod causality;
mod checked;
mod clause_ranges;
mod clause_spans;
pub mod codes;
mod comments;
mod declaration_edits;
mod declarations;
mod declare;
pub mod diagnostic;
mod directive;
pub mod domains;
mod duplicates;
mod facts;
mod fix;
mod flow;
mod format;
pub mod glossary;
mod grammar;
pub mod holes;
mod incremental;
pub mod index;
mod label;
pub mod law;
pub mod levels;
pub mod line_index;
mod lines;
mod look_alikes;
pub mod names;
mod nearest;
mod parse;
pub mod program;
pub mod refactor;
mod rename;
mod resolve;
mod role_namesakes;
pub mod roles;
mod rules;
mod same_meaning;
pub mod schedule;
mod severity;
mod source_text;
pub mod span;
pub mod token;
pub mod tree;
mod unread;

pub use allow::allow_here;
pub use analysis::{Analysis, analyze};
pub use apply_levels::apply_levels;
pub use causality::Causality;
pub use checked::{Checked, check, read, reread};
pub use codes::Code;
pub use comments::{keep_comments, with_comments, without};
pub use declare::declare;
pub use diagnostic::{Diagnostic, Severity};
pub use directive::{LawVariable, law_variable, unread_tests};
pub use domains::Domains;
pub use fix::{Fixed, fix};
pub use format::{Formatted, WIDTH, format, format_lines};
pub use label::{label, plain_label};
pub use levels::Levels;
pub use line_index::LineIndex;
pub use lines::indentation;
pub use nearest::nearest;
pub use parse::{MAX_NESTING, Parse, parse};
pub use program::Program;
pub use rename::{Renamable, RenameError, register_uses, renamable, rename};
pub use role_namesakes::RoleNamesake;
pub use rules::{rule_diagnostics, separate_layers, undecided_look_aheads};
pub use same_meaning::run_alike;
pub use source_text::SourceText;
pub use span::Span;
pub use tree::Tree;
pub use unread::unread_fixes;
