//! The table of a Turing machine.

use std::collections::HashMap;

/// The instructions of a Turing machine, in the order of the lines. No two have the same state and symbol.
pub struct Table {
    /// At least one.
    pub instructions: Vec<Instruction>,
}

/// An instruction (73): in this state, under this symbol, write a symbol, change the state and move the head.
pub struct Instruction {
    pub state: String,
    pub symbol: String,
    pub new_state: String,
    pub new_symbol: String,
    pub direction: Direction,
}

/// The direction of a move by one square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Left,
    Right,
}

impl Direction {
    /// The direction in tables and programs.
    pub const fn letter(self) -> &'static str {
        match self {
            Self::Left => "L",
            Self::Right => "R",
        }
    }

    /// The direction in messages.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

/// An error in a line of a table.
pub struct LineError {
    /// The line, 1-based.
    pub line: usize,
    pub message: String,
}

impl Table {
    /// Parses a table. `#` starts a comment. Line ends are those of PSL.
    ///
    /// # Errors
    ///
    /// Every malformed line, every second instruction for a state and symbol, or a table without instructions.
    pub fn parse(text: &str) -> Result<Self, Vec<LineError>> {
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        let (mut instructions, mut errors) = (Vec::new(), Vec::new());
        let mut first_lines = HashMap::new();
        for (line, text) in (1..).zip(text.split(['\n', '\r'])) {
            let words: Vec<&str> = text.split('#').next().unwrap_or_default().split_whitespace().collect();
            if words.is_empty() {
                continue;
            }
            let instruction = Instruction::parse(&words).and_then(|instruction| {
                let read = (instruction.state.clone(), instruction.symbol.clone());
                let first = *first_lines.entry(read).or_insert(line);
                if first == line { Ok(instruction) } else { Err(duplicate(&instruction, first)) }
            });
            match instruction {
                Ok(instruction) => instructions.push(instruction),
                Err(message) => errors.push(LineError { line, message }),
            }
        }
        if instructions.is_empty() && errors.is_empty() {
            let message = "the table has no instructions: write one on each line, as in `start 0 halt 1 R`";
            errors.push(LineError { line: 1, message: message.to_owned() });
        }
        if errors.is_empty() { Ok(Self { instructions }) } else { Err(errors) }
    }

    /// The state of the first instruction.
    pub fn start(&self) -> &str {
        self.instructions.first().map_or("", |instruction| &instruction.state)
    }

    /// The states, with those that no instruction is for, possibly with duplicates.
    pub fn states(&self) -> impl Iterator<Item = &str> {
        self.instructions.iter().flat_map(|instruction| [&*instruction.state, &*instruction.new_state])
    }

    /// The symbols, possibly with duplicates.
    pub fn symbols(&self) -> impl Iterator<Item = &str> {
        self.instructions.iter().flat_map(|instruction| [&*instruction.symbol, &*instruction.new_symbol])
    }

    /// Whether an instruction is for this symbol.
    pub fn reads(&self, symbol: &str) -> bool {
        self.instructions.iter().any(|instruction| instruction.symbol == symbol)
    }
}

impl Instruction {
    fn parse(words: &[&str]) -> Result<Self, String> {
        let &[state, symbol, new_state, new_symbol, direction] = words else {
            let found = words.len();
            return Err(format!("expected `state symbol new_state new_symbol L|R`, found {found} of 5 words"));
        };
        let direction = match direction {
            "L" => Direction::Left,
            "R" => Direction::Right,
            _ => return Err(format!("unknown move `{direction}`; expected `L` or `R`")),
        };
        let [state, symbol, new_state, new_symbol] = [state, symbol, new_state, new_symbol].map(str::to_owned);
        Ok(Self { state, symbol, new_state, new_symbol, direction })
    }
}

fn duplicate(instruction: &Instruction, first: usize) -> String {
    let Instruction { state, symbol, .. } = instruction;
    format!(
        "duplicate instruction for state `{state}` and symbol `{symbol}`; line {first} has the first: remove one of the two"
    )
}
