//! Random texts and random edits, similar to those of people and editors.

use std::{fs, path::Path};

use rand::{RngExt, rngs::ChaCha8Rng, seq::IndexedRandom};
use serde_json::{Value, json};

use super::text::{Encoding, offset, place};

/// The pieces of typed text: words of the language, and unusual characters.
const PIECES: [&str; 66] = [
    "where ",
    "where_lm ",
    "where_rm ",
    "repeat:\n",
    "until NO_CHANGE\n",
    "until ",
    "registers: {",
    "constants: {",
    "system: {",
    "watch: [",
    "causal_attn: true\n",
    "symbol",
    "position",
    "symbol[N]",
    "position[n]",
    "mark",
    "[n]",
    "[N]",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "(((((((((",
    ",",
    ":",
    ": 's'",
    " == ",
    " != ",
    " in [",
    " not in ",
    " and ",
    " = ",
    "@pos_decrement",
    "@",
    "A",
    "B",
    "0",
    "EOP",
    "'A B'",
    "'",
    "\"",
    "\"é🙂\"",
    "# ",
    "#",
    "//@ allow unused-register",
    "//@ test \"A\" => \"B\"",
    "//@ ",
    "    ",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "\u{feff}",
    "🙂",
    "e\u{301}",
    "é",
    "𝔸",
    "👩‍👧",
    "\u{2028}",
    "\u{85}",
    "\0",
    "\u{202e}ש",
];

/// A change of a text, as a client sends it.
#[derive(Clone, Debug)]
pub struct Change {
    /// From line and column to line and column, or `None` for the whole text.
    pub range: Option<[(usize, usize); 2]>,
    pub text: String,
}

impl Change {
    /// The change in the protocol's form.
    pub fn json(&self) -> Value {
        let at = |(line, column): (usize, usize)| json!({"line": line, "character": column});
        match self.range {
            Some([start, end]) => json!({"range": {"start": at(start), "end": at(end)}, "text": self.text}),
            None => json!({"text": self.text}),
        }
    }

    /// Applies the change to a text. The ends of the range may be in either order.
    pub fn apply(&self, text: &mut String, encoding: Encoding) {
        let Some([start, end]) = self.range else { return text.clone_from(&self.text) };
        let [start, end] = [start, end].map(|(line, column)| offset(text, line, column, encoding));
        text.replace_range(start.min(end)..start.max(end), &self.text);
    }
}

/// The programs from which texts are made.
pub fn programs() -> Vec<String> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let mut paths = Vec::new();
    for folder in ["../examples", "programs", "golden/programs"] {
        let before = paths.len();
        let entries =
            fs::read_dir(tests.join(folder)).expect("the folder").map(|entry| entry.expect("an entry").path());
        paths.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "psl")));
        assert!(paths.len() > before, "{folder} has no programs");
    }
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).expect("a program")).collect()
}

/// Some lines of a program, possibly with other line ends and another start.
pub fn random_text(random: &mut ChaCha8Rng, programs: &[String]) -> String {
    let program = programs.choose(random).expect("some");
    let lines: Vec<_> = program.split_inclusive('\n').collect();
    let start = random.random_range(0..lines.len());
    let mut text: String = lines[start..].iter().take(random.random_range(0..40)).copied().collect();
    if random.random_ratio(1, 2) {
        text.insert_str(0, "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B, '🙂'}\n");
    }
    match random.random_range(0..8) {
        0 => text = text.replace('\n', "\r\n"),
        1 => text = text.replace('\n', "\r"),
        2 => text.insert(0, '\u{feff}'),
        _ => {}
    }
    text
}

/// A random change that keeps most of a text's length.
pub fn random_change(random: &mut ChaCha8Rng, text: &str, encoding: Encoding, programs: &[String]) -> Change {
    let mut inserted = match random.random_range(0..10) {
        0..4 => String::new(),
        4..9 => (*PIECES.choose(random).expect("some")).to_owned(),
        _ => slice(random, text).to_owned(),
    };
    if random.random_ratio(1, 40) {
        if random.random_ratio(1, 2) {
            inserted = random_text(random, programs);
        }
        return Change { range: None, text: inserted };
    }
    let start = random_offset(random, text);
    let end = match random.random_range(0..10) {
        0..4 => start,
        // Up to the end of a word, or the start of the next one.
        4..7 => {
            let rest = &text[start..];
            let word = |char: char| char.is_alphanumeric() || char == '_';
            start + rest.find(|char| word(char) != rest.starts_with(word)).unwrap_or(rest.len())
        }
        7..9 => text[start..].char_indices().nth(random.random_range(0..20)).map_or(text.len(), |(at, _)| start + at),
        _ => random_offset(random, text),
    };
    let mut range = [start, end].map(|offset| blurred(random, place(text, offset, encoding)));
    if random.random_ratio(1, 20) {
        range.reverse();
    }
    Change { range: Some(range), text: inserted }
}

fn blurred(random: &mut ChaCha8Rng, (line, column): (usize, usize)) -> (usize, usize) {
    match random.random_range(0..20) {
        0 => (line, column + 1),
        1 => (line, column + random.random_range(2..200)),
        2 => (line + 1, column),
        3 if random.random_ratio(1, 5) => (line + random.random_range(2..200), column),
        4 if random.random_ratio(1, 5) => (line, i32::MAX as usize),
        5 if random.random_ratio(1, 5) => (i32::MAX as usize, i32::MAX as usize),
        _ => (line, column),
    }
}

/// The start or end of a character.
pub fn random_offset(random: &mut ChaCha8Rng, text: &str) -> usize {
    let mut offset = random.random_range(0..=text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

fn slice<'a>(random: &mut ChaCha8Rng, text: &'a str) -> &'a str {
    let (a, b) = (random_offset(random, text), random_offset(random, text));
    &text[a.min(b)..a.max(b)]
}
