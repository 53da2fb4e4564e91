//! The page about the protocol, held against the server's answers.

use serde_json::json;

use crate::server::client::{Client, full};

const PAGE: &str = include_str!("../../docs/protocol.md");
/// The requests that change the state of the session.
const LIFECYCLE: [&str; 2] = ["initialize", "shutdown"];
const METHOD_NOT_FOUND: i64 = -32601;

/// The methods in the tables below a heading, and whether the server has them.
fn methods(heading: &str) -> Vec<(&'static str, bool)> {
    let (_, section) = PAGE.split_once(&format!("\n## {heading}\n")).expect("a section");
    let rows = section.lines().take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with("| `"));
    rows.flat_map(|row| {
        let mut cells = row.trim_matches('|').split(" | ");
        let (methods, offered) = (cells.next().expect("methods"), cells.next().expect("whether they are offered"));
        assert!(["yes", "no"].contains(&offered), "{row}");
        methods.split(", ").map(move |method| (method.trim().trim_matches('`'), offered == "yes"))
    })
    .collect()
}

#[test]
fn each_request_is_offered_as_the_page_says() {
    let mut client = Client::greeted(&full(&["utf-16"]));
    let requests = methods("Requests of an editor");
    assert!(requests.len() > 50, "{requests:?}");
    for (method, offered) in requests.into_iter().filter(|(method, _)| !LIFECYCLE.contains(method)) {
        let is_unknown = client.request(method, &json!({})).is_err_and(|error| error["code"] == METHOD_NOT_FOUND);
        assert_eq!(is_unknown, !offered, "{method}");
    }
    client.finish();
}

#[test]
fn no_method_is_listed_twice() {
    let headings = ["Requests of an editor", "Notifications of an editor", "Messages of the server"];
    let mut all: Vec<_> = headings.into_iter().flat_map(methods).map(|(method, _)| method).collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    // The specification has 95 methods.
    assert_eq!((all.len(), count), (95, 95), "{all:?}");
}
