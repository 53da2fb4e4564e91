//! The shots of a line, its examples and cue, each checked separately.

use std::collections::HashSet;

use psl_program::count;

use crate::{
    line::symbols,
    tgt::symbols::{ANSWER, END, Lexicon, QUESTION, is_delimiter},
};

/// The form of a shot that a split requires.
#[derive(Clone, Copy)]
pub struct Expected {
    /// The lexicon of the constituents.
    pub lexicon: Lexicon,
    /// The possible numbers of constituents in a question.
    pub counts: &'static [usize],
    /// The possible numbers of symbols in a constituent.
    pub lengths: &'static [usize],
    /// Whether delimiters are allowed.
    pub delimiters: bool,
}

/// A question and its answer. The last shot of a line is the cue with the gold.
pub struct Shot<'l> {
    /// `example 1`, `the cue`.
    pub name: String,
    /// The symbols between `Q` and `A`.
    pub question: Vec<&'l str>,
    /// The symbols between `A` and the full stop.
    pub answer: Vec<&'l str>,
}

/// A part of a question.
#[derive(Debug, PartialEq, Eq)]
pub enum Run<'l> {
    /// Special characters.
    Delimiter(Vec<&'l str>),
    /// Words.
    Constituent(Vec<&'l str>),
}

/// Parses `prompt = { example } cue`, `example = Q side A side .`, `cue = Q side A`. The cue with its gold is the last
/// shot.
pub fn shots<'l>(prompt: &'l str, gold: &'l str) -> Result<Vec<Shot<'l>>, String> {
    let (mut symbols, gold) = (symbols(prompt)?, symbols(gold)?);
    if symbols.last() != Some(&ANSWER) {
        return Err(format!("expected `{ANSWER}` at the end of the prompt"));
    }
    let reserved = gold.iter().filter(|symbol| [QUESTION, ANSWER, END].contains(symbol));
    if gold.last() != Some(&END) || reserved.count() != 1 {
        return Err(format!("expected one answer with `{END}` at its end as the gold"));
    }
    symbols.extend(gold);
    let all = symbols.split_inclusive(|symbol| *symbol == END);
    let count = all.clone().count();
    all.enumerate()
        .map(|(index, shot)| {
            let name = if index + 1 == count { "the cue".to_owned() } else { format!("example {}", index + 1) };
            let [QUESTION, sides @ .., END] = shot else {
                return Err(format!("expected `{QUESTION}` at the start of {name}"));
            };
            match sides.split(|symbol| *symbol == ANSWER).collect::<Vec<_>>().as_slice() {
                [question, answer] if !sides.contains(&QUESTION) => {
                    Ok(Shot { name, question: question.to_vec(), answer: answer.to_vec() })
                }
                _ => Err(format!("expected `{QUESTION} … {ANSWER} … {END}` for {name}")),
            }
        })
        .collect()
}

/// Checks the symbols of a shot, and splits its question into delimiters and constituents.
pub fn question<'l>(shot: &Shot<'l>, expected: &Expected) -> Result<Vec<Run<'l>>, String> {
    let Shot { name, question, answer } = shot;
    for (side, symbols) in [("question", question), ("answer", answer)] {
        let mut seen = HashSet::new();
        for symbol in symbols {
            if !is_delimiter(symbol) && !expected.lexicon.holds(symbol) {
                let words = expected.lexicon.description();
                return Err(format!("`{symbol}` in the {side} of {name} is neither {words} nor a delimiter"));
            }
            if is_delimiter(symbol) && !expected.delimiters {
                return Err(format!("delimiter `{symbol}` in the {side} of {name}: echo prompts have none"));
            }
            if !seen.insert(symbol) {
                return Err(format!("duplicate `{symbol}` in the {side} of {name}"));
            }
        }
    }
    let runs: Vec<Run> = question
        .chunk_by(|left, right| is_delimiter(left) == is_delimiter(right))
        .map(|run| match run.first() {
            Some(symbol) if is_delimiter(symbol) => Run::Delimiter(run.to_vec()),
            _ => Run::Constituent(run.to_vec()),
        })
        .collect();
    let number = constituents(&runs).count();
    if !expected.counts.contains(&number) {
        let constituents = count(number, "constituent");
        return Err(format!("the question of {name} has {constituents}, expected {}", any_of(expected.counts)));
    }
    if let Some(symbols) = constituents(&runs).find(|symbols| !expected.lengths.contains(&symbols.len())) {
        return Err(format!(
            "the constituent `{}` in the question of {name} has {}, expected {}",
            symbols.join(" "),
            count(symbols.len(), "symbol"),
            any_of(expected.lengths)
        ));
    }
    Ok(runs)
}

/// The constituents of a question, in order.
pub fn constituents<'r, 'l>(runs: &'r [Run<'l>]) -> impl Iterator<Item = &'r [&'l str]> {
    runs.iter().filter_map(|run| match run {
        Run::Constituent(symbols) => Some(symbols.as_slice()),
        Run::Delimiter(_) => None,
    })
}

/// `1, 2 or 4`.
fn any_of(numbers: &[usize]) -> String {
    let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}
