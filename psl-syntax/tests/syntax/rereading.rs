//! Rereading a text after an edit gives the same tree, facts and diagnostics of all rules as reading it from scratch.
//!
//! `PSL_EDITS=1000000 cargo test --release -p psl-syntax --test syntax rereading` makes more edits.

use std::{env, fs, path::Path};

use psl_syntax::{Checked, read, reread};

use crate::random::Random;

const EDITS: usize = 4_000;

/// The number of consecutive edits to one text.
const IN_A_ROW: usize = 50;

/// Texts that are typed or pasted.
const TYPED: [&str; 80] = [
    "‘A’",
    "“",
    "≠",
    "−",
    "\u{a0}",
    "\u{200b}",
    "ѕ",
    "symbοl",
    "：",
    "＃",
    "`",
    "\n<<<<<<< a\n=======\n>>>>>>> b\n",
    "a",
    "x",
    "1",
    "N",
    "n",
    "é",
    "😀",
    "_",
    ".",
    "-",
    "§",
    "\\",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\u{c}",
    "\u{feff}",
    "#",
    "//",
    "'",
    "\"",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ":",
    ",",
    "=",
    "==",
    "!=",
    "@",
    "[N]",
    "[n]",
    "?",
    " ? ",
    "\n    ?\n",
    "?[?]",
    "where ",
    "where_rm ",
    "and",
    " not",
    " in ",
    "in [A]",
    "repeat:\n",
    "until ",
    "until NO_CHANGE\n",
    "NO_CHANGE",
    "until symbol[N] == A\n",
    "causal_attn: true\n",
    "True",
    "causal_attn",
    "registers: {",
    "constants: {A, B}\n",
    "watch: [a]\n",
    "watsh: [a]\n",
    "system: ",
    "roles: {",
    "# a label\n",
    "//@ test \"a\" => \"b\"\n",
    "//@ allow non-causal\n",
    "//@ input mark\n",
    "'a // b'",
    "where symbol[N] == A:\n    mark[N] = B\n",
    "\n\n# b\nwhere mark[n] == mark[N] and not in: x[N] = in[N] ",
];

/// Texts to type after the first occurrence of another text.
const TYPED_INTO: [(&str, &str); 18] = [
    ("until[N] ", "="),
    ("where [N] ", "="),
    ("[N]", "["),
    ("where ", "?"),
    ("== ", "?"),
    ("\n    ", "? "),
    ("= B", " ?"),
    ("symbol[", "["),
    ("until", ":"),
    ("until", "["),
    ("{A", ":"),
    ("=", "="),
    ("1", "."),
    ("B", "["),
    ("# a", "b"),
    ("# a", "//"),
    ("#", "@"),
    ("#", "\n"),
];

#[test]
fn rereading_equals_reading() {
    let edits = env::var("PSL_EDITS").map_or(EDITS, |count| count.parse().expect("a number of edits"));
    let texts = texts();
    for seed in 0..edits / IN_A_ROW {
        let mut random = Random(seed as u64);
        let mut text = texts[random.below(texts.len())].clone();
        let mut known = read(text.as_str());
        for _ in 0..IN_A_ROW {
            let before = text.clone();
            edit(&mut text, &mut random);
            known = check(&known, &before, &text);
        }
    }
}

#[test]
fn an_edit_that_reaches_further_than_its_line() {
    let text = "registers: {symbol: 's', position: 'p'}\nconstants: {A, B}\n# a\nwhere symbol[N] == A:\n    symbol[N] = B\n\
                repeat:\n    where symbol[N] == B:\n        symbol[N] = A\nuntil symbol[N] == A\n# b\nwhere symbol[N] == A:\n    symbol[N] = B\n";
    for (written, instead) in [
        ("until symbol[N] == A\n", "until symbol[N] == A: symbol[N] = B\n"),
        ("where symbol[N] == B", "symbol[N] == B"),
        ("repeat:", "repeat: repeat:"),
        ("until", "untl"),
        ("# b", "# b\n"),
        ("# b\n", ""),
        ("# a\n", ""),
        ("A, B}", "A, B"),
        ("constants", "where"),
        (text, ""),
        ("", "\u{feff}"),
        // A keyword becomes a name, and a name a keyword.
        ("symbol[N] = B", "until[N] B"),
        ("symbol[N] = B", "where [N] B"),
        ("symbol[N] = B", "repeat: [N] = B"),
        ("constants: {A", "constants: {where"),
        ("constants: {A", "constants: {A, until: 'b'"),
        ("symbol[N] == A", "symbol[N] in [A]"),
        ("symbol[N] == A", "symbol[N] not [A]"),
        // Two tokens become one.
        ("= B", "= 1 .5"),
        ("symbol[N]", "sym bol[N]"),
        ("==", "= ="),
        ("# a", "/ / a"),
    ] {
        let other = text.replacen(written, instead, 1);
        for (before, after) in [(text, other.as_str()), (other.as_str(), text)] {
            check(&read(before), before, after);
        }
        // Typed and deleted one character at a time.
        for (from, typed) in TYPED_INTO {
            let at = other.find(from).map_or(0, |at| at + from.len());
            let typed = format!("{}{typed}{}", &other[..at], &other[at..]);
            check(&read(other.as_str()), &other, &typed);
            check(&read(typed.as_str()), &typed, &other);
        }
    }
}

