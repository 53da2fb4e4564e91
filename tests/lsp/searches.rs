//! Searches for repairs of failing tests and for what belongs in holes.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::server::client::{Client, full};

const URI: &str = "untitled:searched";
/// Maximum time of a search in the background.
const PATIENCE: Duration = Duration::from_secs(30);
/// Time in which a search of these programs would have ended.
const ENOUGH: Duration = Duration::from_millis(1_500);

/// A program whose tests map A to B, B to C and C to the stop symbol, with this right side of a comparison.
fn program(compared: &str) -> String {
    format!(
        "//@ max-new 1\n//@ test \"C A\" => \"B\"\n//@ test \"A B\" => \"C\"\n//@ test \"B C\" => \".\"\n\
         registers: {{symbol: 's', position: 'p', mark: 'm'}}\nconstants: {{A, B, C, END: '.'}}\n\
         system: {{symbol: symbol, position: position, output: mark}}\n\
         where symbol[N] == A:\n    mark[N] = B\nwhere symbol[N] == {compared}:\n    mark[N] = C\n\
         where symbol[N] == C:\n    mark[N] = END\n"
    )
}

fn open(text: &str, options: &Value) -> Client {
    let mut client = Client::start();
    client.greet(&json!({
        "processId": null, "rootUri": null, "capabilities": full(&["utf-16"]), "initializationOptions": options,
    }));
    client.open(URI, text);
    client
}

/// The code actions on a line.
fn actions(client: &mut Client, line: usize) -> Vec<Value> {
    let range = json!({"start": {"line": line, "character": 0}, "end": {"line": line, "character": 99}});
    let params = json!({"textDocument": {"uri": URI}, "range": range, "context": {"diagnostics": []}});
    let answer = client.request("textDocument/codeAction", &params).expect("actions");
    answer.as_array().cloned().unwrap_or_default()
}

/// The actions on a line, once one of them has a title that starts like this.
fn actions_with(client: &mut Client, line: usize, start: &str) -> Vec<Value> {
    let begin = Instant::now();
    loop {
        let found = actions(client, line);
        if titles(&found).iter().any(|title| title.starts_with(start)) {
            return found;
        }
        assert!(begin.elapsed() < PATIENCE, "{:?}", titles(&found));
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn titles(actions: &[Value]) -> Vec<&str> {
    actions.iter().filter_map(|action| action["title"].as_str()).collect()
}

fn named<'a>(actions: &'a [Value], title: &str) -> &'a Value {
    actions.iter().find(|action| action["title"] == title).unwrap_or_else(|| panic!("{title}: {:?}", titles(actions)))
}

fn is_failing(message: &Value) -> bool {
    let found = message["params"]["diagnostics"].as_array();
    found.is_some_and(|found| found.iter().any(|found| found["code"] == "failing-test"))
}

#[test]
fn a_repair_of_a_failing_test_makes_it_pass() {
    let text = program("A");
    let mut client = open(&text, &Value::Null);
    client.wait(is_failing);
    let found = actions_with(&mut client, 2, "Repair: ");
    let repair = named(&found, "Repair: replace `A` with `B`, line 10");
    let edits = repair["edit"]["changes"][URI].as_array().expect("edits").iter();
    let changes: Vec<Value> = edits.map(|edit| json!({"range": edit["range"], "text": edit["newText"]})).collect();
    client.change(URI, 2, &changes);
    let tests = client
        .request("workspace/executeCommand", &json!({"command": "psl.tests", "arguments": [{"uri": URI}]}))
        .expect("results");
    assert!(tests.as_array().is_some_and(|tests| tests.iter().all(|test| test["passed"] == true)), "{tests}");
    client.finish();
}

#[test]
fn the_best_fillings_of_a_hole_are_offered() {
    let mut client = open(&program("?"), &json!({"showResults": false}));
    let found = actions_with(&mut client, 9, "Fill the hole with ");
    assert_eq!(titles(&found), ["Fill the hole with `B`", "Fill the hole with `mark[n]`"]);
    client.finish();
}

