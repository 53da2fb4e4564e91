//! Messages about documents in any order: Visual Studio Code changes documents that it has closed.
//!
//! `CASES=n` tries n orders (default: 200), and `SEED=n` sets the first seed.

use std::{collections::BTreeMap, path::Path, time::Duration};

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng, seq::IndexedRandom};
use serde_json::{Value, json};

use crate::{
    binary::folder,
    server::{client::Client, variables::number},
};

/// Texts with an error, with a warning, with a failing test, and with neither.
const TEXTS: [&str; 4] = [
    "where x\n",
    "registers: {symbol: 's', position: 'p'}\nconstants: {A, B}\nwhere symbol[N] == A:\n    symbol[N] = A\n",
    "//@ test \"A\" => \"B\"\nregisters: {symbol: 's', position: 'p'}\nconstants: {A}\nwhere symbol[N] == A:\n    symbol[N] = A\n",
    "registers: {symbol: 's', position: 'p'}\nconstants: {A}\nwhere symbol[N] == A:\n    symbol[N] = A\n",
];
const FILES: [&str; 3] = ["one.psl", "two.psl", "three.psl"];
const QUIET: Duration = Duration::from_millis(20);

/// Sends messages in an order that a seed decides, as if each document could be open or closed at any time.
fn send(client: &mut Client, seed: u64, uris: &[String]) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for version in 2..random.random_range(6..20) {
        let uri = uris.choose(&mut random).expect("some");
        let text = *TEXTS.choose(&mut random).expect("some");
        let start = json!({"line": 0, "character": 0});
        match random.random_range(0..7) {
            0 => client.open(uri, text),
            1 => client.change(uri, version, &[json!({"text": text})]),
            2 => client.change(uri, version, &[json!({"range": {"start": start, "end": start}, "text": text})]),
            3 => client.change(uri, version, &[]),
            4 => client.notify("textDocument/didSave", &json!({"textDocument": {"uri": uri}})),
            _ => client.close(uri),
        }
    }
    for uri in uris {
        client.close(uri);
    }
}

/// The diagnostics of the folder's files, by URI.
fn of_files(client: &mut Client) -> BTreeMap<String, Value> {
    let answer = client.request("workspace/diagnostic", &json!({"previousResultIds": []})).expect("diagnostics");
    let items = answer["items"].as_array().expect("a list").iter();
    items.map(|item| (item["uri"].as_str().expect("a URI").to_owned(), item["items"].clone())).collect()
}

fn uris(folder: &Path) -> Vec<String> {
    FILES.iter().map(|name| format!("file://{}", folder.join(name).display())).collect()
}

#[test]
fn in_any_order_a_closed_document_keeps_only_the_diagnostics_of_its_file() {
    let files: Vec<(&str, &str)> = FILES.into_iter().zip(TEXTS).collect();
    let folder = folder(&files);
    let uris = uris(folder.path());
    let mut fresh = Client::in_folder(folder.path());
    let expected = of_files(&mut fresh);
    fresh.finish();
    assert_eq!(expected.len(), FILES.len());
    let first = number("SEED", 0);
    let mut pulls = Client::in_folder(folder.path());
    for seed in first..first + number("CASES", 200) {
        send(&mut pulls, seed, &uris);
        assert_eq!(of_files(&mut pulls), expected, "SEED={seed} CASES=1");
    }
    pulls.finish();
}

#[test]
fn in_any_order_a_closed_document_has_no_published_diagnostics() {
    let uris = uris(Path::new("/orders"));
    let first = number("SEED", 0);
    let mut client = Client::greeted(&json!({"textDocument": {"publishDiagnostics": {}}}));
    let mut last = BTreeMap::new();
    for seed in first..first + number("CASES", 200) {
        send(&mut client, seed, &uris);
        client.request("psl/text", &json!({"uri": uris[0]})).expect("an answer");
        for mut message in client.until_quiet(QUIET) {
            match message["method"].as_str() {
                Some("textDocument/publishDiagnostics") => {
                    let uri = message["params"]["uri"].as_str().expect("a URI").to_owned();
                    last.insert(uri, message["params"]["diagnostics"].take());
                }
                Some("window/showMessage") => panic!("SEED={seed} CASES=1: {message}"),
                _ => {}
            }
        }
        for (uri, diagnostics) in &last {
            assert_eq!(*diagnostics, json!([]), "SEED={seed} CASES=1: {uri}");
        }
    }
    assert!(!last.is_empty());
    client.finish();
}
