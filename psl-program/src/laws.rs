//! Laws: what was run for one, and what that proves.

mod patterns;
mod search;
mod verdict;

pub use patterns::{Patterns, Slot, count};
pub use search::{Equality, Found, Refuted, Shown, Trial, search};
pub use verdict::{Decided, LawVerdict, MAX_LAW_WORK, Refutation};
