//! Laws: tests whose prompts have variables in place of symbols.

use std::ops::Range;

use crate::token::is_name;

/// The expectations of `//@ law`, for all symbols in place of its variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Law {
    /// Whether variables may stand for equal symbols, and for those that the program can meet.
    pub any: bool,
    /// Whether a row is expected, in place of a continuation.
    pub row: bool,
    /// The variables, in the order in which the prompt first mentions them.
    pub variables: Vec<Variable>,
    /// The words of the prompt.
    pub prompt: Vec<LawWord>,
    /// The words of the expected continuation or row.
    pub gold: Vec<LawWord>,
}

/// A variable of a law. It stands for the same symbols wherever it is written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variable {
    /// The name, without `$`.
    pub name: String,
    /// The maximum number of symbols. The minimum is 1.
    pub longest: usize,
}

/// A word of a law.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LawWord {
    /// The symbol itself.
    Symbol(String),
    /// Null, in a continuation.
    Null,
    /// The index of a variable.
    Variable(usize),
}

/// The reason why strings are not a law, and the word that shows it as a range of the prompt or of the gold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotALaw {
    pub(crate) message: String,
    pub(crate) help: &'static str,
    /// `None` for the whole law.
    pub(crate) word: Option<(Side, Range<usize>)>,
}

/// A side of a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Prompt,
    Gold,
}

/// The default for the number of symbols of `$x..`.
const LONGEST: usize = 3;

/// The maximum number of symbols of a variable.
const MAX_LONGEST: usize = 64;

/// The maximum number of combinations of lengths.
const MAX_LENGTHS: usize = 200_000;

/// The null of a continuation.
const NULL: &str = "∅";

impl Law {
    /// Reads a prompt with variables, such as `Q $x.. A $y`.
    ///
    /// # Errors
    ///
    /// Fails with a message for an invalid limit, for no symbols, and for too many combinations of lengths.
    pub fn pattern(any: bool, prompt: &str) -> Result<Self, String> {
        let law = Self::read(any, prompt, "").map_err(|NotALaw { message, help, .. }| format!("{message}: {help}"))?;
        match law.has_few_lengths() {
            true if law.prompt.is_empty() => Err("it has no symbols".to_owned()),
            true => Ok(law),
            false => Err(format!("it has more than {MAX_LENGTHS} combinations of lengths")),
        }
    }

    /// Reads the strings of a law.
    pub(crate) fn parse(any: bool, prompt: &str, gold: &str) -> Result<Self, NotALaw> {
        let law = Self::read(any, prompt, gold)?;
        let whole = |message: &str, help| Err(NotALaw { message: message.to_owned(), help, word: None });
        if law.variables.is_empty() {
            return whole(
                "the law has no variables",
                "write a variable in the prompt, as in `$x`, or `test` for `law`",
            );
        }
        if !law.has_few_lengths() {
            return whole(
                "the law has more than 200,000 combinations of lengths",
                "lower the limits of its variables, as in `$x..2`",
            );
        }
        Ok(law)
    }

    fn has_few_lengths(&self) -> bool {
        let lengths = self.variables.iter().try_fold(1, |product: usize, it| product.checked_mul(it.longest));
        lengths.is_some_and(|lengths| lengths <= MAX_LENGTHS)
    }

    fn read(any: bool, prompt: &str, gold: &str) -> Result<Self, NotALaw> {
        let mut law = Self { any, row: false, variables: Vec::new(), prompt: Vec::new(), gold: Vec::new() };
        for (side, text) in [(Side::Prompt, prompt), (Side::Gold, gold)] {
            for (range, word) in words(text) {
                let wrong = |(message, help)| NotALaw { message, help, word: Some((side, range.clone())) };
                let read = law.word(side, word).map_err(wrong)?;
                match side {
                    Side::Prompt => law.prompt.push(read),
                    Side::Gold => law.gold.push(read),
                }
            }
        }
        Ok(law)
    }

    /// Reads the next word, or returns a message and a way out.
    fn word(&mut self, side: Side, word: &str) -> Result<LawWord, (String, &'static str)> {
        let (name, limit) = match read_word(word) {
            ReadWord::Symbol(NULL) if side == Side::Gold => return Ok(LawWord::Null),
            ReadWord::Symbol(symbol) => return Ok(LawWord::Symbol(symbol.to_owned())),
            ReadWord::Variable { name, limit } => (name, limit),
        };
        let longest = match limit {
            None => Ok(1),
            Some("") => Ok(LONGEST),
            Some(digits) => digits.parse().map_err(|_| ()),
        };
        let longest = longest.ok().filter(|longest| (1..=MAX_LONGEST).contains(longest)).ok_or_else(|| {
            let help = "write the greatest number of symbols, from 1 to 64, as in `$x..5`";
            (format!("`{word}` has an invalid limit"), help)
        })?;
        if let Some(index) = self.variables.iter().position(|known| known.name == name) {
            let first = self.variables.get(index).map_or(1, |known| known.longest);
            if limit.is_some_and(|digits| !digits.is_empty()) && longest != first {
                let symbols = if first == 1 { "one symbol".to_owned() } else { format!("at most {first} symbols") };
                let message = format!("`{word}` contradicts the first limit: `${name}` is {symbols}");
                return Err((message, "give a variable's limit once, where it is written first"));
            }
            return Ok(LawWord::Variable(index));
        }
        if side == Side::Gold {
            let help = "write the variable in the prompt, too, or `$$` at the start of a symbol";
            return Err((format!("the prompt lacks the variable `${name}`"), help));
        }
        self.variables.push(Variable { name: name.to_owned(), longest });
        Ok(LawWord::Variable(self.variables.len() - 1))
    }

