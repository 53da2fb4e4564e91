//! `psl explain`: what a diagnostic or a word of the language means.

use std::io::Write;

use psl_syntax::{
    Code,
    codes::{self, Entry},
    glossary::{self, meaning},
    nearest,
};

use crate::{
    failure::Failure,
    stdio::{Content, stdout_to_the_end},
};

/// The arguments of `psl explain`.
#[derive(clap::Args)]
pub struct Args {
    /// A diagnostic's code, a keyword, role, function, directive or sign; none lists them all.
    word: Option<String>,
}

type Words = &'static [(&'static str, &'static str)];

/// The words of the language, by their kind.
const KINDS: [(&str, Words); 6] = [
    ("keyword", glossary::KEYWORDS),
    ("cell", glossary::CELLS),
    ("function", glossary::FUNCTIONS),
    ("role", glossary::ROLES),
    ("directive", glossary::DIRECTIVES),
    ("sign", glossary::NOTATION),
];

/// Explains one word, or lists all.
pub fn run(args: &Args) -> Result<bool, Failure> {
    let text = match &args.word {
        Some(word) => explained(word).ok_or_else(|| Failure::Message(unknown(word)))?,
        None => list(),
    };
    stdout_to_the_end(Content::People).write_all(text.as_bytes())?;
    Ok(true)
}

/// All that a word means, as Markdown.
fn explained(word: &str) -> Option<String> {
    // As it may be written in a program.
    let bare = ["//@ ", "#@ ", "@"].iter().find_map(|mark| word.strip_prefix(mark)).map_or(word, str::trim);
    let of = |word: &str| {
        let code = Code::from_name(word).map(|code| code.entry().markdown());
        let words = KINDS.into_iter().filter_map(|(kind, words)| {
            let meaning = meaning(words, word)?;
            Some(format!("# {word}\n\n**{kind}**: {meaning}\n"))
        });
        let all: Vec<String> = code.into_iter().chain(words).collect();
        (!all.is_empty()).then(|| all.join("\n"))
    };
    of(word).or_else(|| of(bare))
}

fn unknown(word: &str) -> String {
    let codes = Code::ALL.iter().map(|code| code.as_str());
    let words = KINDS.into_iter().flat_map(|(_, words)| words).map(|(word, _)| *word);
    let way_out = match nearest(word, codes.chain(words)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`psl explain` lists what there is".to_owned(),
    };
    format!("no diagnostic and no word of the language is called `{word}`; {way_out}")
}

/// All codes, the worst first, and all words.
fn list() -> String {
    let codes = codes::by_severity().into_iter().map(|(severity, entries)| {
        let rows: String = entries.iter().map(code_row).collect();
        format!("{}:\n{rows}", severity.as_str())
    });
    let words = KINDS.into_iter().map(|(kind, words)| {
        let rows: String = words.iter().map(|(word, meaning)| row(word, first_sentence(meaning))).collect();
        format!("{kind}:\n{rows}")
    });
    codes.chain(words).collect::<Vec<_>>().join("\n")
}

fn code_row(entry: &Entry) -> String {
    let off = if entry.off { " (off unless asked for)" } else { "" };
    row(entry.name, &format!("{}{off}", entry.summary))
}

fn row(name: &str, summary: &str) -> String {
    format!("  {name:22} {summary}\n")
}

fn first_sentence(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    line.split_inclusive(". ").next().unwrap_or_default().trim_end()
}
