//! What the server makes of a client that wants much at once, stops wanting it, or does not read the answers: the order of what it
//! says, and the memory that it holds.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

mod server;

use std::{
    fmt::Write as _,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use server::{
    client::{Client, full},
    process::{cpu_ticks, peak_kib, resident_kib},
};

const CANCELLED: i64 = -32800;
const CONTENT_MODIFIED: i64 = -32801;

const PARGEN: &str = include_str!("programs/pargen.psl");
const SMALL: &str =
    "registers: {symbol: 's', position: 'p'}\nconstants: {A}\nwhere symbol[N] == A:\n    symbol[N] = A\n";
const URI: &str = "file:///load/program.psl";
const MIB: u64 = 1024;

fn greeted() -> Client {
    Client::greeted(&full(&["utf-16"]))
}

fn at(uri: &str) -> Value {
    json!({"textDocument": {"uri": uri}, "position": {"line": 2, "character": 8}})
}

/// Runs for longer than anyone waits: each cell writes the next.
fn endless() -> String {
    format!("//@ max-new 900000\n//@ stop \"NEVER\"\n{}", without_tests(PARGEN))
}

fn without_tests(program: &str) -> String {
    let lines = program.lines().filter(|line| !line.starts_with("//@"));
    lines.fold(String::new(), |text, line| text + line + "\n")
}

fn run(uri: &str) -> Value {
    let prompt = "Q B V D E A D E V B . Q F G H V K L A";
    json!({"command": "psl.run", "arguments": [{"uri": uri, "prompt": prompt}]})
}

fn code(answer: Result<Value, Value>) -> i64 {
    answer.expect_err("an error")["code"].as_i64().expect("a number")
}

/// Waits until the server computes nothing any more.
fn comes_to_rest(client: &Client) {
    let start = Instant::now();
    loop {
        let before = cpu_ticks(client.process());
        thread::sleep(Duration::from_millis(200));
        if cpu_ticks(client.process()) - before <= 1 {
            return;
        }
        assert!(start.elapsed() < Duration::from_mins(1), "the server goes on computing for nobody");
    }
}

// What a person waits for is never behind what nobody waits for.

#[test]
fn a_hover_is_answered_while_tests_runs_and_searches_go_on() {
    let mut client = greeted();
    let slow = slow_tests(300);
    for number in 0..2 {
        client.open(&format!("file:///load/tests{number}.psl"), &slow);
    }
    client.open(URI, &endless());
    let runs: Vec<i64> = (0..66).map(|_| client.begin("workspace/executeCommand", &run(URI))).collect();
    for _ in 0..3 {
        client.begin("workspace/symbol", &json!({"query": "a"}));
        client.begin("workspace/diagnostic", &json!({"previousResultIds": []}));
    }
    client.open("file:///load/small.psl", SMALL);
    for _ in 0..20 {
        let hover = client.begin("textDocument/hover", &at("file:///load/small.psl"));
        let first = client.wait(|message| message["id"] == hover || runs.iter().any(|run| message["id"] == *run));
        assert_eq!(first["id"], hover, "a run that nobody stops has ended: {first}");
        assert!(first["result"].is_object(), "{first}");
    }
    client.finish();
}

/// A program with many tests, each of which takes its time.
fn slow_tests(count: usize) -> String {
    let mut text = "//@ max-new 300\n//@ stop \"NEVER\"\n".to_owned();
    for number in 0..count {
        writeln!(text, "//@ test \"test{number}\" \"Q B V D E A D E V B . Q F G H V K L A\" => \"A\"")
            .expect("a string");
    }
    text + &without_tests(PARGEN)
}

#[test]
fn one_large_document_keeps_no_other_waiting() {
    let mut client = greeted();
    let large = without_tests(PARGEN).repeat(40);
    let mut asked = Vec::new();
    for number in 0..6 {
        let uri = format!("file:///load/large{number}.psl");
        client.open(&uri, &large);
        asked.extend((0..20).map(|_| client.begin("textDocument/hover", &at(&uri))));
    }
    client.open(URI, SMALL);
    let hover = client.begin("textDocument/hover", &at(URI));
    let last = *asked.last().expect("some were asked");
    let first = client.wait(|message| message["id"] == hover || message["id"] == last);
    assert_eq!(first["id"], hover, "the last of the large documents' hovers came first");
    client.finish();
}

// Nothing is computed for nobody.

#[test]
fn a_run_that_is_cancelled_overtaken_or_closed_ends() {
    for end in ["cancel", "edit", "close"] {
        let mut client = greeted();
        client.open(URI, &endless());
        // The last ones have not begun.
        let runs: Vec<i64> = (0..20).map(|_| client.begin("workspace/executeCommand", &run(URI))).collect();
        thread::sleep(Duration::from_millis(300));
        let expected = match end {
            "cancel" => {
                for run in &runs {
                    client.notify("$/cancelRequest", &json!({"id": run}));
                }
                CANCELLED
            }
            "edit" => {
                client.change(URI, 2, &[json!({"text": endless() + "\n"})]);
                CONTENT_MODIFIED
            }
            _ => {
                client.close(URI);
                CONTENT_MODIFIED
            }
        };
        for run in runs {
            assert_eq!(code(client.response(run)), expected, "{end}");
        }
        comes_to_rest(&client);
        client.finish();
    }
}

#[test]
fn tests_of_a_closed_document_end() {
    let mut client = greeted();
    client.open(URI, &slow_tests(3_000));
    client.published(URI, 1);
    thread::sleep(Duration::from_millis(500));
    client.close(URI);
    comes_to_rest(&client);
    client.finish();
}

#[test]
fn requests_that_are_cancelled_are_not_computed() {
    let mut client = greeted();
    let large = without_tests(PARGEN).repeat(100);
    client.open(URI, &large);
    client.published(URI, 1);
    let before = cpu_ticks(client.process());
    client.request("textDocument/semanticTokens/full", &json!({"textDocument": {"uri": URI}})).expect("tokens");
    let once = (cpu_ticks(client.process()) - before).max(1);
    let asked: Vec<i64> = (0..200)
        .map(|_| client.begin("textDocument/semanticTokens/full", &json!({"textDocument": {"uri": URI}})))
        .collect();
    let before = cpu_ticks(client.process());
    for id in &asked {
        client.notify("$/cancelRequest", &json!({"id": id}));
    }
    for id in asked {
        let _ = client.response(id);
    }
    comes_to_rest(&client);
    let all = cpu_ticks(client.process()) - before;
    assert!(all < 100 * once, "{all} ticks for 200 cancelled requests, {once} for one");
    client.finish();
}

// A client that does not read costs bounded memory.

#[test]
fn edits_of_a_client_that_does_not_read_cost_bounded_memory() {
    let mut client = greeted();
    // Every production names a register that is not there.
    let text = without_tests(PARGEN).replace("region[", "nowhere[").repeat(25);
    client.open(URI, &text);
    client.published(URI, 1);
    let reading = Arc::clone(&client.reading);
    let pause = reading.lock().expect("no test has failed");
    for version in 2..3_000 {
        let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": version % 2}});
        let text = if version % 2 == 0 { "#" } else { "" };
        client.change(URI, version, &[json!({"range": range, "text": text})]);
    }
    comes_to_rest(&client);
    let peak = peak_kib(client.process());
    drop(pause);
    client.published(URI, 2_999);
    client.close(URI);
    client.until_quiet(Duration::from_millis(500));
    let after = resident_kib(client.process());
    println!("{peak} KiB at most while nothing was read, {after} KiB after the document was closed");
    assert!(peak < 300 * MIB, "{peak} KiB while nothing was read");
    assert!(after < 100 * MIB, "{after} KiB after the document was closed");
    client.finish();
}

#[test]
fn requests_of_a_client_that_does_not_read_cost_bounded_memory() {
    let mut client = greeted();
    let large = without_tests(PARGEN).repeat(20);
    client.open(URI, &large);
    client.published(URI, 1);
    let asked = json!({"textDocument": {"uri": URI}});
    let answer = client.request("textDocument/semanticTokens/full", &asked).expect("tokens").to_string().len();
    let reading = Arc::clone(&client.reading);
    let pause = reading.lock().expect("no test has failed");
    let answers: Vec<i64> = (0..2_000).map(|_| client.begin("textDocument/semanticTokens/full", &asked)).collect();
    comes_to_rest(&client);
    let peak = peak_kib(client.process());
    println!("{peak} KiB at most, with {} KiB of answers asked for", answers.len() * answer / 1024);
    assert!(answers.len() * answer > 400 << 20, "the answers would fit: {answer} bytes each");
    drop(pause);
    for id in answers {
        client.response(id).expect("tokens");
    }
    assert!(peak < 200 * MIB, "{peak} KiB while nothing was read");
    client.finish();
}

#[test]
fn what_a_client_that_does_not_read_tells_costs_bounded_memory() {
    let mut client = greeted();
    client.open(URI, SMALL);
    client.published(URI, 1);
    let before = resident_kib(client.process());
    let reading = Arc::clone(&client.reading);
    let pause = reading.lock().expect("no test has failed");
    for number in 0..20_000 {
        let uri = format!("file:///load/{number}.psl");
        client.open(&uri, SMALL);
        client.close(&uri);
        let settings = json!({"psl": {format!("unknown{number}"): number}});
        client.notify("workspace/didChangeConfiguration", &json!({"settings": settings}));
    }
    comes_to_rest(&client);
    let after = resident_kib(client.process());
    drop(pause);
    println!("{before} KiB before, {after} KiB after 60,000 notifications that nothing was read of");
    assert!(after < before + 60 * MIB, "{before} KiB before, {after} KiB after");
    client.finish();
}

#[test]
fn documents_that_were_closed_cost_nothing() {
    let mut client = greeted();
    let round = |client: &mut Client, documents: usize| {
        for number in 0..documents {
            let uri = format!("file:///load/{number}.psl");
            client.open(&uri, PARGEN);
            client.published(&uri, 1);
            client.close(&uri);
        }
        client.until_quiet(Duration::from_millis(500));
        resident_kib(client.process())
    };
    let (few, many) = (round(&mut client, 20), round(&mut client, 200));
    println!("{few} KiB after 20 documents, {many} KiB after 200 more");
    assert!(many < few + few / 4, "{few} KiB after 20 documents, {many} KiB after 200 more");
    client.finish();
}

#[test]
fn of_very_many_diagnostics_the_worst_are_sent() {
    let mut client = greeted();
    let warnings: String =
        (0..5_000).fold(String::new(), |text, number| text + &format!("# {number}\nregisters: {{r{number}: 'r'}}\n"));
    let text = format!("{warnings}where nowhere[N] == A:\n    nothing[N] = A\n");
    client.open(URI, &text);
    let found = client.published(URI, 1);
    assert_eq!(found.len(), 1_000);
    let (last, shown) = found.split_last().expect("there are some");
    assert!(last["message"].as_str().is_some_and(|message| message.contains("more diagnostics")), "{last}");
    let severities: Vec<i64> = shown.iter().map(|it| it["severity"].as_i64().expect("a number")).collect();
    assert!(severities.contains(&1), "errors come first");
    let lines: Vec<_> = shown.iter().map(|it| it["range"]["start"]["line"].as_i64()).collect();
    assert!(lines.is_sorted(), "they stand in the order of the text");
    client.finish();
}
