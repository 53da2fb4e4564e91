//! Holds lines of templatic generation data against the constraints of (32), App. D and their split.
//!
//! What is a delimiter and what a constituent is told by the kinds of symbols, which every split fixes. That all questions of
//! a line then have the same delimiters, and the cue no word of an example, is checked, not assumed.

use std::collections::HashSet;

use serde_json::Value;

use crate::render;

use super::{
    split::Split,
    symbols::{ANSWER, END, Lexicon, QUESTION, Words, is_delimiter},
};

/// What lines are held against.
#[derive(Clone, Copy, Debug)]
pub struct Constraints {
    /// Their split.
    pub split: &'static Split,
    /// The words of their task.
    pub words: Words,
    /// The number of examples in each.
    pub shots: usize,
}

/// A question and its answer; the last one of a line is the cue with the gold.
struct Shot<'l> {
    name: String,
    question: Vec<&'l str>,
    answer: Vec<&'l str>,
}

/// A piece of a question.
#[derive(Debug, PartialEq, Eq)]
enum Run<'l> {
    Delimiter(Vec<&'l str>),
    Constituent(Vec<&'l str>),
}

/// A piece of the answer's template.
enum Piece<'l> {
    Delimiter(&'l str),
    /// The constituent with this index among the question's.
    Constituent(usize),
}

/// What a split asks of a line.
struct Expected {
    lexicon: Lexicon,
    counts: &'static [usize],
    lengths: &'static [usize],
    delimiters: bool,
}

/// Checks a line, `prompt<TAB>gold[<TAB>info]` without its end.
///
/// Errors: the first constraint that it violates, in words.
pub fn validate(line: &str, constraints: &Constraints) -> Result<(), String> {
    let columns: Vec<&str> = line.split('\t').collect();
    let (prompt, gold, info) = match columns.as_slice() {
        [prompt, gold] => (prompt, gold, None),
        [prompt, gold, info] => (prompt, gold, Some(info)),
        _ => {
            return Err(format!(
                "the line has {}: it is written prompt<TAB>gold[<TAB>info]",
                render::count(columns.len(), "column")
            ));
        }
    };
    let info = info.map_or(Ok(Value::Null), |text| serde_json::from_str(text));
    let info = info.map_err(|error| format!("the info is no JSON: {error}"))?;
    let expected = expected(constraints, &info)?;

    let shots = shots(prompt, gold)?;
    if shots.len() != constraints.shots + 1 {
        return Err(format!("it has {}, not {}", render::count(shots.len() - 1, "example"), constraints.shots));
    }
    let questions = shots.iter().map(|shot| question(shot, &expected)).collect::<Result<Vec<_>, _>>()?;
    same_delimiters(&shots, &questions)?;
    fresh_cue(&shots, &expected)?;
    let pieces = same_answers(&shots, &questions)?;

    let kept = pieces.iter().filter(|piece| matches!(piece, Piece::Constituent(_))).count();
    let all = questions.first().map_or(0, |runs| constituents(runs).count());
    for (name, count) in [("constituents", all), ("kept", kept)] {
        if info.get(name).is_some_and(|given| given.as_u64() != Some(count as u64)) {
            return Err(format!("the info is wrong: `{name}` is {count}"));
        }
    }
    Ok(())
}

fn expected(constraints: &Constraints, info: &Value) -> Result<Expected, String> {
    let Constraints { split, words, .. } = constraints;
    if info.get("type").is_none_or(|kind| kind != "echo") {
        let lexicon = split.lexicon(*words);
        return Ok(Expected { lexicon, counts: split.counts, lengths: split.lengths, delimiters: true });
    }
    if !split.echo {
        return Err(format!("it is an echo prompt, which {} does not have", split.name));
    }
    Ok(Expected { lexicon: Lexicon::UpperCase, counts: &[1], lengths: &[1], delimiters: false })
}

/// `prompt = { example } cue`, `example = Q side A side .`, `cue = Q side A`: with its gold, the cue is one shot more.
fn shots<'l>(prompt: &'l str, gold: &'l str) -> Result<Vec<Shot<'l>>, String> {
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
fn question<'l>(shot: &Shot<'l>, expected: &Expected) -> Result<Vec<Run<'l>>, String> {
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
    let count = constituents(&runs).count();
    if !expected.counts.contains(&count) {
        let count = render::count(count, "constituent");
        return Err(format!("the question of {name} has {count}, not {}", any_of(expected.counts)));
    }
    if let Some(symbols) = constituents(&runs).find(|symbols| !expected.lengths.contains(&symbols.len())) {
        return Err(format!(
            "the constituent `{}` in the question of {name} has {}, not {}",
            symbols.join(" "),
            render::count(symbols.len(), "symbol"),
            any_of(expected.lengths)
        ));
    }
    Ok(runs)
}

