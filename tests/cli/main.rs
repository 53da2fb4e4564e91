//! The command line: each file runs the built binary. `cargo test --test cli watch::` runs the tests of one file.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

mod answers;
#[path = "../binary.rs"]
mod binary;
#[path = "../cases/mod.rs"]
mod cases;
#[cfg(unix)]
mod checkpoint_folders;
mod checkpoints;
#[path = "../command.rs"]
mod command;
mod coverage;
mod debug;
mod defects;
mod empty_verdicts;
mod evaluation;
mod example_table;
mod example_tasks;
mod examples;
mod explore;
#[cfg(unix)]
mod explore_serve;
#[cfg(unix)]
mod files;
#[cfg(unix)]
mod help_examples;
mod holes;
#[cfg(unix)]
mod hostile;
#[path = "../http.rs"]
mod http;
mod import;
mod latent;
mod laws;
mod man;
mod minimize;
mod mutate;
mod new;
mod nfe;
mod patch;
mod prove;
#[cfg(unix)]
mod readme;
mod reports;
mod repository;
mod rows;
mod schedule;
mod scripts;
#[cfg(unix)]
mod search;
#[path = "../server/mod.rs"]
mod server;
mod terminal;
mod terminal_runs;
mod testing;
mod tgt;
mod trace_diff;
mod turing;
#[cfg(unix)]
mod watch;
mod weights;