#[test]
fn facts_are_reused_only_for_programs_that_run_alike() {
    let text = "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\n\
                where symbol[n] == A and symbol[n] == B:\n    symbol[N] = A\n\
                where symbol[n] == symbol[N]:\n    mark[N] = A\n\
                repeat:\n    where mark[N] == A:\n        symbol[N] = B\nuntil mark[N] == A\n";
    for (written, instead) in [
        ("where", "# moved\nwhere"),
        ("where", "//@ input mark\nwhere"),
        ("where", "causal_attn: true\nwhere"),
        ("where", "where_rm"),
        ("== B", "!= B"),
        ("mark[N] == A", "mark[N] == B"),
        ("until mark[N] == A", "until mark[N] == B"),
        ("until mark[N] == A", "until NO_CHANGE"),
        ("A, B", "A, B: 'b'"),
        ("'p'", "'q'"),
        ("mark: 'm'", "parse: 'm', mark: 'a'"),
        ("mark[N] = A", "mark[N] = C"),
    ] {
        let other = text.replacen(written, instead, 1);
        assert_ne!(text, other);
        check(&read(text), text, &other);
        check(&read(other.as_str()), &other, text);
    }
}

/// Rereads a text after a known one, and checks that the result is the same as reading it.
fn check(known: &Checked, before: &str, text: &str) -> Checked {
    known.analysis.verdicts();
    known.rule_diagnostics();
    let (reread, read) = (reread(known, text), read(text));
    for checked in [&reread, &read] {
        checked.analysis.verdicts();
        checked.rule_diagnostics();
    }
    let [reread_text, read_text] = [&reread, &read].map(|checked| format!("{checked:#?}"));
    if reread_text != read_text {
        let mut lines = reread_text.lines().zip(read_text.lines());
        let differ = lines.find(|(reread, read)| reread != read);
        panic!("{before}\n--- became ---\n{text}\n--- and differs when reread: {differ:?}");
    }
    reread
}

/// Types, deletes, replaces or moves something.
fn edit(text: &mut String, random: &mut Random) {
    let place = |text: &str, random: &mut Random| text.floor_char_boundary(random.below(text.len() + 1));
    let start = place(text, random);
    let short = text.floor_char_boundary((start + random.below(9)).min(text.len())).max(start);
    match random.below(8) {
        0..=3 => text.insert_str(start, TYPED[random.below(TYPED.len())]),
        4 => text.replace_range(start..short, ""),
        5 => text.replace_range(start..short, TYPED[random.below(TYPED.len())]),
        6 => {
            let end = text[start..].find('\n').map_or(text.len(), |end| start + end + 1);
            let moved: String = text.drain(start..end).collect();
            let to = place(text, random);
            text.insert_str(to, &moved);
        }
        _ => {
            let end = text.floor_char_boundary((start + random.below(200)).min(text.len())).max(start);
            let copied = text[start..end].to_owned();
            let to = place(text, random);
            text.insert_str(to, &copied);
        }
    }
}

/// Every program of up to 12,000 bytes, and the texts of the fuzzing corpus.
fn texts() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let folders = ["../examples", "../examples/rows", "programs", "golden/programs", "fuzz/corpus"].into_iter();
    let entries = folders.flat_map(|folder| fs::read_dir(root.join(folder)).expect("a folder of texts"));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a text").path()).filter(|path| path.is_file()).collect();
    paths.sort();
    let texts = paths.iter().map(|path| fs::read_to_string(path).expect("UTF-8"));
    let texts: Vec<String> = texts.filter(|text| text.len() <= 12_000).collect();
    assert!(texts.len() > 100, "{} texts", texts.len());
    texts
}
