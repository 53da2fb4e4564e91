//! Searches for changes of a program.
//!
//! ```text
//! changes(&checked)            the single changes of a program, each with its operator, its edits and a sentence
//! Judge::new(…).judge(text)    whether a changed text completes all examples
//! repair(&judge, …)            the changes after which a program completes all examples, best first
//! ```
//!
//! Invariant: this crate does no I/O and does not depend on terminals, editor protocols, clocks or threads. The caller's
//! [`Workers`] decide where and how long it searches. It compiles to WebAssembly.
#![warn(missing_docs)]

mod additions;
mod assessment;
mod blame;
mod change;
mod changes;
mod condition_changes;
mod example;
mod judge;
mod new_productions;
mod operator;
mod pairs;
mod phrases;
mod productions;
mod repair;
mod statement_changes;
mod words;
mod workers;

pub use assessment::Assessment;
pub use change::Change;
pub use changes::changes;
pub use example::Example;
pub use judge::{Judge, Verdict};
pub use operator::Operator;
pub use repair::{Repair, Repairs, repair};
pub use workers::{OneThread, Workers};
