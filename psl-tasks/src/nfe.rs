//! Nested function evaluation data (89): definitions and an expression, with its evaluation by copy and eval.
//!
//! ```text
//! prompt     = definition { definition } call "->"
//! definition = NAME "(" PARAMETER { "," PARAMETER } ")" "->" SYMBOL { SYMBOL } ";"
//! call       = NAME "(" argument { "," argument } ")"
//! argument   = call | SYMBOL { SYMBOL }
//!
//! Generator::new(depth, seed)     -> Line, Line, …     generates definitions and an expression, and evaluates it
//! validate(&Line, depth)          -> Err(the first violation of the grammar or of the evaluation)
//! ```
//!
//! Invariant: the validator and the generator share only the reserved symbols and the limit on parameters.

mod generate;
mod symbols;
mod validate;

pub use generate::{Generator, MAX_DEPTH};
pub use validate::validate;
