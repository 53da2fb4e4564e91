//! The search for symbols that break a law, from those that are all different to those with more equalities.

use std::ops::ControlFlow;

use psl_syntax::law::Law;

use super::patterns::{Patterns, Slot, count};

/// The maximum number of runs for all patterns. Above it, patterns have few equalities.
const MAX_RUNS: u64 = 200_000;

/// The maximum number of runs for the patterns with two equalities.
const MAX_RUNS_OF_TWO: u64 = 2_000_000;

/// A law with symbols in place of its variables.
pub struct Trial<'a> {
    /// The symbols of each variable.
    pub symbols: &'a [Vec<&'a str>],
    /// The prompt.
    pub prompt: Vec<&'a str>,
    /// The expected continuation. Null is `None`.
    pub gold: Vec<Option<&'a str>>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The number of runs.
    pub runs: usize,
    /// The symbols that the runs stand for.
    pub shown: Shown,
    /// The first symbols that break the law, if there are any.
    pub refuted: Option<Refuted>,
}

/// The symbols that stand for variables in the runs of a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Different symbols that are not met.
    Different,
    /// All symbols with at most this many equalities among them and with met ones.
    Equalities(usize),
    /// All symbols.
    All,
}

/// Symbols that break a law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refuted {
    /// The symbols of each variable.
    pub symbols: Vec<Vec<String>>,
    /// The single equalities that break it, if it holds for different symbols and not for all with one equality.
    pub equalities: Vec<Equality>,
    /// Those that break it together, of which none does alone. Empty, too, if the search for them
    /// was stopped or took too many runs.
    pub pairs: Vec<[Equality; 2]>,
}

/// A symbol of a variable is one of another variable, or a met one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Equality {
    /// Two symbols of the variables with these indices are equal.
    Variables(usize, usize),
    /// A symbol of the variable is this one.
    Met(usize, String),
}

