//! The command `psl.explore`, as editors and the pages that it serves use it. The page is the one in the binary.

use std::{
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    http::Address,
    server::client::{Client, full},
};

const URI: &str = "file:///programs/%C3%A9.psl";
const PROGRAM: &str = "//@ test one \"A\" => \"B .\"\n//@ test two \"B\" => \"A .\"\nregisters: {symbol: 's', position: 'p'}\n\
                       constants: {A, B, '.'}\nwhere symbol[N] == B:\n    symbol[N] = '.'\n";

/// A client without support for [`SHOW`].
fn plain() -> Client {
    let mut capabilities = full(&["utf-16"]);
    capabilities["window"]["showDocument"] = Value::Null;
    Client::greeted(&capabilities)
}

const SHOW: &str = "window/showDocument";

/// The result of `psl.explore` on the program, or the message of its error.
fn explore(client: &mut Client, argument: &Value) -> Result<Value, String> {
    let mut argument = argument.clone();
    if argument["uri"].is_null() {
        argument["uri"] = URI.into();
    }
    let answer =
        client.request("workspace/executeCommand", &json!({"command": "psl.explore", "arguments": [argument]}));
    answer.map_err(|error| error["message"].as_str().expect("words").to_owned())
}

/// Opens the program, explores it, and returns the address of its page.
fn served(client: &mut Client, argument: &Value) -> Address {
    client.open(URI, PROGRAM);
    let answer = explore(client, argument).expect("an address");
    Address::new(answer["url"].as_str().expect("a text"))
}

fn data(page: &str) -> Value {
    let (_, data) = page.split_once("id=\"psl-data\">").expect("the data");
    serde_json::from_str(data.split_once("</script>").expect("its end").0).expect("JSON")
}

/// Replaces the text of the program.
fn replace(client: &mut Client, version: i64, text: &str) {
    client.change(URI, version, &[json!({"text": text})]);
}

#[test]
fn the_program_and_the_test_must_exist() {
    let mut client = plain();
    let refused = |client: &mut Client, argument: Value| explore(client, &argument).expect_err("a refusal");
    assert_eq!(refused(&mut client, json!({})), format!("{URI} is not open in the editor"));
    client.open(URI, PROGRAM);
    for page in [json!(true), json!(false)] {
        let unknown = refused(&mut client, json!({"test": "three", "page": page}));
        assert_eq!(unknown, "unknown test `three`; expected one of `one`, `two`");
        let out_of_range = refused(&mut client, json!({"test": 2, "page": page}));
        assert_eq!(out_of_range, "unknown test 3; the program has 2 tests");
    }
    let form = refused(&mut client, json!({"page": "whole"}));
    assert_eq!(form, "`psl.explore` expects one argument `{uri, prompt?, test?, page?}`: expected a boolean or `data`");
    client.finish();
}

#[test]
fn the_data_is_that_of_the_text_in_the_editor() {
    let mut client = plain();
    client.open(URI, PROGRAM);
    let changed = PROGRAM.replace("one", "changed");
    replace(&mut client, 2, &changed);
    let answer = explore(&mut client, &json!({"page": "data"})).expect("data");
    assert_eq!(answer, json!({"program": {"name": "é.psl", "text": changed, "prompts": {}, "examples": []}}));
    // A program with errors has a page, too.
    replace(&mut client, 3, "where");
    let answer = explore(&mut client, &json!({"page": "data"})).expect("data");
    assert_eq!(answer["program"]["text"], "where");
    client.finish();
}

#[test]
fn a_client_that_shows_the_page_gets_it_whole() {
    let mut client = plain();
    client.open(URI, PROGRAM);
    let mut opened = |argument: Value| {
        let answer = explore(&mut client, &argument).expect("a page");
        let data = data(answer["html"].as_str().expect("a text"));
        assert_eq!((&data["text"], &data["serve"]), (&json!(PROGRAM), &Value::Null));
        assert_eq!(answer["open"], data["open"]);
        data["open"].clone()
    };
    assert_eq!(opened(json!({"page": true, "test": "two"})), json!({"test": 1}));
    assert_eq!(opened(json!({"page": true, "prompt": "A A"})), json!("A A"));
    assert_eq!(opened(json!({"page": true})), json!({"test": 0}));
    let run = json!({"command": "psl.run", "arguments": [{"uri": URI, "prompt": "B B"}]});
    client.request("workspace/executeCommand", &run).expect("a run");
    let answer = explore(&mut client, &json!({"page": true})).expect("a page");
    let opened = data(answer["html"].as_str().expect("a text"))["open"].clone();
    assert_eq!(opened, json!("B B"), "the last prompt that was run");
    client.finish();
}

#[test]
fn a_page_opens_the_prompt_that_breaks_a_law() {
    let mut client = plain();
    let laws = "//@ max-new 1\n//@ law any \"$a $b\" => \"$b\"\n//@ law \"$b $a\" => \"$a\"\n";
    client.open(URI, &format!("{laws}{PROGRAM}"));
    let mut opened = |test: usize| {
        let answer = explore(&mut client, &json!({"page": true, "test": test})).expect("a page");
        let data = data(answer["html"].as_str().expect("a text"));
        assert_eq!((&answer["open"], &answer["gold"]), (&data["open"], &data["gold"]));
        (data["open"].clone(), data["gold"].clone())
    };
    assert_eq!(opened(0), (json!("a B"), json!("B")));
    assert_eq!(opened(1), (json!({"test": 1}), Value::Null));
    client.finish();
}

