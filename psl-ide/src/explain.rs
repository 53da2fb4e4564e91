//! Every word that a hover explains, for `psl explain` and the server's command of that name.

mod compiled_notation;
mod subjects;
mod terms;

use compiled_notation::{QKVL, WEIGHTS};
use psl_program::config::keys::{KEYS, Key, Value};
use psl_syntax::{
    Code,
    glossary::{self, Section},
    nearest,
};
use subjects::SUBJECTS;

use crate::reference;

/// Maximum number of suggestions for a misspelled word.
const MAX_SUGGESTIONS: usize = 5;

/// The words of one kind or subject.
#[derive(Clone, Debug)]
pub struct Topics {
    /// The kind, such as `keyword`, or the subject of diagnostics, such as `names`.
    pub kind: &'static str,
    /// The words.
    pub topics: Vec<Topic>,
}

/// A word with its meaning.
#[derive(Clone, Copy, Debug)]
pub struct Topic {
    pub word: &'static str,
    /// The meaning in one sentence, as Markdown.
    pub summary: &'static str,
    meaning: Meaning,
}

#[derive(Clone, Copy, Debug)]
enum Meaning {
    /// The page of a diagnostic.
    Page(Code),
    /// Paragraphs in Markdown, and the section of the reference.
    Text(&'static str, Section),
}

/// Returns all words by kind, and before them the diagnostics by subject.
pub fn topics() -> Vec<Topics> {
    let subjects = SUBJECTS.into_iter().map(|(subject, names)| {
        let topic = |name: &&'static str| {
            let code = Code::from_name(name)?;
            Some(Topic { word: name, summary: code.entry().summary, meaning: Meaning::Page(code) })
        };
        Topics { kind: subject, topics: names.iter().filter_map(topic).collect() }
    });
    let words = [
        ("language", terms::LANGUAGE),
        ("keyword", glossary::KEYWORDS),
        ("cell", glossary::CELLS),
        ("function", glossary::FUNCTIONS),
        ("role", glossary::ROLES),
        ("directive", glossary::DIRECTIVES),
        ("sign", glossary::NOTATION),
        ("QKVL", QKVL),
        ("weights", WEIGHTS),
        ("machine", terms::MACHINE),
        ("run", terms::RUN),
    ];
    let words = words.into_iter().map(|(kind, table)| {
        let topics = table.iter().map(|entry| Topic::of_text(entry.word, entry.meaning, entry.section)).collect();
        Topics { kind, topics }
    });
    let keys = Topics { kind: "psl.toml", topics: keys(KEYS) };
    subjects.chain(words).chain([keys]).collect()
}

fn keys(table: &'static [Key]) -> Vec<Topic> {
    let mut topics = Vec::new();
    for key in table {
        topics.push(Topic::of_text(key.name, key.about, key.section));
        if let Value::Table(inner) = key.value {
            topics.append(&mut keys(inner));
        }
    }
    topics
}

impl Topic {
    fn of_text(word: &'static str, meaning: &'static str, section: Section) -> Self {
        Self { word, summary: first_sentence(meaning), meaning: Meaning::Text(meaning, section) }
    }

    /// The section of the reference, or `None` for a diagnostic, which has a page.
    pub const fn section(&self) -> Option<Section> {
        match self.meaning {
            Meaning::Page(_) => None,
            Meaning::Text(_, section) => Some(section),
        }
    }

    fn markdown(self, kind: &str) -> String {
        match self.meaning {
            Meaning::Page(code) => code.entry().markdown(),
            Meaning::Text(text, Section { page, title }) => {
                format!("# {}\n\n**{kind}**: {text}\n\nReference: {title}, `psl explain reference/{page}`\n", self.word)
            }
        }
    }
}

/// Returns all meanings of a word as Markdown. The word is a diagnostic's code, or written as in a program or in QKVL.
/// `reference/NAME` is a page of the reference.
///
/// # Errors
///
/// An unknown word: a message with similar words.
pub fn explain(word: &str) -> Result<String, String> {
    if let Some(page) = reference::page(word) {
        return Ok(page.to_owned());
    }
    let topics = topics();
    // Programs write directives and functions with a mark.
    let bare = ["//@", "#@", "@"].iter().find_map(|mark| word.strip_prefix(mark)).unwrap_or(word).trim();
    let quoted = bare.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')).unwrap_or(bare);
    let of = |word: &str| {
        let all = topics.iter().flat_map(|of_kind| of_kind.topics.iter().map(|topic| (of_kind.kind, topic)));
        let found = all.filter(|(_, topic)| topic.word == word);
        let found: Vec<String> = found.map(|(kind, topic)| topic.markdown(kind)).collect();
        (!found.is_empty()).then(|| found.join("\n"))
    };
    // Lower case comes last: `DAT` is the topic `dat`, but `QKVL` is in upper case.
    [word, bare, quoted, &quoted.to_lowercase()].into_iter().find_map(of).ok_or_else(|| {
        let all: Vec<&str> = topics.iter().flat_map(|of_kind| &of_kind.topics).map(|topic| topic.word).collect();
        unknown(word, suggestions(quoted, all))
    })
}

