//! Programs with a few random changes to their tokens, characters or lines.

use psl_syntax::token::tokenize;
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng, seq::IndexedRandom};

/// Words and symbols, of the language and others.
const TOKENS: [&str; 51] = [
    "name",
    "symbol",
    "A",
    "'string'",
    "\"string\"",
    "'open",
    "42",
    "-1.5",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ":",
    ",",
    "==",
    "!=",
    "=",
    "@",
    "n",
    "N",
    "[n]",
    "[N]",
    "?",
    "?[n]",
    "[?]",
    "registers",
    "constants",
    "system",
    "watch",
    "causal_attn",
    "Causal_Attn",
    "true",
    "FALSE",
    "reverse",
    "where",
    "where_lm",
    "where_rm",
    "and",
    "not",
    "in",
    "in [A, B]",
    "repeat",
    "until",
    "NO_CHANGE",
    "pos_increment",
    "# comment\n",
    "//@ allow never-fires: so\n",
    "§",
    "-",
];
const CHARACTERS: [char; 24] = [
    ' ', '\n', '\r', '\t', '\u{c}', '"', '\'', '\\', '#', '/', '@', '[', ']', '(', '=', '!', '-', '.', '1', 'n', 'N',
    '_', 'é', '\u{feff}',
];

/// Returns the mutant of a text for a seed.
pub fn mutant(text: &str, seed: u64) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut text = text.to_owned();
    for _ in 0..random.random_range(1..=3) {
        change(&mut text, &mut random);
    }
    text
}

fn change(text: &mut String, random: &mut ChaCha8Rng) {
    match random.random_range(0..20) {
        0..14 => change_token(text, random),
        14..17 => change_character(text, random),
        17..19 => change_line(text, random),
        _ => text.truncate(boundary(text, random)),
    }
}

fn change_token(text: &mut String, random: &mut ChaCha8Rng) {
    let tokens: Vec<_> =
        tokenize(text).code.iter().map(|token| token.span.start as usize..token.span.end as usize).collect();
    let (Some(one), Some(other)) = (tokens.choose(random), tokens.choose(random)) else { return };
    let word = if random.random_bool(0.5) { TOKENS.choose(random).expect("some") } else { &text[other.clone()] };
    let word = match random.random_range(0..4) {
        0 => String::new(),
        1 => format!("{} {}", &text[one.clone()], &text[one.clone()]),
        2 => format!("{} {word}", &text[one.clone()]),
        _ => word.to_owned(),
    };
    text.replace_range(one.clone(), &word);
}

fn change_character(text: &mut String, random: &mut ChaCha8Rng) {
    let at = boundary(text, random);
    let length = text[at..].chars().next().map_or(0, char::len_utf8);
    let char = CHARACTERS.choose(random).expect("some").to_string();
    match random.random_range(0..3) {
        0 => text.replace_range(at..at + length, ""),
        1 => text.replace_range(at..at + length, &char),
        _ => text.insert_str(at, &char),
    }
}

fn change_line(text: &mut String, random: &mut ChaCha8Rng) {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let Some(at) = (0..lines.len()).collect::<Vec<_>>().choose(random).copied() else { return };
    let (before, line, after) = (lines[..at].concat(), lines[at], lines[at + 1..].concat());
    let copies = if random.random_bool(0.5) { 0 } else { 2 };
    *text = before + &line.repeat(copies) + &after;
}

/// A random offset between two characters.
fn boundary(text: &str, random: &mut ChaCha8Rng) -> usize {
    let at = random.random_range(0..=text.len());
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}
