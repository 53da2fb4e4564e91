//! The cases in `tests/markers`, one per file: a text, requests about it, and their answers in a readable form.
//!
//! ```text
//! where sym<|>bol[N] == A:
//! === textDocument/hover
//! 1:7-1:13 "symbol"
//! …
//! ```
//!
//! The marks are those of [`Marked`]. A request is a method of the Language Server Protocol, optionally followed by
//! parameters in JSON. The other parameters come from the marks. There are also:
//!
//! - `=== diagnostics`: all diagnostics, including those of the tests in the text.
//! - `=== edit ["old", "new"]`: replaces the first `old`. The following requests are about the new text.
//! - `=== search`: the number of repairs or fillings, which the following actions offer.
//! - `=== …/resolve "label"`: resolves an item of the preceding answer by its label, title or 0-based number.
//! - `=== callHierarchy/incomingCalls`, `=== callHierarchy/outgoingCalls`: the calls of the item that
//!   `textDocument/prepareCallHierarchy` returned last, even after edits.
//! - `=== textDocument/semanticTokens/full/delta`: the change since the preceding answer, which may be before edits.
//!
//! A first line `--- WORD …` contains any of:
//!
//! - `crlf`, `cr` or `bom`: the text has these line ends, or starts with a byte order mark.
//! - `pipe`: the case also runs through the server's pipe, with the same answers.
//! - `protocol`: the case runs only there, since it is about the protocol.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use super::marked::Marked;

/// A text with marked spans, and requests about it.
pub struct Case {
    /// The case's path in the folder of cases, without the extension.
    pub name: String,
    /// The case's file.
    pub path: PathBuf,
    pub text: String,
    /// The cursors and selections.
    pub places: Vec<(usize, usize)>,
    pub requests: Vec<Request>,
    /// The file up to the first request.
    pub head: String,
    /// Whether the case runs in this process.
    pub in_process: bool,
    /// Whether the case runs through the pipe.
    pub through_pipe: bool,
}

/// A line with a request.
pub struct Request {
    pub method: String,
    /// The parameters in the line, or null.
    pub params: Value,
    pub line: String,
}

impl Case {
    fn read(name: String, path: PathBuf, file: &str) -> Self {
        let (head, rest) = file.split_at(file.find("=== ").unwrap_or_else(|| panic!("{name} has no request")));
        let (options, marked) = match head.strip_prefix("--- ").and_then(|rest| rest.split_once('\n')) {
            Some((options, marked)) => (options, marked),
            None => ("", head),
        };
        let mut marked = marked.to_owned();
        let (mut in_process, mut through_pipe) = (true, false);
        for option in options.split_whitespace() {
            match option {
                "crlf" => marked = marked.replace('\n', "\r\n"),
                "cr" => marked = marked.replace('\n', "\r"),
                "bom" => marked.insert(0, '\u{feff}'),
                "pipe" => through_pipe = true,
                "protocol" => (in_process, through_pipe) = (false, true),
                other => panic!("{name}: unknown option {other} in the first line"),
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

    /// The span of a request: the first marked one, otherwise the whole text.
    pub fn span(&self, text: &str) -> (usize, usize) {
        self.places.first().copied().unwrap_or((0, text.len()))
    }

    /// The offset of a request: the first marked one, otherwise the start.
    pub fn offset(&self) -> usize {
        self.places.first().map_or(0, |place| place.0)
    }
}

/// All cases, sorted by path.
pub fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/markers");
    let mut paths = Vec::new();
    collect(&folder, &mut paths);
    let case = |path: PathBuf| {
        let name = path.strip_prefix(&folder).expect("a path in the folder").with_extension("");
        let file = fs::read_to_string(&path).expect("a text");
        Case::read(name.display().to_string().replace('\\', "/"), path, &file)
    };
    paths.into_iter().map(case).collect()
}

/// Collects the files with cases in a folder. Each of its folders must have some.
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

/// Replaces the first occurrence of a text by another, given as `["old", "new"]`, and returns the span of `old`.
pub fn edit(text: &mut String, given: &Value) -> (usize, usize) {
    let (Some(old), Some(new)) = (given[0].as_str(), given[1].as_str()) else { panic!("`edit` needs two texts") };
    let start = text.find(old).unwrap_or_else(|| panic!("the text does not contain {old:?}"));
    let end = start + old.len();
    text.replace_range(start..end, new);
    (start, end)
}

/// The methods that these cases request, each once.
pub fn methods<'c>(cases: impl IntoIterator<Item = &'c Case>) -> Vec<&'c str> {
    let mut methods: Vec<_> =
        cases.into_iter().flat_map(|case| &case.requests).map(|request| request.method.as_str()).collect();
    methods.sort_unstable();
    methods.dedup();
    methods
}