    /// Whether the expected side is as long as the prompt, whatever the lengths of the variables.
    pub(crate) fn has_rows(&self) -> bool {
        let count = |words: &[LawWord], variable| words.iter().filter(|word| **word == variable).count();
        self.prompt.len() == self.gold.len()
            && self.variables.iter().enumerate().all(|(index, Variable { longest, .. })| {
                let variable = || LawWord::Variable(index);
                *longest == 1 || count(&self.prompt, variable()) == count(&self.gold, variable())
            })
    }

    /// The numbers of symbols of the variables, in every combination, the fewest symbols first.
    pub fn lengths(&self) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new()];
        for variable in &self.variables {
            let longer = |lengths: &Vec<usize>| {
                let lengths = lengths.clone();
                (1..=variable.longest).map(move |length| [lengths.as_slice(), &[length]].concat())
            };
            all = all.iter().flat_map(longer).collect();
        }
        all.sort_by_key(|lengths| lengths.iter().sum::<usize>());
        all
    }

    /// The symbols that the law writes out.
    pub fn literals(&self) -> impl Iterator<Item = &str> {
        self.prompt.iter().chain(&self.gold).filter_map(|word| match word {
            LawWord::Symbol(symbol) => Some(symbol.as_str()),
            LawWord::Null | LawWord::Variable(_) => None,
        })
    }

    /// Different free symbols for the variables, in numbers of these `lengths`, that the law does not write. A
    /// variable's symbols are named after it.
    pub fn names(&self, lengths: &[usize], is_free: impl Fn(&str) -> bool) -> Vec<Vec<String>> {
        let mut used: Vec<String> = Vec::new();
        let mut take = |name: String| {
            let free = is_free(&name) && !used.contains(&name) && !self.literals().any(|literal| literal == name);
            if free {
                used.push(name.clone());
            }
            free.then_some(name)
        };
        let mut names = Vec::with_capacity(self.variables.len());
        for (Variable { name, .. }, &length) in self.variables.iter().zip(lengths) {
            let numbered = |number: usize| format!("{name}{number}");
            let own = (length == 1).then(|| take(name.clone())).flatten();
            names.push(match own {
                Some(own) => vec![own],
                None => (1..).filter_map(|number| take(numbered(number))).take(length).collect(),
            });
        }
        names
    }

    /// The prompt with symbols in place of the variables.
    pub fn prompt_of<'a, S: AsRef<str>>(&'a self, symbols: &'a [Vec<S>]) -> Vec<&'a str> {
        fill(&self.prompt, symbols).flatten().collect()
    }

    /// The expected continuation with symbols in place of the variables. Null is `None`.
    pub fn gold_of<'a, S: AsRef<str>>(&'a self, symbols: &'a [Vec<S>]) -> Vec<Option<&'a str>> {
        fill(&self.gold, symbols).collect()
    }

    /// The prompt and the expected continuation as strings, with symbols in place of the variables.
    pub fn case<S: AsRef<str>>(&self, symbols: &[Vec<S>]) -> (String, String) {
        let gold: Vec<&str> = self.gold_of(symbols).into_iter().map(|symbol| symbol.unwrap_or(NULL)).collect();
        (self.prompt_of(symbols).join(" "), gold.join(" "))
    }

    /// The index of the word of the gold that the symbol with an index in the expected continuation comes from.
    pub fn gold_word(&self, lengths: &[usize], symbol: usize) -> Option<usize> {
        let count = |word: &LawWord| match word {
            LawWord::Variable(index) => lengths.get(*index).copied().unwrap_or(1),
            LawWord::Symbol(_) | LawWord::Null => 1,
        };
        let indices = self.gold.iter().enumerate().flat_map(|(index, word)| std::iter::repeat_n(index, count(word)));
        indices.into_iter().nth(symbol)
    }
}

fn fill<'a, S: AsRef<str>>(words: &'a [LawWord], symbols: &'a [Vec<S>]) -> impl Iterator<Item = Option<&'a str>> {
    words.iter().flat_map(|word| match word {
        LawWord::Symbol(symbol) => vec![Some(symbol.as_str())],
        LawWord::Null => vec![None],
        LawWord::Variable(index) => symbols.get(*index).into_iter().flatten().map(|it| Some(it.as_ref())).collect(),
    })
}

enum ReadWord<'w> {
    Symbol(&'w str),
    Variable {
        name: &'w str,
        /// The digits after `..`.
        limit: Option<&'w str>,
    },
}

