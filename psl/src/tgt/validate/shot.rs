//! The shots of a line, examples and cue, each checked on its own.

use std::collections::HashSet;

use crate::{
    counting::count,
    tgt::symbols::{ANSWER, END, Lexicon, QUESTION, is_delimiter},
};

/// What a split asks of a line.
pub struct Expected {
    /// What its constituents are made of.
    pub lexicon: Lexicon,
    /// How many constituents a question can have.
    pub counts: &'static [usize],
    /// How many symbols a constituent can have.
    pub lengths: &'static [usize],
    /// Whether there can be delimiters.
    pub delimiters: bool,
}

/// A question and its answer; the last one of a line is the cue with the gold.
pub struct Shot<'l> {
    /// `example 1`, `the cue`.
    pub name: String,
    /// The symbols between `Q` and `A`.
    pub question: Vec<&'l str>,
    /// The symbols between `A` and the full stop.
    pub answer: Vec<&'l str>,
}

/// A piece of a question.
#[derive(Debug, PartialEq, Eq)]
pub enum Run<'l> {
    /// Special characters.
    Delimiter(Vec<&'l str>),
    /// Words.
    Constituent(Vec<&'l str>),
}

/// `prompt = { example } cue`, `example = Q side A side .`, `cue = Q side A`: with its gold, the cue is one shot more.
pub fn shots<'l>(prompt: &'l str, gold: &'l str) -> Result<Vec<Shot<'l>>, String> {
    let symbols: Vec<&str> = prompt.split(' ').chain(gold.split(' ')).collect();
    if symbols.contains(&"") {
        return Err("symbols are to be separated by one space, with none around them".to_owned());
    }
    if prompt.split(' ').next_back() != Some(ANSWER) {
        return Err(format!("the prompt does not end with `{ANSWER}`"));
    }
    let ends = gold.split(' ').map(|symbol| [QUESTION, ANSWER, END].contains(&symbol));
    if !gold.ends_with(END) || ends.filter(|&reserved| reserved).count() != 1 {
        return Err(format!("the gold is not one answer with `{END}` at its end"));
    }
    let all = symbols.split_inclusive(|symbol| *symbol == END);
    let count = all.clone().count();
    all.enumerate()
        .map(|(index, shot)| {
            let name = if index + 1 == count { "the cue".to_owned() } else { format!("example {}", index + 1) };
            let [QUESTION, sides @ .., END] = shot else {
                return Err(format!("{name} does not start with `{QUESTION}`"));
            };
            match sides.split(|symbol| *symbol == ANSWER).collect::<Vec<_>>().as_slice() {
                [question, answer] if !sides.contains(&QUESTION) => {
                    Ok(Shot { name, question: question.to_vec(), answer: answer.to_vec() })
                }
                _ => Err(format!("{name} is not written `{QUESTION} … {ANSWER} … {END}`")),
            }
        })
        .collect()
}

/// The question of a shot in pieces, checked on its own.
pub fn question<'l>(shot: &Shot<'l>, expected: &Expected) -> Result<Vec<Run<'l>>, String> {
    let Shot { name, question, answer } = shot;
    for (side, symbols) in [("question", question), ("answer", answer)] {
        let mut seen = HashSet::new();
        for symbol in symbols {
            if !is_delimiter(symbol) && !expected.lexicon.holds(symbol) {
                let words = expected.lexicon.description();
                return Err(format!("`{symbol}` in the {side} of {name} is neither {words} nor special characters"));
            }
            if is_delimiter(symbol) && !expected.delimiters {
                return Err(format!("`{symbol}` in the {side} of {name}: an echo prompt has no delimiters"));
            }
            if !seen.insert(symbol) {
                return Err(format!("`{symbol}` stands twice in the {side} of {name}"));
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
        return Err(format!("the question of {name} has {constituents}, not {}", any_of(expected.counts)));
    }
    if let Some(symbols) = constituents(&runs).find(|symbols| !expected.lengths.contains(&symbols.len())) {
        return Err(format!(
            "the constituent `{}` in the question of {name} has {}, not {}",
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
