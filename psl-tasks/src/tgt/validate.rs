//! Checks lines of templatic generation data against the constraints of (32), App. D and their split.
//!
//! The kinds of symbols, fixed for every split, separate delimiters from constituents. All questions of a line must
//! have the same delimiters, and the cue must share no word with an example.

mod shot;

use std::iter;

use psl_program::count;
use serde_json::Value;
use shot::{Expected, Run, Shot, constituents, question, shots};

use super::{
    split::{Constituents, Split},
    symbols::{Lexicon, Words, is_delimiter},
};
use crate::line::{Line, check_counts};

/// The constraints on a line.
#[derive(Clone, Copy, Debug)]
pub struct Constraints {
    /// The split of the lines.
    pub split: &'static Split,
    /// The kind of words in their task.
    pub words: Words,
    /// The number of examples in each line.
    pub shots: usize,
}

/// A part of the answer's template.
enum Piece<'l> {
    Delimiter(&'l str),
    /// The 0-based index of a constituent in the question.
    Constituent(usize),
}

/// Checks a line.
///
/// # Errors
///
/// A message about the first constraint that the line violates.
pub fn validate(line: &Line<'_>, constraints: &Constraints) -> Result<(), String> {
    let info = line.info()?;
    let (of_examples, of_cue) = expected(constraints, &info)?;

    let shots = shots(&line.prompt, &line.gold)?;
    if shots.len() != constraints.shots + 1 {
        return Err(format!("expected {}, found {}", count(constraints.shots, "example"), shots.len() - 1));
    }
    let expected = iter::repeat_n(&of_examples, constraints.shots).chain([&of_cue]);
    let questions =
        shots.iter().zip(expected).map(|(shot, expected)| question(shot, expected)).collect::<Result<Vec<_>, _>>()?;
    same_delimiters(&shots, &questions)?;
    fresh_cue(&shots)?;
    let pieces = same_answers(&shots, &questions)?;

    let kept = pieces.iter().filter(|piece| matches!(piece, Piece::Constituent(_))).count();
    let all = questions.first().map_or(0, |runs| constituents(runs).count());
    check_counts(&info, [("constituents", all), ("kept", kept)])
}

/// The forms of the examples and the cue.
fn expected(constraints: &Constraints, info: &Value) -> Result<(Expected, Expected), String> {
    let Constraints { split, words, .. } = constraints;
    if info.get("type").is_none_or(|kind| kind != "echo") {
        let form = |constituents: Constituents| Expected {
            lexicon: constituents.lexicon(*words),
            counts: split.counts,
            lengths: constituents.lengths,
            delimiters: true,
        };
        return Ok((form(split.examples), form(split.cue)));
    }
    if !split.echo {
        return Err(format!("`{}` does not have echo prompts", split.name));
    }
    let echo = Expected { lexicon: Lexicon::UpperCase, counts: &[1], lengths: &[1], delimiters: false };
    Ok((echo, echo))
}

/// Checks that all questions have the same template (32b-i), (32c-iii).
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
            Err(format!("the questions of {} and {} have different delimiters", first.name, other.name))
        }
        None => Ok(()),
    }
}

/// Checks that the cue shares no word with an example (32d-iv).
fn fresh_cue(shots: &[Shot<'_>]) -> Result<(), String> {
    let Some((cue, examples)) = shots.split_last() else { return Ok(()) };
    for example in examples {
        let mut words = example.question.iter().filter(|symbol| !is_delimiter(symbol));
        if let Some(word) = words.find(|word| cue.question.contains(word)) {
            return Err(format!("{} and the cue share the word `{word}`", example.name));
        }
    }
    Ok(())
}

/// The answer's template, taken from the first example. All other answers and the gold must follow it.
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
                "expected `{}` as the answer of {}, as in {}, found `{}`",
                answer.join(" "),
                shot.name,
                first.name,
                shot.answer.join(" ")
            ));
        }
    }
    Ok(pieces)
}

/// Splits the answer of a shot into delimiters and constituents of its question (32d).
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
            return Err(format!("missing delimiter before `{symbol}` in the answer of {}", shot.name));
        }
        let constituent = constituents(runs).enumerate().find(|(_, symbols)| rest.starts_with(symbols));
        let Some((index, symbols)) = constituent else {
            return Err(format!(
                "`{symbol}` in the answer of {} does not start a constituent of the question",
                shot.name
            ));
        };
        pieces.push(Piece::Constituent(index));
        rest = rest.get(symbols.len()..).unwrap_or_default();
    }
    if pieces.iter().any(|piece| matches!(piece, Piece::Constituent(_))) {
        Ok(pieces)
    } else {
        Err(format!("missing constituent in the answer of {}", shot.name))
    }
}
