//! Searches for changes of a program, and for prompts that refute a claim about it.
//!
//! ```text
//! repair_file(&file, …)        the changes with which all tests of a file pass, best first
//! fill_file(&file, …)          what belongs in the holes of a file, best first
//! candidates(&checked, hole)   the parts that the analyses leave for a hole, the most plausible first
//! changes(&checked)            the single changes of a program, each with its operator, its edits and a sentence
//! minimize_file(&file, …)      a smaller program that does the same on the prompts of its tests and of data
//! minimize_prompt(&file, …)    a shorter prompt on which a test fails for the same reason
//! MutationTest::new(&file, …)  the changes of a program that its tests do not notice
//! prove(&runner, &claim, …)    whether a claim holds for all short prompts, or a shortest one that refutes it
//! Judge::new(…).judge(text)    whether a changed text completes all examples
//! ```
//!
//! Invariant: this crate does no I/O and does not depend on terminals, editor protocols, clocks or threads. The
//! caller's [`Workers`] decide where and how long it searches. It compiles to WebAssembly.
#![warn(missing_docs)]

mod additions;
mod assessment;
mod blame;
mod candidates;
mod change;
mod changes;
mod compared_with;
mod condition_changes;
mod distinguishing_prompt;
mod example;
mod fill;
mod fillings;
mod judge;
mod minimal_prompt;
mod minimize;
mod mutants;
mod name_sorts;
mod new_productions;
mod of_file;
mod operator;
mod pairs;
mod phrases;
mod productions;
mod proof;
mod reference_run;
mod repair;
mod shrink;
mod statement_changes;
mod workers;

pub use assessment::Assessment;
pub use candidates::{Candidates, candidates};
pub use change::Change;
pub use changes::changes;
pub use distinguishing_prompt::DistinguishingPrompt;
pub use example::Example;
pub use fill::{Filling, Fillings, fill};
pub use judge::{Judge, Verdict};
pub use minimal_prompt::{MinimalPrompt, minimize_prompt};
pub use minimize::{Minimal, Sizes, minimize_file};
pub use mutants::{Fate, Killer, MutationTest, ToldApart, most_different};
pub use of_file::{NoSearch, fill_file, repair_file};
pub use operator::Operator;
pub use proof::{Against, Claim, Counterexample, Expected, Proof, ShortPrompts, Statement, Wanted, prompts_of, prove};
pub use repair::{Repair, Repairs, repair};
pub use workers::{OneThread, Uncounted, Workers};
