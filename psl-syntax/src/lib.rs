//! Everything that the text of a PSL program alone can tell: tokens, tree, names, diagnostics.
//!
//! A text's way through this crate, each step total (a value and a list of diagnostics, never a panic):
//!
//! ```text
//! parse(text)    -> Parse { tree, diagnostics }
//! analyze(&tree) -> Analysis { program, names, domains, causality, diagnostics }
//! findings(&tree, &analysis) -> what the program as a whole shows
//! settle(&tree, diagnostics, pending, &levels) -> what is shown: allowed ones left out, each as bad as configured
//! fix(text, diagnose) -> Fixed { text, applied, left }
//! rename(&checked, &renamable, name) -> edits, or why the program would mean something else
//! format(text)   -> Formatted { text, edits }, or why a broken text is left as it is
//! ```
//!
//! [`check`] takes the first three steps at once; what running tells about the text joins its diagnostics before the fourth.
//!
//! Invariant: this crate does no I/O and knows no terminal, no editor protocol, no clock and no thread pool.

mod allow;
mod analysis;
pub mod causality;
mod clauses;
pub mod codes;
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
mod rename;
mod resolve;
pub mod role_namesakes;
mod rules;
mod settle;
mod severity;
pub mod span;
pub mod token;
pub mod tree;

pub use allow::allow_here;
pub use analysis::{Analysis, analyze};
pub use causality::Causality;
pub use codes::Code;
pub use declare::{declare, line_end};
pub use diagnostic::{Diagnostic, Severity};
pub use domains::Domains;
pub use fix::{Fixed, fix};
pub use format::{Formatted, WIDTH, format, format_lines};
pub use levels::Levels;
pub use nearest::nearest;
pub use parse::{MAX_NESTING, Parse, parse};
pub use program::Program;
pub use rename::{Renamable, register_uses, renamable, rename};
pub use rules::findings;
pub use settle::settle;
pub use span::Span;
pub use tree::Tree;

/// Parses and analyzes a text, without what only the program as a whole shows.
pub fn read(text: &str) -> Checked {
    let Parse { tree, mut diagnostics } = parse(text);
    let mut analysis = analyze(&tree);
    diagnostics.append(&mut analysis.diagnostics);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    Checked { tree, analysis, diagnostics }
}

/// Parses and analyzes a text; the diagnostics of every step are in [`Checked::diagnostics`], in the order of the text.
pub fn check(text: &str) -> Checked {
    let mut checked = read(text);
    checked.diagnostics.extend(findings(&checked.tree, &checked.analysis));
    checked.diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    checked
}

/// All that the text of a program tells.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The tree.
    pub tree: Tree,
    /// What it means; its own list of diagnostics is empty.
    pub analysis: Analysis,
    /// The diagnostics of the steps taken, in the order of the text: see [`settle`].
    pub diagnostics: Vec<Diagnostic>,
}

impl Checked {
    /// Whether the program compiles.
    pub fn compiles(&self) -> bool {
        !self.diagnostics.iter().any(Diagnostic::is_error)
    }
}
