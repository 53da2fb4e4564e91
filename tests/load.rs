//! The server under load: a client sends many requests at once, cancels them, or does not read the answers. The tests
//! check the order of messages and the memory of the server.

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

const PARGEN: &str = include_str!("../examples/pargen.psl");
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

/// A program whose runs take longer than anyone waits: each cell writes the next one.
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
    answer.map(drop).expect_err("an error")["code"].as_i64().expect("a number")
}

/// Waits until the server is idle.
fn wait_until_idle(client: &Client) {
    let start = Instant::now();
    loop {
        let before = cpu_ticks(client.process());
        thread::sleep(Duration::from_millis(200));
        if cpu_ticks(client.process()) - before <= 1 {
            return;
        }
        assert!(start.elapsed() < Duration::from_mins(1), "the server keeps computing");
    }
}

// Requests that a user waits for come before background work.

/// Hovers while other work is running. None of that work's messages may come before the hovers.
fn hovers_come_before(client: &mut Client, is_of_other_work: impl Fn(&Value) -> bool) {
    for _ in 0..5 {
        let hover = client.begin("textDocument/hover", &at(QUICK));
        let first = client.wait(|message| is_answer(message, hover) || is_of_other_work(message));
        let start: String = first.to_string().chars().take(200).collect();
        assert_eq!(first["id"], hover, "came before the hover: {start}");
        assert!(first["result"].is_object(), "{start}");
    }
}

/// Whether a message is the answer to a request. The server's own requests have ids too.
fn is_answer(message: &Value, id: i64) -> bool {
    message["id"] == id && message["method"].is_null()
}

const QUICK: &str = "file:///load/quick.psl";

#[test]
fn a_hover_is_answered_during_runs() {
    let mut client = greeted();
    client.open(URI, &endless());
    client.open(QUICK, SMALL);
    let runs: Vec<i64> = (0..66).map(|_| client.begin("workspace/executeCommand", &run(URI))).collect();
    hovers_come_before(&mut client, |message| runs.iter().any(|run| is_answer(message, *run)));
    client.finish();
}

#[test]
fn a_hover_is_answered_during_tests() {
    let mut client = greeted();
    let slow = slow_tests(300);
    let uris: Vec<String> = (0..4).map(|number| format!("file:///load/tests{number}.psl")).collect();
    for uri in &uris {
        client.open(uri, &slow);
    }
    for uri in &uris {
        client.published(uri, 1);
    }
    client.open(QUICK, SMALL);
    client.published(QUICK, 1);
    // After the pause, the tests of all four programs are running or waiting.
    thread::sleep(Duration::from_millis(300));
    hovers_come_before(&mut client, |message| {
        uris.iter().any(|uri| message["params"]["uri"] == uri.as_str() && message["params"]["diagnostics"] != json!([]))
    });
    client.finish();
}

/// A program with many slow tests.
fn slow_tests(count: usize) -> String {
    let mut text = "//@ max-new 300\n//@ stop \"NEVER\"\n".to_owned();
    for number in 0..count {
        writeln!(text, "//@ test test{number} \"Q B V D E A D E V B . Q F G H V K L A\" => \"A\"").expect("a string");
    }
    text + &without_tests(PARGEN)
}

#[test]
fn a_hover_is_answered_during_a_symbol_search() {
    let mut client = greeted();
    let large = without_tests(PARGEN).repeat(40);
    for number in 0..10 {
        let uri = format!("file:///load/large{number}.psl");
        client.open(&uri, &large);
        client.published(&uri, 1);
    }
    client.open(QUICK, SMALL);
    let searches: Vec<i64> = (0..3).map(|_| client.begin("workspace/symbol", &json!({"query": "symbol"}))).collect();
    hovers_come_before(&mut client, |message| is_answer(message, searches[2]));
    client.finish();
}

