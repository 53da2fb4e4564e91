//! Value domains: what each register can hold in front of each layer.
//!
//! A domain is a set of constants, plus all positions or all symbols, plus null. It flows through the layers in order,
//! around repeat blocks and around the autoregressive loop, to a fixpoint; what a production copies is narrowed by the
//! production's own conditions.
//!
//! Invariants: a domain holds every value that the register can have there in a run on a plain prompt, or on a structured
//! one that sets no more than `//@ input` declares (a broken promise would be a false report); a register costs nothing at
//! a layer that does not write it.

mod at_point;
mod contradictions;
mod domain;
mod point;
mod propagation;
mod table;
mod values;
mod verdicts;
mod words;

pub use at_point::DomainsAtPoint;
pub use domain::Domain;
pub use point::ProgramPoint;
pub use propagation::{domains, domains_at};
pub use table::Domains;
pub use verdicts::{Proved, Verdict, Verdicts, verdicts};

pub(crate) use contradictions::Contradiction;
pub(crate) use domain::MAX_CONSTANTS;
pub(crate) use point::conjunctions;
pub(crate) use table::Right;
pub(crate) use values::ValueId;
pub(crate) use verdicts::same_place;