/// Tries a law with symbols that stand for all that it is about, those with the fewest equalities first. `met` are the
/// symbols of prompts that the program can meet, and `names` returns different ones that it cannot, for given numbers
/// of symbols. `holds` tries them.
///
/// # Errors
///
/// The first error of `names` or `holds`.
pub fn search<E>(
    law: &Law,
    met: &[&str],
    mut names: impl FnMut(&[usize]) -> Result<Vec<Vec<String>>, E>,
    mut holds: impl FnMut(&Trial<'_>) -> Result<bool, E>,
) -> Result<Found, E> {
    let lengths = law.lengths();
    let places = |lengths: &Vec<usize>| lengths.iter().sum::<usize>();
    let longest = lengths.iter().map(places).max().unwrap_or_default();
    let runs = |equalities: usize| {
        lengths.iter().fold(0, |sum: u64, lengths| sum.saturating_add(count(places(lengths), met.len(), equalities)))
    };
    let (shown, equalities) = match law.any {
        false => (Shown::Different, 0),
        true if runs(longest) <= MAX_RUNS => (Shown::All, longest),
        true if runs(2) <= MAX_RUNS_OF_TWO => (Shown::Equalities(2), 2),
        true => (Shown::Equalities(1), 1),
    };
    let has_pairs = runs(2) <= MAX_RUNS_OF_TWO;
    let mut found = Found { runs: 0, shown, refuted: None };
    for equalities in 0..=equalities {
        for lengths in &lengths {
            let free = names(lengths)?;
            let mut each = |pattern: &[Slot]| -> Result<ControlFlow<()>, E> {
                let symbols = fill(pattern, &free, met, lengths);
                let trial = Trial { prompt: law.prompt_of(&symbols), gold: law.gold_of(&symbols), symbols: &symbols };
                found.runs += 1;
                if holds(&trial)? {
                    return Ok(ControlFlow::Continue(()));
                }
                let owned =
                    || symbols.iter().map(|symbols| symbols.iter().map(|&it| it.to_owned()).collect()).collect();
                let new = || Refuted { symbols: owned(), equalities: Vec::new(), pairs: Vec::new() };
                let refuted = found.refuted.get_or_insert_with(new);
                if equalities != 1 {
                    return Ok(ControlFlow::Break(()));
                }
                for equality in written(pattern, lengths, met) {
                    if !refuted.equalities.contains(&equality) {
                        refuted.equalities.push(equality);
                    }
                }
                Ok(ControlFlow::Continue(()))
            };
            for pattern in Patterns::new(places(lengths), met.len(), equalities) {
                if each(&pattern)?.is_break() {
                    return Ok(found);
                }
            }
        }
        if let Some(refuted) = &mut found.refuted {
            let most = found.runs as u64 + MAX_RUNS;
            // Returns whether to go on.
            let mut try_pair = |pattern: &[Slot], lengths: &Vec<usize>, free: &[Vec<String>]| {
                let mut pair = written(pattern, lengths, met);
                let (Some(other), Some(one)) = (pair.pop(), pair.pop()) else { return true };
                let is_known =
                    |[first, second]: &[Equality; 2]| [(first, second), (second, first)].contains(&(&one, &other));
                let all = implied(pattern, lengths, met);
                if refuted.pairs.iter().any(is_known) || all.iter().any(|it| refuted.equalities.contains(it)) {
                    return true;
                }
                let symbols = fill(pattern, free, met, lengths);
                let trial = Trial { prompt: law.prompt_of(&symbols), gold: law.gold_of(&symbols), symbols: &symbols };
                found.runs += 1;
                let Ok(holds) = holds(&trial) else { return false };
                if !holds {
                    refuted.pairs.push([one, other]);
                }
                (found.runs as u64) < most
            };
            let is_whole = lengths.iter().filter(|_| has_pairs).all(|lengths| {
                let Ok(free) = names(lengths) else { return false };
                Patterns::new(places(lengths), met.len(), 2).all(|pattern| try_pair(&pattern, lengths, &free))
            });
            // The single equalities are all known, so that the law is decided without the pairs, too.
            if !is_whole {
                refuted.pairs.clear();
            }
            return Ok(found);
        }
    }
    Ok(found)
}

/// The symbols of each variable in a pattern.
fn fill<'a>(pattern: &[Slot], free: &'a [Vec<String>], met: &[&'a str], lengths: &[usize]) -> Vec<Vec<&'a str>> {
    let free: Vec<&str> = free.iter().flatten().map(String::as_str).collect();
    let symbol = |slot: &Slot| match slot {
        Slot::Free(place) => free.get(*place).copied(),
        Slot::Met(index) => met.get(*index).copied(),
    };
    let mut symbols = pattern.iter().filter_map(symbol);
    lengths.iter().map(|&length| symbols.by_ref().take(length).collect()).collect()
}

/// The equalities of a pattern, one for each place that does not have a new symbol.
fn written(pattern: &[Slot], lengths: &[usize], met: &[&str]) -> Vec<Equality> {
    let equality = |(place, slot): (usize, &Slot)| match slot {
        Slot::Free(first) if *first == place => None,
        Slot::Free(first) => Some(Equality::Variables(variable(*first, lengths), variable(place, lengths))),
        Slot::Met(index) => Some(Equality::Met(variable(place, lengths), (*met.get(*index)?).to_owned())),
    };
    pattern.iter().enumerate().filter_map(equality).collect()
}

/// All equalities of a pattern, also those that others imply.
fn implied(pattern: &[Slot], lengths: &[usize], met: &[&str]) -> Vec<Equality> {
    let equal = pattern.iter().enumerate().flat_map(|(place, slot)| {
        let later = pattern.iter().enumerate().skip(place + 1).filter(move |(_, other)| slot == *other);
        later.map(move |(other, _)| Equality::Variables(variable(place, lengths), variable(other, lengths)))
    });
    written(pattern, lengths, met).into_iter().chain(equal).collect()
}

/// The index of the variable that a place belongs to.
fn variable(place: usize, lengths: &[usize]) -> usize {
    let ends = lengths.iter().scan(0, |end, length| {
        *end += length;
        Some(*end)
    });
    ends.take_while(|end| *end <= place).count()
}
