//! Generates templatic generation data: first a template, then its examples, cue and continuation.
//!
//! Invariant: the same arguments always give the same lines. The random number generator is therefore a specified one,
//! sampling uses only integers, and a golden file pins both.

use std::collections::HashSet;

use rand::{
    RngExt, SeedableRng,
    rngs::ChaCha8Rng,
    seq::{IndexedRandom, SliceRandom},
};

use super::{
    split::Split,
    symbols::{ANSWER, END, Lexicon, QUESTION, Words, character_pairs, characters},
    template::{Field, Template, constituents, fill},
};
use crate::line::Line;

/// One in this many training prompts is an echo prompt. The 280,000 prompts of Table 1 then show each upper-case word
/// about 40 times.
const ECHO: u32 = 20;

/// An endless stream of lines.
pub struct Generator {
    split: &'static Split,
    shots: usize,
    random: ChaCha8Rng,
    symbols: Symbols,
}

/// The symbols of prompts.
struct Symbols {
    of_examples: Vec<String>,
    of_cue: Vec<String>,
    echoed: Vec<String>,
    characters: Vec<String>,
    character_pairs: Vec<String>,
}

/// The values that a constituent can have.
#[derive(Clone, Copy)]
struct Values<'s> {
    lengths: &'s [usize],
    words: &'s [String],
}

impl Generator {
    /// Generates lines of a split, with `shots` examples in each prompt.
    pub fn new(split: &'static Split, words: Words, shots: usize, seed: u64) -> Self {
        let symbols = Symbols {
            of_examples: split.examples.lexicon(words).words(),
            of_cue: split.cue.lexicon(words).words(),
            echoed: Lexicon::UpperCase.words(),
            characters: characters(),
            character_pairs: character_pairs(),
        };
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(split.stream());
        Self { split, shots, random, symbols }
    }
}

impl Iterator for Generator {
    type Item = Line<'static>;

    fn next(&mut self) -> Option<Self::Item> {
        let Self { split, shots, random, symbols } = self;
        loop {
            let line = if split.echo && random.random_ratio(1, ECHO) {
                let echoed = Values { lengths: &[1], words: &symbols.echoed };
                let (prompt, gold) = prompt(&echo(), *shots, echoed, echoed, random)?;
                Line::new(prompt, gold, r#"{"type": "echo"}"#.to_owned())
            } else {
                let template = template(split.counts, symbols, random)?;
                let of_examples = Values { lengths: split.examples.lengths, words: &symbols.of_examples };
                let of_cue = Values { lengths: split.cue.lengths, words: &symbols.of_cue };
                let (prompt, gold) = prompt(&template, *shots, of_examples, of_cue, random)?;
                let (all, kept) = (constituents(&template.question), constituents(&template.answer));
                Line::new(prompt, gold, format!(r#"{{"constituents": {all}, "kept": {kept}}}"#))
            };
            if split.takes(&line.prompt) {
                return Some(line);
            }
        }
    }
}

/// The template of echo prompts: one constituent, repeated.
fn echo() -> Template<'static> {
    Template { question: vec![Field::Constituent(0)], answer: vec![Field::Constituent(0)] }
}

/// A template whose question has one of these numbers of constituents, and whose answer has some of them in any order.
fn template<'s>(counts: &[usize], symbols: &'s Symbols, random: &mut ChaCha8Rng) -> Option<Template<'s>> {
    let mut constituents: Vec<usize> = (0..*counts.choose(random)?).collect();
    let mut used = HashSet::new();
    let question = side(&constituents, random, |random| delimiter(symbols, &mut used, random))?;

    constituents.shuffle(random);
    constituents.truncate(random.random_range(1..=constituents.len()));
    // Two of five delimiters in an answer come from the question, until all delimiters of the question are used.
    let mut shared: Vec<Field> =
        question.iter().filter(|field| matches!(field, Field::Delimiter(_))).cloned().collect();
    shared.shuffle(random);
    let answer = side(&constituents, random, |random| {
        let again = if random.random_ratio(2, 5) { shared.pop() } else { None };
        again.or_else(|| delimiter(symbols, &mut used, random))
    })?;
    Some(Template { question, answer })
}

/// `[delimiter] constituent { delimiter constituent } [delimiter]`.
fn side<'s>(
    constituents: &[usize],
    random: &mut ChaCha8Rng,
    mut delimiter: impl FnMut(&mut ChaCha8Rng) -> Option<Field<'s>>,
) -> Option<Vec<Field<'s>>> {
    let mut fields = Vec::new();
    for (index, &constituent) in constituents.iter().enumerate() {
        if index > 0 || random.random_ratio(1, 2) {
            fields.push(delimiter(random)?);
        }
        fields.push(Field::Constituent(constituent));
    }
    if random.random_ratio(1, 2) {
        fields.push(delimiter(random)?);
    }
    Some(fields)
}

/// One symbol, or two with probability 1/4. Each is one special character, or two with probability 1/3.
fn delimiter<'s>(symbols: &'s Symbols, used: &mut HashSet<&'s str>, random: &mut ChaCha8Rng) -> Option<Field<'s>> {
    let length = if random.random_ratio(1, 4) { 2 } else { 1 };
    let mut symbol = || {
        fresh(used, || {
            let list = if random.random_ratio(1, 3) { &symbols.character_pairs } else { &symbols.characters };
            list.choose(random)
        })
    };
    Some(Field::Delimiter((0..length).map(|_| symbol()).collect::<Option<_>>()?))
}

/// The examples and the cue of a template, and the continuation. The cue shares no word with the examples.
fn prompt(
    template: &Template<'_>,
    shots: usize,
    of_examples: Values<'_>,
    of_cue: Values<'_>,
    random: &mut ChaCha8Rng,
) -> Option<(String, String)> {
    let mut in_cue = HashSet::new();
    let cue = values(template, of_cue, &mut in_cue, random)?;
    let mut symbols = Vec::new();
    for _ in 0..shots {
        let values = values(template, of_examples, &mut in_cue.clone(), random)?;
        symbols.push(QUESTION);
        symbols.extend(fill(&template.question, &values));
        symbols.push(ANSWER);
        symbols.extend(fill(&template.answer, &values));
        symbols.push(END);
    }
    symbols.push(QUESTION);
    symbols.extend(fill(&template.question, &cue));
    symbols.push(ANSWER);
    let mut gold = fill(&template.answer, &cue);
    gold.push(END);
    Some((symbols.join(" "), gold.join(" ")))
}

/// A value for each constituent of a template, made of words not used so far.
fn values<'s>(
    template: &Template<'_>,
    of: Values<'s>,
    used: &mut HashSet<&'s str>,
    random: &mut ChaCha8Rng,
) -> Option<Vec<Vec<&'s str>>> {
    let mut value = || {
        let length = *of.lengths.choose(random)?;
        (0..length).map(|_| fresh(used, || of.words.choose(random))).collect()
    };
    (0..constituents(&template.question)).map(|_| value()).collect()
}

/// Draws an unused symbol and marks it as used. The lists have several times as many symbols as a prompt uses.
fn fresh<'s>(used: &mut HashSet<&'s str>, mut draw: impl FnMut() -> Option<&'s String>) -> Option<&'s str> {
    loop {
        let symbol = draw()?;
        if used.insert(symbol) {
            return Some(symbol);
        }
    }
}