#[test]
fn large_documents_do_not_delay_others() {
    let mut client = greeted();
    let large = without_tests(PARGEN).repeat(400);
    let mut asked = Vec::new();
    for number in 0..6 {
        let uri = format!("file:///load/large{number}.psl");
        client.open(&uri, &large);
        asked.extend((0..20).map(|_| client.begin("textDocument/hover", &at(&uri))));
    }
    client.open(QUICK, SMALL);
    let last = asked[100];
    hovers_come_before(&mut client, |message| is_answer(message, last));
    client.finish();
}

// Unwanted results are not computed.

#[test]
fn a_run_ends_when_cancelled_outdated_or_closed() {
    for end in ["cancel", "edit", "close"] {
        let mut client = greeted();
        client.open(URI, &endless());
        // The last runs have not begun.
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
        wait_until_idle(&client);
        client.finish();
    }
}

#[test]
fn a_run_is_cancelled_by_any_id() {
    let mut client = greeted();
    client.open(URI, &endless());
    for id in [json!(1_u64 << 40), json!(1.5), json!("one"), Value::Null] {
        client.send(json!({"id": id, "method": "workspace/executeCommand", "params": run(URI)}));
        client.notify("$/cancelRequest", &json!({"id": id}));
        let answer = client.wait(|message| message["error"]["code"] == CANCELLED);
        assert_eq!(answer["id"], id);
    }
    wait_until_idle(&client);
    client.finish();
}

#[test]
fn tests_of_a_closed_document_end() {
    let mut client = greeted();
    client.open(URI, &slow_tests(3_000));
    client.published(URI, 1);
    thread::sleep(Duration::from_millis(500));
    client.close(URI);
    wait_until_idle(&client);
    client.finish();
}

#[test]
fn cancelled_and_outdated_requests_are_not_computed() {
    for cancels in [true, false] {
        let mut client = greeted();
        client.open(URI, &without_tests(PARGEN).repeat(200));
        client.published(URI, 1);
        wait_until_idle(&client);
        let asked = json!({"textDocument": {"uri": URI}});
        let line = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
        let mut ticks = cpu_ticks(client.process());
        let mut since = |client: &Client| {
            wait_until_idle(client);
            let before = std::mem::replace(&mut ticks, cpu_ticks(client.process()));
            ticks - before
        };
        client.change(URI, 2, &[json!({"range": line, "text": "#"})]);
        client.request("textDocument/semanticTokens/full", &asked).expect("tokens");
        let once = since(&client).max(1);
        let mut requests = Vec::new();
        for version in 3..43 {
            client.change(URI, version, &[json!({"range": line, "text": "#"})]);
            let request = client.begin("textDocument/semanticTokens/full", &asked);
            if cancels {
                client.notify("$/cancelRequest", &json!({"id": request}));
            }
            requests.push(request);
        }
        let newest = requests.pop().filter(|_| !cancels);
        for request in requests {
            assert_eq!(code(client.response(request)), if cancels { CANCELLED } else { CONTENT_MODIFIED });
        }
        newest.map(|newest| client.response(newest).expect("tokens"));
        let all = since(&client);
        assert!(all < 10 * once, "{all} ticks for 40 unwanted requests, {once} for one");
        client.finish();
    }
}

// A client that does not read needs bounded memory.

#[test]
#[ignore = "takes long, so tests/run --long runs it"]
fn edits_without_reading_need_bounded_memory() {
    let mut client = greeted();
    // Thousands of unknown registers.
    let names = (0..8_000).map(|number| format!("where a{number}[N] == b{number}[N]: a[N] = b\n"));
    let text: String = names.collect();
    client.open(URI, &text);
    client.published(URI, 1);
    let reading = Arc::clone(&client.reading);
    let pause = reading.lock().expect("no test has failed");
    for version in 2..300 {
        let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": version % 2}});
        let text = if version % 2 == 0 { "#" } else { "" };
        client.change(URI, version, &[json!({"range": range, "text": text})]);
        // Each version is checked before the next one is sent.
        thread::sleep(Duration::from_millis(30));
    }
    wait_until_idle(&client);
    let peak = peak_kib(client.process());
    drop(pause);
    client.published(URI, 299);
    client.close(URI);
    client.until_quiet(Duration::from_millis(500));
    let after = resident_kib(client.process());
    println!("peak of {peak} KiB while nothing was read, {after} KiB after the document was closed");
    assert!(peak < 300 * MIB, "{peak} KiB while nothing was read");
    assert!(after < 100 * MIB, "{after} KiB after the document was closed");
    client.finish();
}

