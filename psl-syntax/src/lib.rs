//! Everything that the text of a PSL program alone can tell: tokens, tree, names, diagnostics.
//!
//! A text's way through this crate, each step total (a value and a list of diagnostics, never a panic):
//!
//! ```text
//! parse(text)    -> Parse { tree, diagnostics }
//! analyze(&tree) -> Analysis { program, names, causality, diagnostics }
//! ```
//!
//! Invariant: this crate does no I/O and knows no terminal, no editor protocol, no clock and no thread pool.

pub mod program;
pub mod span;

pub use span::Span;
