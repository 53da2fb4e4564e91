//! Templatic generation data: prompts with their continuations, by the grammar of App. D and the splits of Table 1.
//!
//! ```text
//! Generator::new(split, words, shots, seed)    -> Line, Line, …     makes a template, then fills it
//! validate(text of a line, &Constraints)       -> the first constraint of (32) and of the split that it violates
//! ```
//!
//! Invariant: the validator reads text and shares with the generator only the table of splits and the kinds of symbols.

mod generate;
mod split;
mod symbols;
mod template;
mod validate;

pub use generate::Generator;
pub use split::Split;
pub use symbols::Words;
pub use validate::{Constraints, validate};
