//! Value domains: the possible values of each register before each layer.
//!
//! A domain is a set of constants, optionally with all positions or all symbols, and optionally with null. Domains
//! flow through the layers in order, around repeat blocks and around the autoregressive loop, up to a fixpoint. The
//! conditions of a production narrow the values that it copies.
//!
//! Invariants: a domain contains every value that the register can have at that point, in a run on a plain prompt or
//! on a structured prompt that only sets registers declared with `//@ input`. A violation would be a false report. A
//! register costs nothing at a layer that does not write it.

mod at_point;
mod contradictions;
mod domain;
mod met;
mod point;
mod propagation;
mod table;
mod values;
mod verdicts;
mod words;

pub use at_point::DomainsAtPoint;
pub use domain::Domain;
pub use met::{MetValues, met_values};
pub use point::ProgramPoint;
pub use propagation::{domains, domains_at};
pub use table::Domains;
pub use verdicts::{Proved, Verdict, Verdicts, verdicts};

pub(crate) use contradictions::Contradiction;
pub(crate) use domain::MAX_CONSTANTS;
pub(crate) use point::{Conjunction, conjunctions};
pub(crate) use table::Right;
pub(crate) use values::ValueId;
pub(crate) use verdicts::same_place;
