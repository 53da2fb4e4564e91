//! The commands of `psl`. Each returns whether all was fine; a [`Failure`] is something outside the programs.

pub mod check;
pub mod compile;
pub mod demo;
pub mod eval;
pub mod explain;
pub mod fmt;
pub mod man;
pub mod new;
pub mod run;
pub mod test;
pub mod tgt;
pub mod trace;
