//! The symbols of prompts: words in constituents, special characters in delimiters.

/// The start of a question.
pub const QUESTION: &str = "Q";
/// The start of an answer.
pub const ANSWER: &str = "A";
/// The end of an answer.
pub const END: &str = ".";

/// The kind of words in a task of Table 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// Random-letter words: two lower-case letters.
    Rlw,
    /// English words.
    Eng,
}

/// A set of words for constituents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lexicon {
    /// Any two lower-case letters.
    LowerCase,
    /// Any two upper-case letters.
    UpperCase,
    /// Common English words, lower-case.
    English,
}

/// English words, one per line.
const ENGLISH: &str = include_str!("english.txt");

/// The characters of delimiters. The full stop is missing because it ends an answer.
const SPECIAL: &str = "!#$%&()*+,-/:;<=>?@[]^_`{|}~";

impl Lexicon {
    /// All words of the lexicon.
    pub fn words(self) -> Vec<String> {
        match self {
            Self::LowerCase => pairs(|| 'a'..='z'),
            Self::UpperCase => pairs(|| 'A'..='Z'),
            Self::English => ENGLISH.lines().map(str::to_owned).collect(),
        }
    }

    /// Whether a symbol is a possible word. Any lower-case word counts as English: other data may use a different list.
    pub fn holds(self, symbol: &str) -> bool {
        match self {
            Self::LowerCase => symbol.len() == 2 && symbol.bytes().all(|byte| byte.is_ascii_lowercase()),
            Self::UpperCase => symbol.len() == 2 && symbol.bytes().all(|byte| byte.is_ascii_uppercase()),
            Self::English => !symbol.is_empty() && symbol.bytes().all(|byte| byte.is_ascii_lowercase()),
        }
    }

    /// A description of one word.
    pub const fn description(self) -> &'static str {
        match self {
            Self::LowerCase => "a word of two lower-case letters",
            Self::UpperCase => "a word of two upper-case letters",
            Self::English => "a lower-case word",
        }
    }
}

/// The delimiter symbols of one special character.
pub fn characters() -> Vec<String> {
    SPECIAL.chars().map(String::from).collect()
}

/// The delimiter symbols of two special characters.
pub fn character_pairs() -> Vec<String> {
    pairs(|| SPECIAL.chars())
}

/// Whether a symbol is allowed in a delimiter.
pub fn is_delimiter(symbol: &str) -> bool {
    (1..=2).contains(&symbol.len()) && symbol.chars().all(|character| SPECIAL.contains(character))
}

fn pairs<I: Iterator<Item = char>>(characters: impl Fn() -> I) -> Vec<String> {
    characters().flat_map(|first| characters().map(move |second| String::from_iter([first, second]))).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Lexicon, character_pairs, characters, is_delimiter};

    #[test]
    fn lexicons_hold_their_words_once() {
        for (lexicon, size) in [(Lexicon::LowerCase, 676), (Lexicon::UpperCase, 676), (Lexicon::English, 300)] {
            let words = lexicon.words();
            assert_eq!(words.iter().collect::<HashSet<_>>().len(), words.len(), "{lexicon:?}");
            assert!(words.len() >= size && words.iter().all(|word| lexicon.holds(word)), "{lexicon:?}");
        }
    }

    #[test]
    fn delimiters_are_special_characters() {
        assert_eq!((characters().len(), character_pairs().len()), (28, 784));
        assert!(characters().iter().chain(&character_pairs()).all(|symbol| is_delimiter(symbol)));
        for symbol in ["", ".", "..", "?.", "Q", "ab", "???", "é"] {
            assert!(!is_delimiter(symbol), "{symbol}");
        }
    }
}
