//! Minutes of editing: the server answers each request once, and in the end it agrees with a fresh server.
//!
//! An editor driven by a seed opens, types, requests, cancels, changes settings, folders and files, sends nonsense,
//! stops reading for a while, and refuses or ignores the server's requests. Now and then it kills the server and starts
//! another. About every second it waits until all is quiet and compares the server with a fresh one: see
//! `editor/checkpoint.rs`.
//!
//! `TRAFFIC_SECONDS=n` sets the duration (12 by default, a third of it in each encoding), and `SEED=n` the seed. A
//! failure prints the seed and the path of the transcript.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]
#![allow(clippy::struct_excessive_bools, reason = "each describes another aspect of a document or a request")]

mod editor;
mod server;

use std::time::{Duration, Instant};

use editor::session::{Counts, Editor};
use server::{text::Encoding, variables::number};

fn check(encoding: Encoding) {
    let time = Duration::from_secs(number("TRAFFIC_SECONDS", 12)) / 3;
    let start = Instant::now();
    let mut editor = Editor::new(number("SEED", 0), encoding);
    editor.start_server();
    while editor.counts.rounds == 0 || start.elapsed() < time {
        editor.act_for_a_while();
        editor.checkpoint();
    }
    editor.shut_down();
    let Counts { messages, requests, compared, .. } = editor.counts;
    assert!(messages > 0 && requests > 0 && compared > 0, "nothing was tried: {:?}", editor.counts);
    println!("{}: {:?}", encoding.name(), editor.counts);
}

#[test]
fn the_server_agrees_with_a_fresh_one_in_utf_8() {
    check(Encoding::Utf8);
}

#[test]
fn the_server_agrees_with_a_fresh_one_in_utf_16() {
    check(Encoding::Utf16);
}

#[test]
fn the_server_agrees_with_a_fresh_one_in_utf_32() {
    check(Encoding::Utf32);
}
