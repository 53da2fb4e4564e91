//! Work that a change of the text saves: tokens, productions, their meaning and their diagnostics are taken from the
//! earlier text where they are the same.
//!
//! ```text
//! relex              the tokens, and which of them are unchanged
//! reuse              the productions of the tree, by their tokens
//! known_productions  the resolved productions, by their code and the names
//! shift              the spans of all that moved
//! ```

pub mod known_productions;
pub mod relex;
pub mod reuse;
mod shift;
