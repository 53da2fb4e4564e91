//! The growth of each command's time with a program: n, 2n and 4n productions that do not depend on each other.
//!
//! `cargo bench -p psl-cli --bench growth` measures all commands and shapes, `-- PART OF A NAME` only some. Each figure
//! is the median of three runs of the binary, or of three answers of the server; the ratio to the size before is 2 if
//! time is linear.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a benchmark may fail by panic")]

#[path = "../../tests/server/mod.rs"]
mod server;

use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::json;
use server::client::{Client, full};

/// A name, and a function from a number to the parts of a production: its registers, its constants, and its text.
type Shape = (&'static str, fn(usize) -> [String; 3]);

/// Productions that differ in what they share.
const SHAPES: [Shape; 6] = [
    ("own registers", |at| {
        [format!("r{at}: 'r{at}', q{at}: 'q{at}'"), String::new(), format!("where r{at}[N] == A:\n    q{at}[N] = B\n")]
    }),
    ("one key, own outputs", |at| {
        let copy = format!("where position[n] == position[N]@pos_decrement:\n    r{at}[N] = symbol[n]\n");
        [format!("r{at}: 'r{at}'"), String::new(), copy]
    }),
    ("own constants and outputs", |at| {
        [format!("r{at}: 'r{at}'"), format!("K{at}"), format!("where symbol[N] == K{at}:\n    r{at}[N] = K{at}\n")]
    }),
    ("own constants, one output", |at| {
        [String::new(), format!("K{at}"), format!("where symbol[N] == K{at}:\n    mark[N] = K{at}\n")]
    }),
    ("own repeat blocks", |at| {
        let block = format!("repeat:\n    where symbol[N] == A:\n        r{at}[N] = B\nuntil NO_CHANGE\n");
        [format!("r{at}: 'r{at}'"), String::new(), block]
    }),
    ("all alike", |_| [String::new(), String::new(), "where symbol[N] == A:\n    mark[N] = B\n".to_owned()]),
];

/// A command, and its least number of productions. `FILE` stands for the program.
const COMMANDS: [(&str, usize); 12] = [
    ("fmt --check FILE", 10_000),
    ("check FILE", 10_000),
    ("check --heads FILE", 10_000),
    ("schedule FILE", 5_000),
    ("schedule --max-heads 2 FILE", 5_000),
    ("schedule --format json FILE", 5_000),
    ("run FILE -p A", 5_000),
    ("run --heads FILE -p A", 5_000),
    ("latent FILE -p A", 2_000),
    ("run --trace - FILE -p A", 2_000),
    ("test FILE", 5_000),
    ("compile FILE", 5_000),
];

/// A request of an editor for the whole document, and its least number of productions.
const REQUESTS: [(&str, usize); 5] = [
    ("textDocument/codeLens", 10_000),
    ("textDocument/documentSymbol", 10_000),
    ("textDocument/foldingRange", 10_000),
    ("textDocument/inlayHint", 10_000),
    ("textDocument/semanticTokens/full", 10_000),
];

fn main() {
    let part = env::args().skip(1).find(|argument| argument != "--bench").unwrap_or_default();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.psl");
    for shape in SHAPES {
        for (command, least) in COMMANDS {
            table(&part, command, least, shape, |text| run(command, &file, text));
        }
        for (method, least) in REQUESTS {
            table(&part, method, least, shape, |text| ask(method, text));
        }
    }
}

/// Prints a line with the medians for three sizes, if its name has that part.
fn table(part: &str, what: &str, least: usize, shape: Shape, measure: impl Fn(&str) -> [Duration; 3]) {
    let name = format!("{what}, {}", shape.0);
    if !name.contains(part) {
        return;
    }
    print!("{name:<64}");
    let mut before: Option<f64> = None;
    for size in [least, 2 * least, 4 * least] {
        let [_, median, _] = sorted(measure(&program(shape, size)));
        let ratio = before.map(|before| format!(" ({:.1})", median / before)).unwrap_or_default();
        print!(" {size:>6}: {median:>6.2} s{ratio}");
        before = Some(median);
    }
    println!();
}

fn sorted(times: [Duration; 3]) -> [f64; 3] {
    let mut times = times.map(|time| time.as_secs_f64());
    times.sort_by(f64::total_cmp);
    times
}

/// A program of that many productions, with a test.
fn program((_, production): Shape, size: usize) -> String {
    let parts: Vec<[String; 3]> = (0..size).map(production).collect();
    let list = |at: usize| parts.iter().filter_map(move |part| part.get(at)).filter(|it| !it.is_empty());
    let registers = list(0).fold(String::new(), |list, more| list + ", " + more);
    let constants = list(1).fold(String::new(), |list, more| list + ", " + more);
    let productions = list(2).fold(String::new(), |text, more| text + more);
    format!(
        "registers: {{symbol: 's', position: 'p', mark: 'm'{registers}}}\nconstants: {{A, B{constants}}}\n\
         system: {{symbol: symbol, position: position, output: symbol}}\n\
         //@ max-new 1\n//@ test \"A B\" => \"B\"\n{productions}"
    )
}

/// Runs a command three times.
fn run(command: &str, file: &Path, text: &str) -> [Duration; 3] {
    fs::write(file, text).expect("the file can be written");
    [(); 3].map(|()| {
        let start = Instant::now();
        let arguments = command.split(' ').map(|it| if it == "FILE" { file.as_os_str() } else { it.as_ref() });
        let mut psl = Command::new(env!("CARGO_BIN_EXE_psl"));
        let status = psl.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
        let status = status.expect("the binary starts");
        assert!(status.code().is_some_and(|code| code < 2), "{command}: {status}");
        start.elapsed()
    })
}

/// Asks the server three times.
fn ask(method: &str, text: &str) -> [Duration; 3] {
    let uri = "file:///growth.psl";
    let mut client = Client::greeted(&full(&["utf-16"]));
    client.open(uri, text);
    client.published(uri, 1);
    let all = json!({"start": {"line": 0, "character": 0}, "end": {"line": text.lines().count(), "character": 0}});
    let times = [(); 3].map(|()| {
        let start = Instant::now();
        client.request(method, &json!({"textDocument": {"uri": uri}, "range": all})).expect("an answer");
        start.elapsed()
    });
    client.finish();
    times
}