#[test]
fn the_client_opens_the_address_in_a_browser() {
    let mut client = Client::greeted(&full(&["utf-16"]));
    let address = served(&mut client, &json!({"test": 1}));
    let asked = client.wait(|message| message["method"] == SHOW);
    let url = format!("http://{}{}", address.host, address.path);
    assert_eq!(asked["params"], json!({"uri": url, "external": true}));
    let page = data(&address.get("").content);
    assert_eq!((&page["open"], &page["serve"]), (&json!({"test": 1}), &json!({"reveal": true})));
    // The address stays the same, and the page opens another test.
    assert_eq!(explore(&mut client, &json!({"test": 0})).expect("an address"), json!({"url": url}));
    assert_eq!(data(&address.get("").content)["open"], json!({"test": 0}));
    let messages = client.until_quiet(Duration::from_millis(300));
    assert!(messages.iter().all(|message| message["method"] != "window/showMessage"), "{messages:?}");
    client.finish();
}

#[test]
fn a_client_that_opens_no_browser_shows_the_address() {
    let mut client = plain();
    let address = served(&mut client, &json!({}));
    let shown = client.wait(|message| message["method"] == "window/showMessage");
    let expected = format!("open the explorer in a browser: http://{}{}", address.host, address.path);
    assert_eq!(shown["params"], json!({"type": 3, "message": expected}));
    assert_eq!(data(&address.get("").content)["serve"], json!({"reveal": false}));
    assert_eq!(address.post("reveal", r#"{"line": 5}"#).status, 404);
    client.finish();
}

#[test]
fn a_client_that_fails_to_open_a_browser_shows_the_address() {
    let mut client = Client::greeted(&full(&["utf-16"]));
    client.answers = false;
    served(&mut client, &json!({}));
    let asked = client.wait(|message| message["method"] == SHOW);
    client.send(json!({"id": asked["id"], "result": {"success": false}}));
    let shown = client.wait(|message| message["method"] == "window/showMessage");
    assert!(shown["params"]["message"].as_str().is_some_and(|message| message.contains("http://127.0.0.1:")));
}

#[test]
fn the_page_follows_the_edits() {
    let mut client = plain();
    let address = served(&mut client, &json!({"test": 1}));
    let mut events = address.events("");
    let mut texts = || {
        let (_, event) = events.next().expect("an event");
        let event: Value = serde_json::from_str(&event).expect("JSON");
        (event["text"].as_str().expect("a text").to_owned(), event["open"].clone())
    };
    assert_eq!(texts(), (PROGRAM.to_owned(), json!({"test": 1})));
    // The page keeps its prompt if the test is the same.
    replace(&mut client, 2, "where");
    assert_eq!(texts(), ("where".to_owned(), json!({"test": 1})));
    let versions = 3..=40;
    for version in versions.clone() {
        replace(&mut client, version, &format!("# {version}\n"));
    }
    let mut seen = 0;
    while texts().0 != format!("# {}\n", versions.end()) {
        seen += 1;
    }
    assert!(seen < versions.count() - 1, "fast edits are sent one by one");
    client.finish();
}

#[test]
fn a_click_shows_the_line_in_the_editor() {
    let mut client = Client::greeted(&full(&["utf-16"]));
    let address = served(&mut client, &json!({}));
    client.wait(|message| message["params"]["external"] == true);
    assert_eq!(address.post("reveal", r#"{"line": 5}"#).status, 204);
    let asked = client.wait(|message| message["method"] == SHOW);
    let start = json!({"line": 4, "character": 0});
    let selection = json!({"start": start, "end": start});
    assert_eq!(asked["params"], json!({"uri": URI, "takeFocus": true, "selection": selection}));
    client.finish();
}

#[test]
fn clicks_wait_for_an_editor_that_is_slow() {
    let mut client = Client::greeted(&full(&["utf-16"]));
    let address = served(&mut client, &json!({}));
    client.wait(|message| message["params"]["external"] == true);
    client.answers = false;
    for line in 1..=5 {
        address.post("reveal", &json!({"line": line}).to_string());
    }
    let shown = |message: &Value| message["params"]["selection"]["start"]["line"].clone();
    let first = client.wait(|message| message["method"] == SHOW);
    let between = client.until_quiet(Duration::from_millis(300));
    assert!(between.iter().all(|message| message["method"] != SHOW), "{between:?}");
    client.send(json!({"id": first["id"], "result": {"success": true}}));
    let last = client.wait(|message| message["method"] == SHOW);
    assert_eq!((shown(&first), shown(&last)), (json!(0), json!(4)));
}

#[test]
fn a_closed_program_is_no_longer_served() {
    let mut client = plain();
    let address = served(&mut client, &json!({}));
    assert_eq!(address.get("").status, 200);
    client.close(URI);
    let start = Instant::now();
    while address.get("").status == 200 {
        assert!(start.elapsed() < Duration::from_mins(1), "still served");
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(address.get("").status, 404);
    // After a second opening, the page has a new address.
    let again = served(&mut client, &json!({}));
    assert_ne!(again.path, address.path);
    client.finish();
}
