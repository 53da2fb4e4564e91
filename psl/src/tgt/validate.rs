//! Holds lines of templatic generation data against the constraints of (32), App. D and their split.
//!
//! What is a delimiter and what a constituent is told by the kinds of symbols, which every split fixes. That all questions of
//! a line then have the same delimiters, and the cue no word of an example, is checked, not assumed.

mod shot;

use serde_json::Value;

use crate::counting::count;

use super::{
    split::Split,
    symbols::{Lexicon, Words, is_delimiter},
};
use shot::{Expected, Run, Shot, constituents, question, shots};

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

/// A piece of the answer's template.
enum Piece<'l> {
    Delimiter(&'l str),
    /// The constituent with this index among the question's.
    Constituent(usize),
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
                count(columns.len(), "column")
            ));
        }
    };
    let info = info.map_or(Ok(Value::Null), |text| serde_json::from_str(text));
    let info = info.map_err(|error| format!("the info is no JSON: {error}"))?;
    let expected = expected(constraints, &info)?;

    let shots = shots(prompt, gold)?;
    if shots.len() != constraints.shots + 1 {
        return Err(format!("it has {}, not {}", count(shots.len() - 1, "example"), constraints.shots));
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
        let mut words = example.question.iter().filter(|symbol| expected.lexicon.holds(symbol));
        if let Some(word) = words.find(|word| cue.question.contains(word)) {
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