fn read_word(word: &str) -> ReadWord<'_> {
    let Some(rest) = word.strip_prefix('$') else { return ReadWord::Symbol(word) };
    let Some((name, limit)) = name_and_limit(rest.trim_start_matches('$')) else { return ReadWord::Symbol(word) };
    // One `$` of several makes a symbol of what would be a variable.
    if rest.starts_with('$') { ReadWord::Symbol(rest) } else { ReadWord::Variable { name, limit } }
}

fn name_and_limit(text: &str) -> Option<(&str, Option<&str>)> {
    let (name, limit) = match text.split_once("..") {
        Some((name, limit)) => (name, Some(limit)),
        None => (text, None),
    };
    let is_limit = limit.is_none_or(|limit| limit.bytes().all(|byte| byte.is_ascii_digit()));
    (is_name(name) && is_limit).then_some((name, limit))
}

/// The names of variables in the words of a text, and their ranges, without `$` and limits.
pub(crate) fn variables(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    words(text).filter_map(|(range, word)| match read_word(word) {
        ReadWord::Variable { name, .. } => Some((range.start + 1..range.start + 1 + name.len(), name)),
        ReadWord::Symbol(_) => None,
    })
}

/// The names of the variables that a line mentions, in quotes that need not be closed.
pub fn variable_names(line: &str) -> impl Iterator<Item = &str> {
    line.split(['"', '\'']).flat_map(variables).map(|(_, name)| name)
}

/// The words of a text and their ranges.
fn words(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    text.split_whitespace().map(|word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        (start..start + word.len(), word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the words of a law: a variable as `$name..longest`.
    fn check(prompt: &str, gold: &str, expected: &str) {
        let law = Law::parse(false, prompt, gold).unwrap_or_else(|wrong| panic!("{}", wrong.message));
        let show = |word: &LawWord| match word {
            LawWord::Symbol(symbol) => symbol.clone(),
            LawWord::Null => "null".to_owned(),
            LawWord::Variable(index) => {
                format!("${}..{}", law.variables[*index].name, law.variables[*index].longest)
            }
        };
        let [prompt, gold] = [&law.prompt, &law.gold].map(|words| words.iter().map(show).collect::<Vec<_>>().join(" "));
        assert_eq!(format!("{prompt} => {gold}"), expected);
    }

    fn check_wrong(prompt: &str, gold: &str, marked: &str, message: &str) {
        let wrong = Law::parse(true, prompt, gold).expect_err(prompt);
        let word = wrong.word.map(|(side, range)| match side {
            Side::Prompt => prompt[range].to_owned(),
            Side::Gold => gold[range].to_owned(),
        });
        assert_eq!((word.as_deref().unwrap_or_default(), wrong.message.as_str()), (marked, message));
    }

    #[test]
    fn words_with_a_dollar_and_a_name_are_variables() {
        check("Q $a.. $b $c..5 .", "$c $b.. ∅ $a", "Q $a..3 $b..1 $c..5 . => $c..5 $b..1 null $a..3");
        check("$a $ $$a $$$a.. $1 $a. $a..b $a-b ∅", "$ $$a", "$a..1 $ $a $$a.. $1 $a. $a..b $a-b ∅ => $ $a");
    }

    #[test]
    fn invalid_laws_show_the_word() {
        check_wrong("Q A", "A", "", "the law has no variables");
        check_wrong("$a", "$b", "$b", "the prompt lacks the variable `$b`");
        check_wrong("$a..5", "$a..3", "$a..3", "`$a..3` contradicts the first limit: `$a` is at most 5 symbols");
        check_wrong("$a $a..2", "", "$a..2", "`$a..2` contradicts the first limit: `$a` is one symbol");
        check_wrong("$a..0", "", "$a..0", "`$a..0` has an invalid limit");
        check_wrong(
            "$a..99999999999999999999",
            "",
            "$a..99999999999999999999",
            "`$a..99999999999999999999` has an invalid limit",
        );
        check_wrong("$a..64 $b..64 $c..64", "", "", "the law has more than 200,000 combinations of lengths");
    }

    #[test]
    fn each_combination_of_lengths_is_tried() {
        let law = Law::parse(false, "$a.. $b..2 $c $a1", "$b $a ∅").expect("a law");
        assert_eq!(law.lengths(), [[1, 1, 1, 1], [1, 2, 1, 1], [2, 1, 1, 1], [2, 2, 1, 1], [3, 1, 1, 1], [3, 2, 1, 1]]);
        let names = law.names(&[2, 2, 1, 1], |name| name != "c");
        assert_eq!(law.prompt_of(&names), ["a1", "a2", "b1", "b2", "c1", "a11"]);
        assert_eq!(law.gold_of(&names), [Some("b1"), Some("b2"), Some("a1"), Some("a2"), None]);
        assert_eq!(
            (0..6).map(|symbol| law.gold_word(&[2, 2, 1, 1], symbol)).collect::<Vec<_>>(),
            [Some(0), Some(0), Some(1), Some(1), Some(2), None]
        );
    }
}
