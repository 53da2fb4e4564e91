//! Templatic generation data: prompts with their continuations, for the grammar of App. D and the splits of Tables 1
//! and 10.
//!
//! ```text
//! Generator::new(split, words, shots, seed)    -> Line, Line, …     generates a template and fills it
//! validate(&Line, &Constraints)                -> Err(the first constraint of (32) or of the split that it violates)
//! ```
//!
//! Invariant: the validator and the generator share only the table of splits and the kinds of symbols.

mod generate;
mod split;
mod symbols;
mod template;
mod validate;

pub use generate::Generator;
pub use split::Split;
pub use symbols::Words;
pub use validate::{Constraints, validate};