/// All questions have the same template (32b-i), (32c-iii).
fn same_delimiters(shots: &[Shot<'_>], questions: &[Vec<Run<'_>>]) -> Result<(), String> {
    let same = |(left, right): (&Run<'_>, &Run<'_>)| match (left, right) {
        (Run::Delimiter(left), Run::Delimiter(right)) => left == right,
        (Run::Constituent(_), Run::Constituent(_)) => true,
        _ => false,
    };
    let mut all = shots.iter().zip(questions);
    let Some((first, model)) = all.next() else { return Ok(()) };
    match all.find(|(_, runs)| runs.len() != model.len() || !model.iter().zip(*runs).all(same)) {
        Some((other, _)) => {
            Err(format!("the questions of {} and of {} do not have the same delimiters", first.name, other.name))
        }
        None => Ok(()),
    }
}

/// The cue has no word of an example (32d-iv).
fn fresh_cue(shots: &[Shot<'_>], expected: &Expected) -> Result<(), String> {
    let Some((cue, examples)) = shots.split_last() else { return Ok(()) };
    for example in examples {
        let words = example.question.iter().filter(|symbol| expected.lexicon.holds(symbol));
        if let Some(word) = words.into_iter().find(|word| cue.question.contains(word)) {
            return Err(format!("the constituents of {} and of the cue share `{word}`", example.name));
        }
    }
    Ok(())
}

/// The answer's template, which is that of the first example, and by which all others and the gold are made.
fn same_answers<'l>(shots: &[Shot<'l>], questions: &[Vec<Run<'l>>]) -> Result<Vec<Piece<'l>>, String> {
    let mut all = shots.iter().zip(questions);
    let Some((first, runs)) = all.next() else { return Ok(Vec::new()) };
    let pieces = pieces(first, runs)?;
    for (shot, runs) in all {
        let values: Vec<&[&str]> = constituents(runs).collect();
        let answer: Vec<&str> = pieces
            .iter()
            .flat_map(|piece| match piece {
                Piece::Delimiter(symbol) => std::slice::from_ref(symbol),
                Piece::Constituent(index) => values.get(*index).copied().unwrap_or_default(),
            })
            .copied()
            .collect();
        if answer != shot.answer {
            return Err(format!(
                "the answer of {} is `{}`, where {} makes it `{}`",
                shot.name,
                shot.answer.join(" "),
                first.name,
                answer.join(" ")
            ));
        }
    }
    Ok(pieces)
}

/// The answer of a shot in pieces: constituents of its question with delimiters between them (32d).
fn pieces<'l>(shot: &Shot<'l>, runs: &[Run<'l>]) -> Result<Vec<Piece<'l>>, String> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut rest = shot.answer.as_slice();
    while let Some((symbol, after)) = rest.split_first() {
        if is_delimiter(symbol) {
            pieces.push(Piece::Delimiter(symbol));
            rest = after;
            continue;
        }
        if let Some(Piece::Constituent(_)) = pieces.last() {
            return Err(format!("no delimiter stands before `{symbol}` in the answer of {}", shot.name));
        }
        let constituent = constituents(runs).enumerate().find(|(_, symbols)| rest.starts_with(symbols));
        let Some((index, symbols)) = constituent else {
            return Err(format!("no constituent of its question starts at `{symbol}` in the answer of {}", shot.name));
        };
        pieces.push(Piece::Constituent(index));
        rest = rest.get(symbols.len()..).unwrap_or_default();
    }
    if pieces.iter().any(|piece| matches!(piece, Piece::Constituent(_))) {
        Ok(pieces)
    } else {
        Err(format!("the answer of {} has no constituent", shot.name))
    }
}

fn constituents<'r, 'l>(runs: &'r [Run<'l>]) -> impl Iterator<Item = &'r [&'l str]> {
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