fn unknown(word: &str, near: Vec<&str>) -> String {
    let near: Vec<String> = near.into_iter().map(|word| format!("`{word}`")).collect();
    match near.split_last() {
        None => format!("unknown word `{word}`; `psl explain` lists all words"),
        Some((last, [])) => format!("unknown word `{word}`; did you mean {last}?"),
        Some((last, others)) => format!("unknown word `{word}`; did you mean {} or {last}?", others.join(", ")),
    }
}

/// Returns words with a similar spelling, the nearest first, and then words that contain this one.
fn suggestions<'w>(word: &str, mut all: Vec<&'w str>) -> Vec<&'w str> {
    let mut near = Vec::new();
    while let Some(next) = nearest(word, all.iter().copied()) {
        all.retain(|other| *other != next);
        near.push(next);
    }
    let word = word.to_lowercase();
    let contains = |other: &&&str| word.chars().count() > 2 && other.to_lowercase().contains(&word);
    near.extend(all.iter().filter(contains));
    near.truncate(MAX_SUGGESTIONS);
    near
}

/// The first sentence of a text in Markdown.
fn first_sentence(text: &str) -> &str {
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    paragraph.split_inclusive(". ").next().unwrap_or_default().trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_a_word_means_is_explained() {
        let check = |word: &str, parts: &[&str]| {
            let explained = explain(word).expect("a known word");
            for part in parts {
                assert!(explained.contains(part), "{word}: no {part:?} in\n{explained}");
            }
        };
        check("unknown-register", &["# unknown-register\n\n**error**: "]);
        check("in", &["**keyword**: ", "**QKVL**: "]);
        check("stop", &["**directive**: ", "**psl.toml**: "]);
        check("exclude", &["**psl.toml**: Patterns", "\n\nReference: paths, `psl explain reference/psl-toml`\n"]);
        check("`s``", &["# s`\n\n**QKVL**: A primed name"]);
        check("//@ allow", &["**directive**: "]);
        check("@pos_decrement", &["**function**: "]);
        check("QKVL", &["# qkvl\n\n**machine**: ", "`psl compile` prints it"]);
        for machine in ["psm", "qkvm", "DAT", "full-dat"] {
            check(machine, &["**machine**: ", "\n\nReference: Running, "]);
        }
        check("pass", &["**run**: "]);
    }

    #[test]
    fn a_page_that_an_explanation_names_has_its_section() {
        let pages: Vec<(Section, String)> = topics()
            .into_iter()
            .flat_map(|of_kind| of_kind.topics)
            .filter_map(|topic| Some((topic.section()?, explain(topic.word).expect("a known word"))))
            .collect();
        assert!(pages.len() > 60, "{} words", pages.len());
        for (section, text) in pages {
            let name = format!("reference/{}", section.page);
            assert!(text.contains(&format!("Reference: {}, `psl explain {name}`\n", section.title)), "{text}");
            let page = explain(&name).expect("a page");
            let mut titles = page.lines().map(|line| line.trim_start_matches('#').trim());
            assert!(titles.any(|title| title == section.title), "{name}: {}", section.title);
        }
        assert_eq!(
            explain("reference/xyzzy"),
            Err("unknown word `reference/xyzzy`; `psl explain` lists all words".into())
        );
    }

    #[test]
    fn an_unknown_word_gets_the_near_ones() {
        let check = |word: &str, expected: &str| assert_eq!(explain(word), Err(expected.to_owned()));
        check("repaet", "unknown word `repaet`; did you mean `repeat`?");
        check("unused", "unknown word `unused`; did you mean `unused-register`, `unused-constant` or `unused-allow`?");
        check("xyzzy", "unknown word `xyzzy`; `psl explain` lists all words");
    }
}