#[test]
#[ignore = "takes long, so tests/run --long runs it"]
fn requests_without_reading_need_bounded_memory() {
    let mut client = greeted();
    let large = without_tests(PARGEN).repeat(22);
    client.open(URI, &large);
    client.published(URI, 1);
    let asked = json!({"textDocument": {"uri": URI}});
    let answer = client.request("textDocument/semanticTokens/full", &asked).expect("tokens").to_string().len();
    let reading = Arc::clone(&client.reading);
    let pause = reading.lock().expect("no test has failed");
    let answers: Vec<i64> = (0..2_000).map(|_| client.begin("textDocument/semanticTokens/full", &asked)).collect();
    wait_until_idle(&client);
    let peak = peak_kib(client.process());
    println!("peak of {peak} KiB for {} KiB of requested answers", answers.len() * answer / 1024);
    assert!(answers.len() * answer > 400 << 20, "the answers would fit: {answer} bytes each");
    drop(pause);
    for id in answers {
        client.response(id).expect("tokens");
    }
    assert!(peak < 200 * MIB, "{peak} KiB while nothing was read");
    client.finish();
}

#[test]
#[ignore = "takes long, so tests/run --long runs it"]
fn notifications_without_reading_need_bounded_memory() {
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
    wait_until_idle(&client);
    let after = resident_kib(client.process());
    drop(pause);
    println!("{before} KiB before, {after} KiB after 60,000 notifications without reading");
    assert!(after < before + 60 * MIB, "{before} KiB before, {after} KiB after");
    client.finish();
}

#[test]
#[ignore = "takes long, so tests/run --long runs it"]
fn requests_for_settings_without_an_answer_need_bounded_memory() {
    let mut client = greeted();
    client.answers = false;
    let round = |client: &mut Client, changes: usize| {
        for _ in 0..changes {
            client.notify("workspace/didChangeConfiguration", &json!({"settings": null}));
        }
        let asked = client.until_quiet(Duration::from_millis(500)).into_iter();
        let asked = asked.filter(|message| message["method"] == "workspace/configuration").count();
        assert!(asked >= changes, "{asked} requests");
        resident_kib(client.process())
    };
    // The queue of messages may take 16 MiB, and the allocator keeps what it has taken.
    let (few, many) = (round(&mut client, 50_000), round(&mut client, 200_000));
    println!("{few} KiB after 50,000 requests, {many} KiB after 200,000 more");
    assert!(many < few + 30 * MIB, "{few} KiB after 50,000 requests, {many} KiB after 200,000 more");
    client.finish();
}

#[test]
fn closed_documents_need_no_memory() {
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
    // Two hundred documents with all their facts would need ten times as much.
    assert!(many < few + 20 * MIB, "{few} KiB after 20 documents, {many} KiB after 200 more");
    client.finish();
}

#[test]
fn of_too_many_diagnostics_the_most_severe_are_sent() {
    let mut client = greeted();
    let warnings: String =
        (0..5_000).fold(String::new(), |text, number| text + &format!("# {number}\nregisters: {{r{number}: 'r'}}\n"));
    let text = format!("{warnings}where nowhere[N] == A:\n    nothing[N] = A\n");
    client.open(URI, &text);
    let found = client.published(URI, 1);
    assert_eq!(found.len(), 1_000);
    let (last, shown) = found.split_last().expect("diagnostics");
    assert!(last["message"].as_str().is_some_and(|message| message.contains("more diagnostics")), "{last}");
    let severities: Vec<i64> = shown.iter().map(|it| it["severity"].as_i64().expect("a number")).collect();
    assert!(severities.contains(&1), "errors come first");
    let lines: Vec<_> = shown.iter().map(|it| it["range"]["start"]["line"].as_i64()).collect();
    assert!(lines.is_sorted(), "sorted by place");
    client.finish();
}