#[test]
fn a_search_is_a_command_too() {
    let mut client = open(&program("?"), &json!({"backgroundSearch": false}));
    let command = json!({"command": "psl.fill", "arguments": [{"uri": URI}]});
    let result = client.request("workspace/executeCommand", &command).expect("fillings");
    assert_eq!((&result["count"], &result["cutOff"]), (&json!(2), &json!(false)));
    assert_eq!(result["found"][0]["title"], "Fill the hole with `B`");
    assert_eq!(result["found"][0]["edits"][0]["newText"], "B");
    let prompt = result["distinguishingPrompt"]["prompt"].as_str();
    assert!(prompt.is_some_and(|prompt| !prompt.is_empty()), "{result}");
    client.wait(|message| {
        message["params"]["message"].as_str().is_some_and(|text| text.starts_with("2 fillings\nFill the hole with `B`"))
    });
    let refused = json!({"command": "psl.repair", "arguments": [{"uri": URI}]});
    let error = client.request("workspace/executeCommand", &refused).expect_err("a refusal");
    assert_eq!(error["message"], "the program has errors");
    client.finish();
}

/// The settings of a client that answers no request for them.
fn quiet(text: &str) -> Client {
    let mut capabilities = full(&["utf-16"]);
    capabilities["workspace"]["configuration"] = false.into();
    let mut client = Client::start();
    let options = json!({"backgroundSearch": false});
    client.greet(&json!({
        "processId": null, "rootUri": null, "capabilities": capabilities, "initializationOptions": options,
    }));
    client.open(URI, text);
    client
}

#[test]
fn what_the_tests_do_not_notice_is_a_search_too() {
    let text = "//@ max-new 1\n//@ test \"A\" => \"B\"\nregisters: {symbol: 's', position: 'p'}\nconstants: {A, B}\n\
                system: {symbol: symbol, position: position, output: symbol}\n\
                where symbol[N] == A:\n    symbol[N] = B\n";
    let mut client = quiet(text);
    let command = json!({"command": "psl.unnoticed", "arguments": [{"uri": URI, "production": 0}]});
    let result = client.request("workspace/executeCommand", &command).expect("tests");
    assert_eq!((&result["count"], &result["cutOff"]), (&json!(1), &json!(false)));
    let title = "Save as a test: `A .`, which notices: replace `N` with `n`, line 6";
    assert_eq!(result["found"][0]["title"], title);
    assert_eq!(result["found"][0]["edits"][0]["newText"], "\n//@ test \"A .\" => \".\"");
    let found = actions(&mut client, 5);
    assert!(titles(&found).contains(&title), "{:?}", titles(&found));
    client.finish();
}

#[test]
fn without_the_setting_nothing_is_searched() {
    let mut client = quiet(&program("A"));
    client.wait(is_failing);
    std::thread::sleep(ENOUGH);
    let found = actions(&mut client, 2);
    let search = named(&found, "Search for a repair");
    assert_eq!(search["command"]["command"], "psl.repair");
    assert!(!titles(&found).iter().any(|title| title.starts_with("Repair")), "{:?}", titles(&found));
    client.finish();
}

#[test]
fn without_tests_nothing_is_searched() {
    let text = program("?").lines().filter(|line| !line.contains("@ test")).collect::<Vec<_>>().join("\n");
    let mut client = open(&text, &Value::Null);
    client.published(URI, 1);
    std::thread::sleep(ENOUGH);
    assert_eq!(titles(&actions(&mut client, 6)), [""; 0]);
    client.finish();
}

#[test]
fn an_edit_ends_a_search() {
    let pargen = include_str!("../../examples/pargen.psl");
    let text = pargen.replacen("where region[N] == XA and ty", "where region[N] == XQ and ty", 1);
    assert_ne!(text, pargen);
    let mut client = open(&text, &Value::Null);
    client.wait(is_failing);
    client.change(URI, 2, &[json!({"text": program("?")})]);
    let found = actions_with(&mut client, 9, "Fill the hole with ");
    assert!(titles(&found).contains(&"Fill the hole with `B`"), "{:?}", titles(&found));
    client.finish();
}
