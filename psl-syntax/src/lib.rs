//! Everything that the text of a PSL program alone can tell: tokens, tree, names, diagnostics.
//!
//! A text's way through this crate, each step total (a value and a list of diagnostics, never a panic):
//!
//! ```text
//! parse(text)    -> Parse { tree, diagnostics }
//! analyze(&tree) -> Analysis { program, names, domains, causality, diagnostics }
//! findings(&tree, &analysis) -> what the rules say of the program as a whole
//! apply_levels(&tree, diagnostics, pending, &levels) -> what is shown: allowed ones left out, each as bad as configured
//! fix(text, diagnose) -> Fixed { text, applied, left }
//! rename(&checked, &renamable, name) -> edits, or why the program would mean something else
//! format(text)   -> Formatted { text, edits }, or why a broken text is left as it is
//! ```
//!
//! [`check`] takes the first three steps at once; what running tells about the text joins its diagnostics before the fourth.
//!
//! [`reread`] gives what [`read`] gives of a text, in less time where it differs little from one that was read before.
//!
//! A new diagnostic is a file in `rules/` and its line in the list of `rules.rs`, a row of the table in `codes/table.rs`, which
//! names that file, and the code's page in `docs/diagnostics/`.
//!
//! Invariant: this crate does no I/O and knows no terminal, no editor protocol, no clock and no thread pool.

mod allow;
mod analysis;
mod apply_levels;
pub mod causality;
mod checked;
mod clause_ranges;
mod clause_spans;
pub mod codes;
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
pub mod levels;
mod lines;
pub mod names;
mod nearest;
mod parse;
pub mod program;
pub mod refactor;
mod relex;
mod rename;
mod resolve;
mod role_namesakes;
pub mod roles;
mod rules;
mod same_meaning;
mod severity;
mod shift;
pub mod span;
pub mod token;
pub mod tree;

pub use allow::allow_here;
pub use analysis::{Analysis, analyze};
pub use apply_levels::apply_levels;
pub use causality::Causality;
pub use checked::{Checked, check, read, reread};
pub use codes::Code;
pub use declare::declare;
pub use diagnostic::{Diagnostic, Severity};
pub use domains::Domains;
pub use fix::{Fixed, fix};
pub use format::{Formatted, WIDTH, format, format_lines};
pub use levels::Levels;
pub use nearest::nearest;
pub use parse::{MAX_NESTING, Parse, parse};
pub use program::Program;
pub use rename::{Renamable, register_uses, renamable, rename};
pub use role_namesakes::RoleNamesake;
pub use rules::{findings, undecided_look_aheads};
pub use span::Span;
pub use tree::Tree;
