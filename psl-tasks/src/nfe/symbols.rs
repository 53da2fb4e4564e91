//! The reserved symbols of prompts and golds. Any other symbol can be a name, a parameter, a literal or a part of an
//! argument.

/// The start of parameters or arguments, after the name of their function.
pub const OPEN: &str = "(";
/// The end of parameters or arguments.
pub const CLOSE: &str = ")";
/// A separator of parameters or arguments.
pub const COMMA: &str = ",";
/// A separator of a call and its value, and of the rounds of an evaluation.
pub const ARROW: &str = "->";
/// The end of a definition.
pub const SEMICOLON: &str = ";";
/// The end of a gold.
pub const END: &str = ".";

/// Maximum number of parameters of a function.
pub const MAX_PARAMETERS: usize = 3;

/// Whether a symbol has one of these uses.
pub fn is_reserved(symbol: &str) -> bool {
    [OPEN, CLOSE, COMMA, ARROW, SEMICOLON, END].contains(&symbol)
}
