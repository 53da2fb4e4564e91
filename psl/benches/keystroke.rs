//! Latency of the server as an editor sees it, through the binary and its pipes: from a keystroke to its diagnostics,
//! and of hovers and completions in between. Prints p50, p95 and p99 of each, and the memory that edits take.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a benchmark may fail by panic")]

#[path = "../../tests/server/mod.rs"]
mod server;

use std::{
    fmt::Write as _,
    fs,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use server::client::{Client, full};

const PARGEN: &str = include_str!("../../examples/pargen.psl");
const URI: &str = "file:///keystroke.psl";
/// The shortest time between two keystrokes of a typist.
const BETWEEN: Duration = Duration::from_millis(20);
/// A pause after which the tests of a file start.
const HESITATION: Duration = Duration::from_millis(170);

fn main() {
    let pargen = Cursor::after(PARGEN, "where region[N] == XA and ty");
    keystrokes("PARGEN, a name broken and fixed", PARGEN, &pargen, 1_000, BETWEEN);
    keystrokes("PARGEN, in a comment", PARGEN, &Cursor::after(PARGEN, "# P7"), 1_000, BETWEEN);
    let medium = repeated(2_100);
    let lines = medium.lines().count();
    let tested = tests(PARGEN) + &medium;
    for (tests, text) in [("without tests", medium), ("with nine tests", tested)] {
        for (pause, between) in [("", BETWEEN), (" after a pause", HESITATION)] {
            let name = format!("{lines} lines {tests}, in a comment{pause}");
            keystrokes(&name, &text, &Cursor::after(&text, "# P7"), 300, between);
        }
    }
    let long = repeated(25_000);
    let lines = long.lines().count();
    keystrokes(&format!("{lines} lines, in a comment"), &long, &Cursor::after(&long, "# P7"), 200, BETWEEN);
    let broken = Cursor::after(&long, "where region[N] == XA and ty");
    keystrokes(&format!("{lines} lines, a name broken and fixed"), &long, &broken, 200, BETWEEN);
    beside(&format!("{lines} lines"), &long, &Cursor::after(&long, "# P7"), 200);
    busy(2_000);
    memory(&pargen);
}

/// PARGEN's declarations, and its productions repeated up to this number of lines, without tests.
fn repeated(lines: usize) -> String {
    let start = PARGEN.find("\n# P1").expect("PARGEN has productions");
    let head = PARGEN.find("registers").expect("PARGEN has declarations");
    let (declarations, body) = (&PARGEN[head..start], &PARGEN[start..]);
    let mut text = declarations.to_owned();
    while text.lines().count() < lines {
        text.push_str(body);
    }
    text
}

/// A position in a text, 0-based.
struct Cursor {
    line: usize,
    column: usize,
}

impl Cursor {
    /// Returns the position after `start`, which begins a line.
    fn after(text: &str, start: &str) -> Self {
        let line = text.lines().position(|line| line.starts_with(start)).expect("the text has it");
        Self { line, column: start.len() }
    }

    fn at(&self) -> Value {
        json!({"line": self.line, "character": self.column})
    }
}

/// A document that is typed in.
struct Typist {
    client: Client,
    version: i64,
}

impl Typist {
    fn open(text: &str) -> Self {
        let mut client = Client::greeted(&full(&["utf-16"]));
        client.open(URI, text);
        client.published(URI, 1);
        Self { client, version: 1 }
    }

    /// Types a character, and deletes it the next time.
    fn type_at(&mut self, cursor: &Cursor) {
        self.version += 1;
        let insert = self.version % 2 == 0;
        let end = json!({"line": cursor.line, "character": cursor.column + usize::from(!insert)});
        let change = json!({"range": {"start": cursor.at(), "end": end}, "text": if insert { "x" } else { "" }});
        self.client.change(URI, self.version, &[change]);
    }
}

fn keystrokes(name: &str, text: &str, cursor: &Cursor, times: usize, between: Duration) {
    let mut typist = Typist::open(text);
    let measure = |_| {
        std::thread::sleep(between);
        let start = Instant::now();
        typist.type_at(cursor);
        typist.client.published(URI, typist.version);
        start.elapsed()
    };
    report(&format!("{name}: keystroke to diagnostics"), (0..times).map(measure).collect());
    typist.client.finish();
}

/// Hovers and completions requested right after a keystroke, while its diagnostics are computed.
fn beside(name: &str, text: &str, cursor: &Cursor, times: usize) {
    for (what, method) in [("hover", "textDocument/hover"), ("completion", "textDocument/completion")] {
        let mut typist = Typist::open(text);
        let middle = Cursor { line: text.lines().count() / 2, column: 8 };
        let asked = json!({"textDocument": {"uri": URI}, "position": middle.at()});
        let (mut answers, mut diagnostics) = (Vec::new(), Vec::new());
        for _ in 0..times {
            std::thread::sleep(BETWEEN);
            let start = Instant::now();
            typist.type_at(cursor);
            typist.client.request(method, &asked).expect("an answer");
            answers.push(start.elapsed());
            typist.client.published(URI, typist.version);
            diagnostics.push(start.elapsed());
        }
        report(&format!("{name}: keystroke to {what}"), answers);
        report(&format!("{name}: keystroke to diagnostics, with a {what}"), diagnostics);
        typist.client.finish();
    }
}

/// Hovers during long work: 3,000 slow tests, endless runs, checks of a workspace, and searches in it.
fn busy(times: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    for number in 0..2_000 {
        let text = format!("# {number}\n{}", without_tests(PARGEN));
        fs::write(folder.path().join(format!("{number}.psl")), text).expect("a file");
    }
    let mut client = Client::start();
    let root = format!("file://{}", folder.path().display());
    client.greet(&json!({
        "processId": null, "capabilities": full(&["utf-16"]), "workspaceFolders": [{"uri": root, "name": "programs"}],
    }));
    let prompt = "Q B V D E A D E V B . Q F G H V K L A";
    let test = |number| format!("//@ test test{number} \"{prompt}\" => \"A\"\n");
    let slow = "//@ max-new 300\n//@ stop \"NEVER\"\n".to_owned() + &without_tests(PARGEN);
    for file in 0..2 {
        let tests: String = (0..1_500).map(test).collect();
        client.open(&format!("file:///tests{file}.psl"), &(tests + &slow));
    }
    let endless = slow.replace("max-new 300", "max-new 900000");
    client.open("file:///endless.psl", &endless);
    for _ in 0..66 {
        let run = json!({"command": "psl.run", "arguments": [{"uri": "file:///endless.psl", "prompt": prompt}]});
        client.begin("workspace/executeCommand", &run);
    }
    client.open(URI, PARGEN);
    let hover = json!({"textDocument": {"uri": URI}, "position": Cursor::after(PARGEN, "where region[N] == XA").at()});
    // An editor sends the result ids that it has with its request for the workspace's diagnostics.
    let (mut checks, mut known) = (None, Value::from(Vec::<Value>::new()));
    let measure = |number| {
        if number % 50 == 0 {
            if let Some(check) = checks.take() {
                let report = client.response(check).expect("diagnostics");
                let items = report["items"].as_array().expect("items").iter();
                let ids = items.map(|item| json!({"uri": item["uri"], "value": item["resultId"]}));
                known = ids.collect();
            }
            client.begin("workspace/symbol", &json!({"query": "region"}));
            checks = Some(client.begin("workspace/diagnostic", &json!({"previousResultIds": known})));
        }
        std::thread::sleep(BETWEEN / 4);
        let start = Instant::now();
        let answer = client.request("textDocument/hover", &hover);
        assert!(answer.is_ok_and(|hover| hover.is_object()), "there is no hover");
        start.elapsed()
    };
    report("PARGEN: hover while tests, runs, checks and searches run", (0..times).map(measure).collect());
    client.finish();
}

fn without_tests(program: &str) -> String {
    lines(program, |line| !line.starts_with("//@"))
}

fn tests(program: &str) -> String {
    lines(program, |line| line.starts_with("//@"))
}

fn lines(program: &str, included: impl Fn(&str) -> bool) -> String {
    program.lines().filter(|line| included(line)).map(|line| line.to_owned() + "\n").collect()
}

fn memory(cursor: &Cursor) {
    let mut typist = Typist::open(PARGEN);
    let mut edits = |times: usize| {
        for _ in 0..times {
            typist.type_at(cursor);
            typist.client.published(URI, typist.version);
        }
        typist.client.until_quiet(Duration::from_millis(500));
        resident(typist.client.process())
    };
    if let (Some(after_100), Some(after_20_000)) = (edits(100), edits(19_900)) {
        println!("memory: {after_100} KiB after 100 edits of PARGEN, {after_20_000} KiB after 20,000");
    }
    typist.client.finish();
}

/// The resident memory of a process in KiB, or `None` if the system does not report it.
fn resident(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find(|line| line.starts_with("VmRSS:"))?.split_whitespace().nth(1)?.parse().ok()
}

fn report(name: &str, mut times: Vec<Duration>) {
    times.sort();
    let mut line = format!("{name}, {} times:", times.len());
    for percent in [50, 95, 99] {
        let time = times[(times.len() * percent / 100).min(times.len() - 1)];
        write!(line, " p{percent} {:.2} ms", time.as_secs_f64() * 1e3).expect("a string takes it");
    }
    println!("{line}");
}
