//! The answers, each in a file named for it.

pub mod attention;
#[cfg(feature = "debugger")]
pub mod debug;
pub mod difference;
mod entries;
pub mod history;
pub mod latent_codes;
pub mod origin;
pub mod parse;
pub mod patch;
pub mod program;
pub mod residual;
pub mod run;
pub mod schedule;
pub mod tensors;
mod term;
pub mod tile;
pub mod update;
pub mod why;
