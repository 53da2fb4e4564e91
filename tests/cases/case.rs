//! The cases in `tests/markers`, one a file: a text, requests about it, and their answers as a reader sees them.
//!
//! ```text
//! where sym<|>bol[N] == A:
//! === textDocument/hover
//! 1:7-1:13 "symbol"
//! …
//! ```
//!
//! The marks are those of [`Marked`]. A request is a method of the language server protocol; behind it may stand parameters in
//! JSON, and the others come from the marks. Beside those methods there are:
//!
//! - `=== diagnostics`: all there are, those that the tests in the text show too.
//! - `=== edit ["old", "new"]`: replaces the first `old`; the requests below are about the text after it.
//! - `=== …/resolve "label"`: resolves an item of the answer above by its label, title, or number from 0.
//! - `=== callHierarchy/incomingCalls`, `=== callHierarchy/outgoingCalls`: those of the item that `textDocument/prepareCallHierarchy`
//!   gave last, whatever was edited since.
//! - `=== textDocument/semanticTokens/full/delta`: what changed since the answer above, which edits may lie behind.
//!
//! A first line `--- WORD …` holds any of:
//!
//! - `crlf`, `cr` or `bom`: the text's lines end so, or a byte order mark stands before it.
//! - `pipe`: the case is also run through the server's pipe, and has the same answers there.
//! - `protocol`: it is only run there, for it is about the protocol.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use super::marked::Marked;

/// A text with places in it, and what is asked about it.
pub struct Case {
    /// Its path in the folder of cases, without the ending.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// The text.
    pub text: String,
    /// The cursors, and the ends of what is selected.
    pub places: Vec<(usize, usize)>,
    /// What is asked.
    pub requests: Vec<Request>,
    /// The file up to the first request.
    pub head: String,
    /// Whether it is run in this process.
    pub in_process: bool,
    /// Whether it is run through the pipe.
    pub through_pipe: bool,
}

/// A line that asks something.
pub struct Request {
    /// The method.
    pub method: String,
    /// The parameters that the line gives; null where it gives none.
    pub params: Value,
    /// The line.
    pub line: String,
}

impl Case {
    fn read(name: String, path: PathBuf, file: &str) -> Self {
        let (head, rest) = file.split_at(file.find("=== ").unwrap_or_else(|| panic!("{name} asks nothing")));
        let (words, marked) = match head.strip_prefix("--- ").and_then(|rest| rest.split_once('\n')) {
            Some((words, marked)) => (words, marked),
            None => ("", head),
        };
        let mut marked = marked.to_owned();
        let (mut in_process, mut through_pipe) = (true, false);
        for word in words.split_whitespace() {
            match word {
                "crlf" => marked = marked.replace('\n', "\r\n"),
                "cr" => marked = marked.replace('\n', "\r"),
                "bom" => marked.insert(0, '\u{feff}'),
                "pipe" => through_pipe = true,
                "protocol" => (in_process, through_pipe) = (false, true),
                other => panic!("{name}: a first line has no word {other}"),
            }
        }
        let Marked { text, places } = Marked::read(&marked);
        let requests = rest.lines().filter_map(|line| {
            let (method, params) = line.strip_prefix("=== ")?.split_once(' ').unwrap_or((&line[4..], "null"));
            let params = serde_json::from_str(params).unwrap_or_else(|error| panic!("{name}: {line}: {error}"));
            Some(Request { method: method.to_owned(), params, line: line.to_owned() })
        });
        let requests = requests.collect();
        Self { text, places, requests, head: head.to_owned(), in_process, through_pipe, name, path }
    }

    /// The span that is asked about: the first that is marked, else the whole text.
    pub fn span(&self, text: &str) -> (usize, usize) {
        self.places.first().copied().unwrap_or((0, text.len()))
    }

    /// The offset that is asked about: the first that is marked, else the start.
    pub fn offset(&self) -> usize {
        self.places.first().map_or(0, |place| place.0)
    }
}

/// All cases, in the order of their paths.
pub fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/markers");
    let mut paths = Vec::new();
    collect(&folder, &mut paths);
    let case = |path: PathBuf| {
        let name = path.strip_prefix(&folder).expect("it is in the folder").with_extension("");
        let file = fs::read_to_string(&path).expect("a text");
        Case::read(name.display().to_string().replace('\\', "/"), path, &file)
    };
    paths.into_iter().map(case).collect()
}

/// The files with cases in a folder, of which each folder in it has some.
fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let before = found.len();
    let mut entries: Vec<_> =
        fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "txt") {
            found.push(path);
        }
    }
    assert!(found.len() > before, "{} has no cases", folder.display());
}

/// Replaces the first occurrence of a text by another, which `["old", "new"]` give, and says where `old` stood.
pub fn edit(text: &mut String, given: &Value) -> (usize, usize) {
    let (Some(old), Some(new)) = (given[0].as_str(), given[1].as_str()) else { panic!("`edit` takes two texts") };
    let start = text.find(old).unwrap_or_else(|| panic!("the text holds no {old:?}"));
    let end = start + old.len();
    text.replace_range(start..end, new);
    (start, end)
}

/// The kinds of request that these cases make, each once.
pub fn methods<'c>(cases: impl IntoIterator<Item = &'c Case>) -> Vec<&'c str> {
    let mut methods: Vec<_> =
        cases.into_iter().flat_map(|case| &case.requests).map(|request| request.method.as_str()).collect();
    methods.sort_unstable();
    methods.dedup();
    methods
}
