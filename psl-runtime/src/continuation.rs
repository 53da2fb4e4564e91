//! The result of a run as text: the continuation, or the reason why there is none.

use std::fmt::Display;

use psl_syntax::index::numbered_id;

use crate::{
    input::InputError,
    machine::{Run, Stopped},
    run_error::RunError,
    vocabulary::Vocabulary,
};

numbered_id! {
    /// Index of a symbol in a continuation.
    pub SymbolId
}

/// The continuation of a prompt, or its row.
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

    /// Whether the symbols are a row: the values of a register in the prompt's cells.
    pub fn is_row(&self) -> bool {
        self.stopped == Stopped::PromptPass
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

    /// Whether the continuation equals the expected one as printed, with white space collapsed in both. A symbol may
    /// contain blanks.
    pub fn is(&self, gold: &str) -> bool {
        self.words().eq(gold.split_whitespace())
    }

    /// The number of words that the continuation has in the same place as the expected one.
    pub fn right_words(&self, gold: &str) -> usize {
        self.words().zip(gold.split_whitespace()).filter(|(word, gold)| word == gold).count()
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        self.symbols.iter().flat_map(|symbol| symbol.split_whitespace())
    }
}

/// The reason why a prompt cannot be run, or why its run failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFailure {
    /// The reason, as one clause.
    pub message: String,
    /// The part that failed.
    pub cause: FailureCause,
}

/// The part of a run that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureCause {
    /// The program, the prompt or an option does not suit the run, which did not begin.
    Refused,
    /// The run: it never ends, a limit is reached, or someone cancelled it.
    Run(RunError),
    /// The record reached its limit.
    RecordLimit,
    /// A machine, which disagrees with another one: a defect.
    Disagreement,
}

impl From<InputError> for RunFailure {
    fn from(error: InputError) -> Self {
        Self::refused(error)
    }
}

impl RunFailure {
    /// Advice for shortening a run, or the answer about it.
    pub const WAY_TO_SHORTEN: &str = "shorten the prompt or lower `//@ max-new`";

    /// The failure of a run that did not begin.
    pub fn refused(reason: impl Display) -> Self {
        Self { message: reason.to_string(), cause: FailureCause::Refused }
    }

    /// The number of the repeat block that never ends or takes too many passes, in the order in which blocks open.
    pub fn block(&self) -> Option<usize> {
        match &self.cause {
            FailureCause::Run(error) => error.block().map(|block| block.number),
            FailureCause::Refused | FailureCause::RecordLimit | FailureCause::Disagreement => None,
        }
    }
}
