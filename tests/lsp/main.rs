//! The server, through its pipes and its pages. `cargo test --test lsp faults::` runs the tests of one file.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

#[path = "../binary.rs"]
mod binary;
mod capabilities_page;
#[path = "../cases/mod.rs"]
mod cases;
mod commands;
mod damage;
mod explorer_command;
mod faults;
#[path = "../http.rs"]
mod http;
#[cfg(target_os = "linux")]
mod large_answers;
mod newer_clients;
mod older_clients;
mod orders;
mod page_server;
mod properties;
mod protocol_page;
mod psl_toml;
#[cfg(unix)]
mod renames;
mod searches;
#[path = "../server/mod.rs"]
mod server;
mod vscode_settings;
#[cfg(unix)]
mod workspace_paths;
