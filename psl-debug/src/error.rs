//! The reasons why the debugger has no answer.

use psl_program::{NotAPlace, NotCompiled, SeveralWords};
use psl_runtime::CellId;
use thiserror::Error;

/// The reason why the debugger has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DebugError {
    /// The program does not compile.
    #[error(transparent)]
    Program(#[from] NotCompiled),
    /// No run can have the place of an intervention.
    #[error(transparent)]
    Place(#[from] NotAPlace),
    /// The run of a change was cancelled.
    #[error("the run was cancelled: nothing has changed")]
    Cancelled,
    /// The run has no such cell.
    #[error("there is no cell {cell}: the cells are 1 to {last}")]
    UnknownCell {
        cell: usize,
        /// The last cell of the run.
        last: usize,
    },
    /// The current forward step does not compute the cell.
    #[error("cell {cell} does not change here; go to step {step} for it")]
    CellOfAnotherStep {
        cell: CellId,
        /// The step that computes it.
        step: usize,
    },
    /// The cell is generated later.
    #[error("cell {cell} does not exist yet: at this moment, the last cell is {last}")]
    CellToCome {
        cell: CellId,
        /// The last cell at the moment.
        last: CellId,
    },
    /// The cell does not run the layer at the moment.
    #[error("cell {cell} does not run this layer at this moment")]
    CellAtRest { cell: CellId },
    /// The cell exists only after another one has run the layer.
    #[error("cell {cell} does not exist when cell {reader} runs this layer")]
    CellAfterRead {
        cell: CellId,
        /// The cell that runs the layer.
        reader: CellId,
    },
    /// `n` is named, and the cell attends to no cell.
    #[error("cell {cell} attends to no cell at this layer: name a cell by its number")]
    AttendsToNoCell { cell: CellId },
    /// `n` is named outside of a layer.
    #[error("`n` is the cell that `N` attends to at a layer: go to a layer")]
    SourceOutsideLayer,
    /// A question about the conditions of a layer at another place.
    #[error("only a layer has conditions: go to a layer")]
    NotAtLayer,
    /// A change at the end of a pass, of a step or of the run.
    #[error("registers can be changed before a layer: go to one")]
    NotBeforeLayer,
    /// `pass` outside of repeat blocks.
    #[error("no repeat block is around this place")]
    NoPass,
    /// The program has no such register.
    #[error("there is no register {register}: the program has {count}")]
    UnknownRegister {
        /// The index.
        register: usize,
        /// The number of registers.
        count: usize,
    },
    /// A value of several words.
    #[error(transparent)]
    SeveralWords(#[from] SeveralWords),
    /// A text that is not a register of a cell.
    #[error("expected a register of a cell, such as `{example}[5]`")]
    NotRegisterOfCell {
        /// A register of the program.
        example: String,
    },
    /// A text that is not a hit count.
    #[error("`{0}` is not a hit count: write `5`, `>= 5` or `% 3`, with a number from 1 on")]
    NotHitCount(String),
    /// A brace of a message that does not end, with the text after it.
    #[error("a `}}` is missing after `{{{0}`")]
    OpenBrace(String),
    /// An error that the language reports in a condition.
    #[error("{message}{}", .help.as_ref().map_or_else(String::new, |help| format!("; {help}")))]
    Language {
        message: String,
        /// The help, or `None` if there is none.
        help: Option<String>,
    },
    /// A text that is not a condition.
    #[error("expected a condition, such as `symbol[N] == symbol[5]`")]
    NotCondition,
    /// A condition of several lines.
    #[error("a condition has one line: join conditions by `and`")]
    SeveralLines,
    /// A condition with a comment.
    #[error("a condition has no comment: put `#` and `//` in quotes")]
    Comment,
    /// A condition with `=`.
    #[error("a condition assigns nothing: write `==` to compare")]
    Assignment,
    /// A string without its closing quote.
    #[error("the string {0} has no closing quote")]
    OpenString(String),
    /// A word or sign that conditions do not have.
    #[error("`{0}` can only be in a condition as a value in quotes")]
    NotInCondition(String),
    /// The number of a cell that is too small or too large.
    #[error("cell {0} does not exist: the first cell is 1")]
    NotCell(String),
    /// A number with a fraction.
    #[error("cells, steps and passes are whole numbers, and {0} is not")]
    NotWholeNumber(String),
}
