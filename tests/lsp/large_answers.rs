//! The memory for large answers: a workspace of 20,000 programs, and a trace of a thousand symbols.

use std::fs;

use serde_json::{Value, json};

use crate::server::client::{Client, full};

const PARGEN: &str = include_str!("../../examples/pargen.psl");
const PROGRAMS: usize = 20_000;
const MEGABYTE: usize = 1_000_000;

/// A unique program of 30 lines, with a test and its own symbols. Every tenth program has a warning.
fn program(number: usize) -> String {
    let spare = if number.is_multiple_of(10) { ", spare: 'x'" } else { "" };
    let mut text = format!(
        "//@ test \"A{number}\" => \"B\"\n//@ max-new 1\n\
         registers: {{symbol: 's', position: 'p', mark_{number}: 'm'{spare}}}\nconstants: {{A{number}, B, C, D, E}}\n\
         # {number}.0: copy the symbol\nwhere symbol[N] == A{number}:\n    mark_{number}[N] = B\n"
    );
    for (layer, [before, after]) in [["B", "C"], ["C", "D"], ["D", "E"], ["E", "A"]].into_iter().enumerate() {
        let after = if after == "A" { format!("A{number}") } else { after.to_owned() };
        let production = format!(
            "\n# {number}.{}\nwhere mark_{number}[N] == {before} and\n    position[n] == position[N]:\n    \
             mark_{number}[N] = {after}\n",
            layer + 1
        );
        text.push_str(&production);
    }
    let last = format!("# {number}.5\nwhere mark_{number}[N] == A{number}:\n    symbol[N] = B\n");
    text.push_str(&last);
    assert_eq!(text.lines().count(), 30);
    text
}

/// The memory of a process now (`VmRSS`) or at its peak (`VmHWM`), in bytes.
fn memory(process: u32, field: &str) -> usize {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("the status of a process");
    let line = status.lines().find(|line| line.starts_with(field)).expect("the field");
    let kibibytes: usize = line.split_whitespace().nth(1).expect("a number").parse().expect("a number");
    kibibytes * 1024
}

fn assert_below(client: &Client, megabytes: usize, when: &str) {
    let [now, most] = ["VmRSS", "VmHWM"].map(|field| memory(client.process(), field) / MEGABYTE);
    println!("{when}: {now} MB, peak {most} MB");
    assert!(most <= megabytes, "{when}: {now} MB, peak {most} MB");
}

fn reports(client: &mut Client, previous: &Value) -> Vec<Value> {
    let answer = client.request("workspace/diagnostic", &json!({"previousResultIds": previous}));
    match answer.expect("diagnostics")["items"].take() {
        Value::Array(items) => items,
        other => panic!("expected a list, found {other}"),
    }
}

fn symbols(client: &mut Client, query: &str) -> Vec<String> {
    let found = client.request("workspace/symbol", &json!({"query": query})).expect("symbols");
    let name = |symbol: &Value| symbol["name"].as_str().expect("a name").to_owned();
    found.as_array().expect("a list").iter().map(name).collect()
}

#[test]
#[ignore = "takes long, so tests/run --long runs it"]
fn a_workspace_of_20_000_programs_needs_less_than_200_megabytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |number: usize| folder.path().join(format!("{:03}/{number}.psl", number / 100));
    for number in 0..PROGRAMS {
        if number % 100 == 0 {
            fs::create_dir(folder.path().join(format!("{:03}", number / 100))).expect("a folder");
        }
        fs::write(path(number), program(number)).expect("a file");
    }
    let mut client = Client::in_folder(folder.path());
    let (mut known, mut ids) = (Vec::new(), json!([]));
    for round in ["first", "second"] {
        let found = symbols(&mut client, "mark_1234");
        assert!(found[0] == "mark_1234" && found[1..11].iter().all(|name| name.starts_with("mark_1234")), "{found:?}");
        assert_eq!(symbols(&mut client, "").len(), 1_000, "the limit of an answer");
        assert_below(&client, 200, &format!("{round} symbols"));
        let items = reports(&mut client, &json!([]));
        assert_below(&client, 200, &format!("{round} diagnostics"));
        assert_eq!(items.len(), PROGRAMS);
        let warned = items.iter().filter(|item| item["items"].as_array().is_some_and(|found| found.len() == 1));
        assert_eq!(warned.count(), PROGRAMS / 10, "{}", items[0]);
        ids = items.iter().map(|item| json!({"uri": item["uri"], "value": item["resultId"]})).collect();
        if !known.is_empty() {
            assert_eq!(known, items, "kept reports equal computed ones");
        }
        known = items;
    }
    fs::write(path(4711), program(4711).replace("mark_4711: 'm'", "mark_4711: 'm', rest: 'r'")).expect("a file");
    let changed: Vec<_> = reports(&mut client, &ids).into_iter().filter(|item| item["kind"] == "full").collect();
    assert_eq!((changed.len(), &changed[0]["uri"]), (1, &json!(format!("file://{}", path(4711).display()))));
    assert_eq!(symbols(&mut client, "rest"), ["rest"]);
    assert_below(&client, 200, "one changed");
    client.finish();
}

#[test]
fn a_trace_that_is_too_long_is_stopped() {
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
    let refusal = trace(&prompt).expect_err("a refusal");
    let message = refusal["message"].as_str().expect("a message");
    assert!(message.contains("the trace exceeds the limit") && message.contains("psl run --trace FILE"), "{message}");
    let brief = trace("Q a + b A b - a . Q c d + e A").expect("a trace");
    assert!(brief.as_array().is_some_and(|lines| lines.len() > 500));
    assert_below(&client, 300, "a refused trace");
    client.finish();
}
