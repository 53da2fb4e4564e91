//! The result of a run as text: the continuation, or the reason why there is none.

use std::error::Error;

use psl_syntax::index::numbered_id;

use crate::{
    machine::{Run, Stopped},
    vocabulary::Vocabulary,
};

numbered_id! {
    /// Index of a symbol in a continuation.
    pub SymbolId
}

/// The continuation of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Continuation {
    /// The symbols; null is `∅`.
    pub symbols: Vec<String>,
    /// The reason why it ended.
    pub stopped: Stopped,
}

impl Continuation {
    /// The continuation of a run with this vocabulary.
    pub fn new(run: &Run, vocabulary: &Vocabulary) -> Self {
        let symbols = run.output.iter().map(|&value| vocabulary.show(value).to_owned()).collect();
        Self { symbols, stopped: run.stopped }
    }

    /// The symbols, separated by spaces.
    pub fn text(&self) -> String {
        self.symbols.join(" ")
    }

    /// The symbols, separated by spaces, with an ellipsis if the continuation was cut off.
    pub fn shown(&self) -> String {
        let more = (self.stopped == Stopped::MaxNew).then(|| "…".to_owned());
        self.symbols.iter().cloned().chain(more).collect::<Vec<_>>().join(" ")
    }

    /// Whether it equals the expected continuation as printed, with white space collapsed in both. A symbol may contain
    /// blanks.
    pub fn is(&self, gold: &str) -> bool {
        self.symbols.iter().flat_map(|symbol| symbol.split_whitespace()).eq(gold.split_whitespace())
    }
}

/// The reason why a prompt cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFailure {
    /// The reason, as one clause.
    pub message: String,
    /// The number of the repeat block that causes the failure, in the order in which blocks open, if there is one.
    pub block: Option<usize>,
}

impl<E: Error> From<E> for RunFailure {
    fn from(error: E) -> Self {
        Self::new(error.to_string())
    }
}

impl RunFailure {
    /// Advice for shortening a run, or the answer about it.
    pub const WAY_TO_SHORTEN: &str = "shorten the prompt or lower `//@ max-new`";

    /// Creates a failure that no repeat block causes.
    pub fn new(message: String) -> Self {
        Self { message, block: None }
    }
}
