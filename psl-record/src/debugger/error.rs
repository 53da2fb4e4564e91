//! The reasons why the debugger has no answer.

use std::fmt;

/// The reason why the debugger has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DebugError {
    /// The program does not compile. The message has the place of the error.
    Program(String),
    /// The run of a change was cancelled.
    Cancelled,
    /// The run has no such cell.
    UnknownCell {
        /// The cell.
        cell: usize,
        /// The last cell of the run.
        last: usize,
    },
    /// The current forward step does not compute the cell.
    CellOfAnotherStep {
        /// The cell.
        cell: usize,
        /// The step that computes it.
        step: usize,
    },
    /// The cell is generated later.
    CellToCome {
        /// The cell.
        cell: usize,
        /// The last cell at the moment.
        last: usize,
    },
    /// The cell does not run the layer at the moment.
    CellAtRest {
        /// The cell.
        cell: usize,
    },
    /// The cell exists only after another one has run the layer.
    CellAfterRead {
        /// The cell.
        cell: usize,
        /// The cell that runs the layer.
        reader: usize,
    },
    /// `n` is named, and the cell attends to no cell.
    AttendsToNoCell {
        /// The cell.
        cell: usize,
    },
    /// `n` is named outside of a layer.
    SourceOutsideLayer,
    /// A question about the conditions of a layer at another place.
    NotAtLayer,
    /// A change at the end of a pass, of a step or of the run.
    NotBeforeLayer,
    /// `pass` outside of repeat blocks.
    NoPass,
    /// The program has no such register.
    UnknownRegister {
        /// The index.
        register: usize,
        /// The number of registers.
        count: usize,
    },
    /// A value of several words.
    SeveralWords(String),
    /// A text that is not a register of a cell.
    NotRegisterOfCell {
        /// A register of the program.
        example: String,
    },
    /// A text that is not a hit count.
    NotHitCount(String),
    /// A brace of a message that does not end, with the text after it.
    OpenBrace(String),
    /// An error that the language reports in a condition.
    Language {
        /// The message.
        message: String,
        /// The help, or `None` if there is none.
        help: Option<String>,
    },
    /// A text that is not a condition.
    NotCondition,
    /// A condition of several lines.
    SeveralLines,
    /// A condition with a comment.
    Comment,
    /// A condition with `=`.
    Assignment,
    /// A string without its closing quote.
    OpenString(String),
    /// A word or sign that conditions do not have.
    NotInCondition(String),
    /// The number of a cell that is too small or too large.
    NotCell(String),
    /// A number with a fraction.
    NotWholeNumber(String),
}

impl fmt::Display for DebugError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => out.write_str("the run was cancelled: nothing has changed"),
            Self::UnknownCell { cell, last } => write!(out, "there is no cell {cell}: the cells are 1 to {last}"),
            Self::CellOfAnotherStep { cell, step } => {
                write!(out, "cell {cell} does not change here; go to step {step} for it")
            }
            Self::CellToCome { cell, last } => {
                write!(out, "cell {cell} does not exist yet: at this moment, the last cell is {last}")
            }
            Self::CellAtRest { cell } => write!(out, "cell {cell} does not run this layer at this moment"),
            Self::CellAfterRead { cell, reader } => {
                write!(out, "cell {cell} does not exist when cell {reader} runs this layer")
            }
            Self::AttendsToNoCell { cell } => {
                write!(out, "cell {cell} attends to no cell at this layer: name a cell by its number")
            }
            Self::SourceOutsideLayer => out.write_str("`n` is the cell that `N` attends to at a layer: go to a layer"),
            Self::NotAtLayer => out.write_str("only a layer has conditions: go to a layer"),
            Self::NotBeforeLayer => out.write_str("registers can be changed before a layer: go to one"),
            Self::NoPass => out.write_str("no repeat block is around this place"),
            Self::UnknownRegister { register, count } => {
                write!(out, "there is no register {register}: the program has {count}")
            }
            Self::SeveralWords(value) => write!(out, "`{value}` has several words: a value is one"),
            Self::NotRegisterOfCell { example } => {
                write!(out, "expected a register of a cell, such as `{example}[5]`")
            }
            Self::NotHitCount(text) => {
                write!(out, "`{text}` is not a hit count: write `5`, `>= 5` or `% 3`, with a number from 1 on")
            }
            Self::OpenBrace(after) => write!(out, "a `}}` is missing after `{{{after}`"),
            Self::Language { message, help: Some(help) } => write!(out, "{message}; {help}"),
            Self::Program(message) | Self::Language { message, help: None } => out.write_str(message),
            Self::NotCondition => out.write_str("expected a condition, such as `symbol[N] == symbol[5]`"),
            Self::SeveralLines => out.write_str("a condition has one line: join conditions by `and`"),
            Self::Comment => out.write_str("a condition has no comment: put `#` and `//` in quotes"),
            Self::Assignment => out.write_str("a condition assigns nothing: write `==` to compare"),
            Self::OpenString(text) => write!(out, "the string {text} has no closing quote"),
            Self::NotInCondition(text) => write!(out, "`{text}` cannot be in a condition"),
            Self::NotCell(number) => write!(out, "cell {number} does not exist: the first cell is 1"),
            Self::NotWholeNumber(number) => {
                write!(out, "cells, steps and passes are whole numbers, and {number} is not")
            }
        }
    }
}

impl std::error::Error for DebugError {}
