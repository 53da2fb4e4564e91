//! The part of a run by which a patch is judged.

use std::{fmt, str::FromStr};

use psl_runtime::Continuation;
use thiserror::Error;

use crate::{
    counting::count,
    runner::Runner,
    table_selection::{NoSelection, register},
};

/// The part of a run that is compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Score {
    /// The continuation: `continuation`.
    #[default]
    Continuation,
    /// One symbol of the continuation, by its number: `symbol 1`.
    Symbol(usize),
    /// A register of the prompt's last cell after the last layer, by its long or short name.
    Register(String),
}

impl Score {
    /// The words of a run that are compared. `register` is the value of that register, if the score is one.
    pub(super) fn words(&self, continuation: &Continuation, register: impl FnOnce(&str) -> String) -> Vec<String> {
        let Continuation { symbols, .. } = continuation;
        match self {
            Self::Continuation => symbols.clone(),
            Self::Symbol(number) => symbols.get(number.wrapping_sub(1)).cloned().into_iter().collect(),
            Self::Register(name) => vec![register(name)],
        }
    }

    /// Checks that a run of a program can have this score.
    ///
    /// # Errors
    ///
    /// Fails for an unknown register, and for a symbol that neither continuation has.
    pub(super) fn check(&self, runner: &Runner, runs: [&Continuation; 2]) -> Result<(), NoScore> {
        let symbols = runs.map(|run| run.symbols.len()).into_iter().max().unwrap_or_default();
        match self {
            Self::Symbol(number) if !(1..=symbols).contains(number) => {
                Err(NoScore::Symbol { number: *number, symbols })
            }
            Self::Register(name) => register(runner, name).map(|_| ()).map_err(NoScore::Register),
            Self::Symbol(_) | Self::Continuation => Ok(()),
        }
    }
}

impl FromStr for Score {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words: Vec<&str> = text.split_whitespace().collect();
        Ok(match words.as_slice() {
            ["continuation"] => Self::Continuation,
            ["symbol", number] if number.parse::<usize>().is_ok() => Self::Symbol(number.parse().unwrap_or_default()),
            _ => Self::Register(text.trim().to_owned()),
        })
    }
}

impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Continuation => out.write_str("continuation"),
            Self::Symbol(number) => write!(out, "symbol {number}"),
            Self::Register(name) => out.write_str(name),
        }
    }
}

/// A score that no run has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoScore {
    /// Both continuations are shorter.
    #[error("symbol {number} is out of range: the continuations have at most {}", count(*.symbols, "symbol"))]
    Symbol {
        /// The number of the symbol.
        number: usize,
        /// The length of the longer continuation.
        symbols: usize,
    },
    /// The program lacks the register.
    #[error("{0}; a score is `continuation`, `symbol 1` or a register")]
    Register(NoSelection),
}
