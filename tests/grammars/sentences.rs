//! Generates random texts of a grammar.

use std::collections::BTreeMap;

use rand::{RngExt, rngs::ChaCha8Rng, seq::IndexedRandom};

use super::{
    notation::{Expression, Rules, is_lexical},
    recognizer::Recognizer,
};

/// The characters for a set that excludes some.
const CHARACTERS: [char; 16] =
    ['a', 'N', '_', '0', '-', '.', ' ', '#', '/', '@', '\'', '"', '\\', ':', '\u{e9}', '\u{1d538}'];

/// Maximum nesting of phrases. Deeper ones take their shortest form.
const DEPTH: usize = 6;

/// Maximum number of repetitions.
const TIMES: usize = 2;

/// A generator of random texts.
pub struct Sentences<'g> {
    grammar: &'g Recognizer,
    /// The minimum depth of each rule.
    depths: BTreeMap<&'g str, usize>,
    random: ChaCha8Rng,
}

impl<'g> Sentences<'g> {
    pub fn new(grammar: &'g Recognizer, random: ChaCha8Rng) -> Self {
        Self { grammar, depths: depths(grammar.rules()), random }
    }

    /// Generates the tokens of a program.
    pub fn program(&mut self) -> Vec<String> {
        let mut tokens = Vec::new();
        self.phrase(&Expression::Rule("program".to_owned()), 0, &mut tokens);
        tokens
    }

    /// Writes tokens, with random white space and comments between them.
    pub fn text(&mut self, tokens: &[String]) -> String {
        let mut text = String::new();
        let mut before = "";
        for token in tokens {
            let pair = format!("{before}{token}");
            let apart = self.grammar.tokens(&pair).is_ok_and(|found| found == [before, token]);
            if !before.is_empty() && (!apart || self.random.random_ratio(1, 2)) {
                text.push_str(&self.between());
            }
            text.push_str(token);
            before = token;
        }
        text + &self.between()
    }

    /// Generates a text of a lexical rule.
    pub fn word(&mut self, rule: &str) -> String {
        let mut word = String::new();
        self.characters(&Expression::Rule(rule.to_owned()), &mut word);
        word
    }

    fn between(&mut self) -> String {
        match self.random.random_range(0..8) {
            0 => format!(" {}\n", self.word("BETWEEN")),
            1 => format!("\r\n{}\r", self.word("COMMENT")),
            2 => "\n    ".to_owned(),
            _ => " ".to_owned(),
        }
    }

    fn phrase(&mut self, expression: &Expression, depth: usize, tokens: &mut Vec<String>) {
        match expression {
            Expression::Text(text) => tokens.push(text.clone()),
            Expression::Rule(name) if is_lexical(name) => tokens.push(self.word(name)),
            Expression::Rule(name) => {
                let grammar = self.grammar;
                self.phrase(&grammar.rules()[name], depth + 1, tokens);
            }
            Expression::Sequence(parts) => parts.iter().for_each(|part| self.phrase(part, depth, tokens)),
            Expression::Choice(parts) if depth > DEPTH => {
                let shortest = parts.iter().min_by_key(|part| depth_of(part, &self.depths)).expect("a part");
                self.phrase(shortest, depth, tokens);
            }
            Expression::Choice(parts) => {
                let part = parts.choose(&mut self.random).expect("a part");
                self.phrase(part, depth, tokens);
            }
            Expression::Times(part, least, most) => {
                let times = if depth > DEPTH { *least } else { self.times(*least, *most) };
                (0..times).for_each(|_| self.phrase(part, depth, tokens));
            }
            Expression::Characters { .. } | Expression::Except(..) => {
                panic!("lexical expression in a phrase: {expression:?}")
            }
        }
    }

    fn characters(&mut self, expression: &Expression, word: &mut String) {
        match expression {
            Expression::Text(text) => word.push_str(text),
            Expression::Rule(name) => {
                let grammar = self.grammar;
                self.characters(&grammar.rules()[name], word);
            }
            Expression::Sequence(parts) => parts.iter().for_each(|part| self.characters(part, word)),
            Expression::Choice(parts) => {
                let part = parts.choose(&mut self.random).expect("a part");
                self.characters(part, word);
            }
            Expression::Times(part, least, most) => {
                let times = self.times(*least, *most);
                (0..times).for_each(|_| self.characters(part, word));
            }
            Expression::Characters { ranges, but: false } => {
                let (from, to) = *ranges.choose(&mut self.random).expect("a range");
                word.push(self.random.random_range(from..=to));
            }
            Expression::Characters { ranges, but: true } => {
                let outside = |c: &char| !ranges.iter().any(|(from, to)| (from..=to).contains(&c));
                let allowed: Vec<_> = CHARACTERS.into_iter().filter(outside).collect();
                word.push(*allowed.choose(&mut self.random).expect("a character"));
            }
            Expression::Except(all, but) => loop {
                let mut found = String::new();
                self.characters(all, &mut found);
                if !self.grammar.covers(but, &found) {
                    word.push_str(&found);
                    break;
                }
            },
        }
    }

    fn times(&mut self, least: usize, most: usize) -> usize {
        self.random.random_range(least..=most.min(least + TIMES))
    }
}

/// Computes the minimum depth of each rule.
fn depths(rules: &Rules) -> BTreeMap<&str, usize> {
    let mut depths: BTreeMap<_, _> = rules.keys().map(|name| (name.as_str(), usize::MAX)).collect();
    loop {
        let next: BTreeMap<_, _> = rules
            .iter()
            .map(|(name, rule)| {
                let depth = if is_lexical(name) { 0 } else { depth_of(rule, &depths).saturating_add(1) };
                (name.as_str(), depth)
            })
            .collect();
        if next == depths {
            return depths;
        }
        depths = next;
    }
}

fn depth_of(expression: &Expression, depths: &BTreeMap<&str, usize>) -> usize {
    match expression {
        Expression::Rule(name) => depths[name.as_str()],
        Expression::Sequence(parts) => parts.iter().map(|part| depth_of(part, depths)).max().unwrap_or_default(),
        Expression::Choice(parts) => parts.iter().map(|part| depth_of(part, depths)).min().unwrap_or_default(),
        Expression::Times(part, least, _) if *least > 0 => depth_of(part, depths),
        _ => 0,
    }
}
