//! What large answers cost.

#![cfg(target_os = "linux")]
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

mod server;

use std::fs;

use serde_json::json;
use server::client::{Client, full};

const PARGEN: &str = include_str!("programs/pargen.psl");
const MEGABYTE: usize = 1_000_000;

/// How much memory a process has (`VmRSS`) or has had at most (`VmHWM`), in bytes.
fn memory(process: u32, field: &str) -> usize {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("a process has a status");
    let line = status.lines().find(|line| line.starts_with(field)).expect("it has the field");
    let kibibytes: usize = line.split_whitespace().nth(1).expect("a number").parse().expect("a number");
    kibibytes * 1024
}

fn assert_below(client: &Client, megabytes: usize, when: &str) {
    let [now, most] = ["VmRSS", "VmHWM"].map(|field| memory(client.process(), field) / MEGABYTE);
    println!("{when}: {now} MB, {most} MB at most");
    assert!(most <= megabytes, "{when}: {now} MB, {most} MB at most");
}

#[test]
fn a_trace_that_no_editor_can_take_is_refused_while_it_is_made() {
    let mut client = Client::greeted(&full(&["utf-16"]));
    let uri = "file:///size/pargen.psl";
    client.open(uri, PARGEN);
    let symbols: Vec<String> = (0..500).map(|number| format!("x{number}")).collect();
    let symbols = symbols.join(" ");
    let prompt = format!("Q {symbols} A {symbols} . Q {symbols} A");
    let mut trace = |prompt: &str| {
        let arguments = json!([{"uri": uri, "prompt": prompt}]);
        client.request("workspace/executeCommand", &json!({"command": "psl.trace", "arguments": arguments}))
    };
    let refusal = trace(&prompt).expect_err("it is too long");
    let message = refusal["message"].as_str().expect("a message");
    assert!(message.contains("longer than an editor is sent") && message.contains("psl run --trace FILE"), "{message}");
    let brief = trace("Q a + b A b - a . Q c d + e A").expect("a trace");
    assert!(brief.as_array().is_some_and(|lines| lines.len() > 500));
    assert_below(&client, 300, "a refused trace");
    client.finish();
}
