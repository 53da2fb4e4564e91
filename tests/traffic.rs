//! Whatever an editor does for minutes, the server answers each request once, and in the end knows what a fresh server knows.
//!
//! An editor that decides by a seed opens, types, asks, cancels, changes settings, folders and files, sends nonsense, does not read
//! for a while, refuses or forgets what the server asks, and now and then kills the server and starts another. About every second it
//! waits until all is quiet and holds the server against one that saw nothing of it: see `editor/checkpoint.rs`.
//!
//! `TRAFFIC_SECONDS=n` says how long (30 where it is not set, a third of them in each encoding), `SEED=n` tries something else. A
//! failure prints the seed, and where what was said stands.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]
#![allow(clippy::struct_excessive_bools, reason = "each says something else of a document or a request")]

mod editor;
mod server;

use std::time::{Duration, Instant};

use editor::session::Editor;
use server::{text::Encoding, variables::number};

fn check(encoding: Encoding) {
    let time = Duration::from_secs(number("TRAFFIC_SECONDS", 30)) / 3;
    let start = Instant::now();
    let mut editor = Editor::new(number("SEED", 0), encoding);
    editor.start_server();
    while editor.counts.rounds == 0 || start.elapsed() < time {
        editor.act_for_a_while();
        editor.checkpoint();
    }
    editor.shut_down();
    println!("{}: {:?}", encoding.name(), editor.counts);
}

#[test]
fn whatever_an_editor_does_the_server_knows_what_a_fresh_one_knows_in_utf_8() {
    check(Encoding::Utf8);
}

#[test]
fn whatever_an_editor_does_the_server_knows_what_a_fresh_one_knows_in_utf_16() {
    check(Encoding::Utf16);
}

#[test]
fn whatever_an_editor_does_the_server_knows_what_a_fresh_one_knows_in_utf_32() {
    check(Encoding::Utf32);
}
