//! The commands of `psl`. Each returns `true` for exit code 0 and `false` for 1. A [`Failure`] is a problem outside the
//! programs.

pub mod check;
pub mod comparison;
pub mod compile;
pub mod completions;
pub mod dap;
pub mod debug;
pub mod demo;
pub mod eval;
pub mod examples;
pub mod explain;
pub mod explore;
pub mod fill;
pub mod fmt;
pub mod global_options;
pub mod import;
pub mod jobs;
pub mod latent;
pub mod level_options;
pub mod man;
pub mod mutate;
pub mod new;
pub mod nfe;
pub mod patch;
pub mod prove;
pub mod repair;
pub mod run;
pub mod schedule;
pub mod search;
pub mod suggested;
pub mod task_data;
pub mod test;
pub mod tgt;
pub mod trace;
pub mod turing;
pub mod watch;
