//! The tape of a Turing machine, and its structured prompt.

use psl_program::count;
use serde::Deserialize;
use serde_json::json;
use thiserror::Error;

use super::table::Table;

/// A tape with the head on one of its squares, in the start state.
pub struct Tape {
    /// The symbols of the squares. At least one.
    pub symbols: Vec<String>,
    /// The index of the square with the head.
    pub head: usize,
    /// The start state.
    pub state: String,
}

/// A square in a structured prompt.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Square {
    #[serde(rename = "symbol")]
    _symbol: String,
    #[serde(rename = "head")]
    _head: String,
    #[serde(rename = "state")]
    _state: String,
}

/// The reason why symbols and a start make no tape of a table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoTape {
    #[error("the tape is empty: give at least one symbol")]
    Empty,
    #[error("square {square} is not on the tape, which has {}", count(*squares, "square"))]
    NotOnTape { square: usize, squares: usize },
    #[error("unknown state `{state}`; {}", near.as_ref().map_or_else(|| "give one of the table".to_owned(), |near| format!("did you mean `{near}`?")))]
    UnknownState { state: String, near: Option<String> },
    #[error("the blank `{0}` is not one symbol: give another")]
    NotABlank(String),
}

impl Tape {
    /// A tape of these symbols, with the head on a square, 1-based, in a state of the table, by default that of its
    /// first instruction.
    ///
    /// # Errors
    ///
    /// Fails without symbols, or if the square or the state does not exist.
    pub fn new(symbols: &str, head: usize, state: Option<&str>, table: &Table) -> Result<Self, NoTape> {
        let symbols: Vec<String> = symbols.split_whitespace().map(str::to_owned).collect();
        if symbols.is_empty() {
            return Err(NoTape::Empty);
        }
        let squares = symbols.len();
        let Some(index) = head.checked_sub(1).filter(|index| *index < squares) else {
            return Err(NoTape::NotOnTape { square: head, squares });
        };
        let state = state.unwrap_or_else(|| table.start());
        if !table.states().any(|other| other == state) {
            let near = psl_syntax::nearest(state, table.states()).map(str::to_owned);
            return Err(NoTape::UnknownState { state: state.to_owned(), near });
        }
        Ok(Self { symbols, head: index, state: state.to_owned() })
    }

    /// The tape with this many blanks on both sides.
    ///
    /// # Errors
    ///
    /// Fails if the blank is not one symbol.
    pub fn padded(self, blank: &str, count: usize) -> Result<Self, NoTape> {
        if blank.split_whitespace().ne([blank]) {
            return Err(NoTape::NotABlank(blank.to_owned()));
        }
        let blanks = vec![blank.to_owned(); count];
        Ok(Self {
            symbols: [blanks.clone(), self.symbols, blanks].concat(),
            head: self.head + count,
            state: self.state,
        })
    }

    /// The structured prompt: a line for each square, with the registers (74).
    pub fn to_json(&self) -> String {
        let cell = |(index, symbol): (usize, &String)| {
            let (symbol, state) = (json!(symbol), json!(self.state));
            let head = u8::from(index == self.head);
            format!(r#"    {{"symbol": {symbol}, "head": "{head}", "state": {state}}}"#)
        };
        let cells: Vec<String> = self.symbols.iter().enumerate().map(cell).collect();
        format!("[\n{}\n]\n", cells.join(",\n"))
    }

    /// Whether a file is the structured prompt of a tape.
    pub fn is_prompt(json: &[u8]) -> bool {
        serde_json::from_slice::<Vec<Square>>(json).is_ok_and(|squares| !squares.is_empty())
    }
}
