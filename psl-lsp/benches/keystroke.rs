//! From a keystroke to the diagnostics that the server publishes for it, through the whole binary and its pipes.

#![allow(missing_docs, reason = "criterion_group! makes undocumented functions")]
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a benchmark may fail by panic")]

#[path = "../../tests/server/mod.rs"]
mod server;

use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::json;
use server::client::Client;

const PARGEN: &str = include_str!("../../tests/programs/pargen.psl");
const URI: &str = "file:///pargen.psl";

struct Editor {
    client: Client,
    version: i64,
}

impl Editor {
    fn open(text: &str) -> Self {
        let mut client = Client::greeted(&json!({}));
        client.open(URI, text);
        client.published(URI, 1);
        Self { client, version: 1 }
    }

    /// Types or deletes one character in a production, and waits for the diagnostics.
    fn keystroke(&mut self, place: (usize, usize), insert: bool) -> usize {
        self.version += 1;
        let (line, column) = place;
        let end = if insert { column } else { column + 1 };
        let range = json!({"start": {"line": line, "character": column}, "end": {"line": line, "character": end}});
        self.client.change(URI, self.version, &[json!({"range": range, "text": if insert { "x" } else { "" }})]);
        self.client.published(URI, self.version).len()
    }
}

/// Just behind a text, in the first line that starts with it.
fn behind(start: &str) -> (usize, usize) {
    (PARGEN.lines().position(|line| line.starts_with(start)).expect("PARGEN has it"), start.len())
}

/// What a sound PARGEN gets: P5a, P5b, P5c, P6 and P8 may look ahead.
const USUAL: usize = 5;

fn keystroke(criterion: &mut Criterion) {
    let mut editor = Editor::open(PARGEN);
    let mut measure = |name: &str, place, after_insert| {
        let mut insert = true;
        criterion.bench_function(name, |bench| {
            bench.iter(|| {
                let found = editor.keystroke(place, insert);
                assert_eq!(found, if insert { after_insert } else { USUAL });
                insert = !insert;
            });
        });
        if !insert {
            editor.keystroke(place, false);
        }
    };
    measure("keystroke to diagnostics, a name broken and mended", behind("where region[N] == XA and ty"), 1);
    measure("keystroke to diagnostics, in a comment, all tests run", behind("# P7"), USUAL);
}

criterion_group!(benches, keystroke);
criterion_main!(benches);
