//! The tape of a Turing machine, and its structured prompt.

use serde_json::json;

/// A tape with the head on one of its squares, in the start state.
pub struct Tape {
    /// The symbols of the squares. At least one.
    pub symbols: Vec<String>,
    /// The index of the square with the head.
    pub head: usize,
    /// The start state.
    pub state: String,
}

impl Tape {
    /// The tape with this many blanks on both sides.
    #[must_use]
    pub fn padded(self, blank: &str, count: usize) -> Self {
        let blanks = vec![blank.to_owned(); count];
        Self { symbols: [blanks.clone(), self.symbols, blanks].concat(), head: self.head + count, state: self.state }
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
}
