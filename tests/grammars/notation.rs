//! The notation of `grammars/psl.ebnf`: the EBNF of the W3C recommendation for XML.

use std::{collections::BTreeMap, iter::Peekable, str::CharIndices};

/// An expression, which generates texts or lists of tokens.
#[derive(Debug, PartialEq)]
pub enum Expression {
    /// A fixed text.
    Text(String),
    /// One character, inside the ranges or, with `but`, outside of them.
    Characters { ranges: Vec<(char, char)>, but: bool },
    /// A reference to a rule.
    Rule(String),
    /// Expressions in sequence.
    Sequence(Vec<Expression>),
    /// One of several expressions.
    Choice(Vec<Expression>),
    /// A repetition, with its minimum and maximum.
    Times(Box<Expression>, usize, usize),
    /// The texts of the first expression that are not texts of the second.
    Except(Box<Expression>, Box<Expression>),
}

/// The rules by name.
pub type Rules = BTreeMap<String, Expression>;

/// Whether a rule generates text, not tokens.
pub fn is_lexical(rule: &str) -> bool {
    rule.starts_with(|first: char| first.is_ascii_uppercase())
}

/// Parses a grammar.
pub fn read(text: &str) -> Rules {
    let mut reader = Reader { text, chars: text.char_indices().peekable() };
    let mut rules = Rules::new();
    while let Some(name) = reader.rule_starts() {
        let expression = reader.choice();
        assert!(rules.insert(name.clone(), expression).is_none(), "duplicate rule {name}");
    }
    assert_eq!(reader.next_char(), None, "before `{}`", reader.rest());
    rules
}

struct Reader<'t> {
    text: &'t str,
    chars: Peekable<CharIndices<'t>>,
}

impl Reader<'_> {
    fn rest(&mut self) -> &str {
        let at = self.chars.peek().map_or(self.text.len(), |(at, _)| *at);
        &self.text[at..]
    }

    fn skip(&mut self, count: usize) {
        self.chars.by_ref().take(count).for_each(drop);
    }

    /// Skips spaces and comments.
    fn next_char(&mut self) -> Option<char> {
        loop {
            let rest = self.rest();
            let spaces = rest.chars().take_while(|c| c.is_whitespace()).count();
            if let Some(comment) = rest.strip_prefix("/*") {
                let length = comment.split("*/").next().expect("a part").chars().count();
                self.skip(length + "/**/".len());
            } else if spaces == 0 {
                return rest.chars().next();
            } else {
                self.skip(spaces);
            }
        }
    }

    fn word(&mut self) -> String {
        let word: String = self.rest().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        assert!(!word.is_empty(), "expected a word before `{}`", self.rest());
        self.skip(word.len());
        word
    }

    /// Reads the name of a rule and its `::=`, or returns `None` if no rule starts here.
    fn rule_starts(&mut self) -> Option<String> {
        self.next_char()?.is_alphabetic().then_some(())?;
        let before = self.chars.clone();
        let name = self.word();
        self.next_char();
        if self.rest().starts_with("::=") {
            self.skip("::=".len());
            return Some(name);
        }
        self.chars = before;
        None
    }

    fn choice(&mut self) -> Expression {
        let mut choices = vec![self.sequence()];
        while self.next_char() == Some('|') {
            self.skip(1);
            choices.push(self.sequence());
        }
        only(choices, Expression::Choice)
    }

    fn sequence(&mut self) -> Expression {
        let mut parts = Vec::new();
        while !matches!(self.next_char(), None | Some('|' | ')')) {
            let before = self.chars.clone();
            if self.rule_starts().is_some() {
                self.chars = before;
                break;
            }
            parts.push(self.repeated());
            if self.next_char() == Some('-') {
                self.skip(1);
                let but = self.repeated();
                let all = parts.pop().expect("the part before");
                parts.push(Expression::Except(all.into(), but.into()));
            }
        }
        only(parts, Expression::Sequence)
    }

    fn repeated(&mut self) -> Expression {
        let one = self.one();
        let (least, most) = match self.chars.peek() {
            Some((_, '?')) => (0, 1),
            Some((_, '*')) => (0, usize::MAX),
            Some((_, '+')) => (1, usize::MAX),
            _ => return one,
        };
        self.skip(1);
        Expression::Times(one.into(), least, most)
    }

    fn one(&mut self) -> Expression {
        match self.next_char().expect("an expression") {
            '(' => {
                self.skip(1);
                let inside = self.choice();
                assert_eq!(self.next_char(), Some(')'), "before `{}`", self.rest());
                self.skip(1);
                inside
            }
            quote @ ('\'' | '"') => {
                self.skip(1);
                let text: String = self.rest().chars().take_while(|c| *c != quote).collect();
                self.skip(text.chars().count() + 1);
                Expression::Text(text)
            }
            '[' => {
                self.skip(1);
                self.characters()
            }
            '#' => Expression::Text(self.character().to_string()),
            _ => Expression::Rule(self.word()),
        }
    }

    /// Reads a set of characters after its opening bracket.
    fn characters(&mut self) -> Expression {
        let but = self.rest().starts_with('^');
        self.skip(usize::from(but));
        let mut ranges = Vec::new();
        while !self.rest().starts_with(']') {
            let first = self.character();
            let goes_on = self.rest().starts_with('-') && !self.rest().starts_with("-]");
            self.skip(usize::from(goes_on));
            ranges.push((first, if goes_on { self.character() } else { first }));
        }
        self.skip(1);
        Expression::Characters { ranges, but }
    }

    fn character(&mut self) -> char {
        if let Some(code) = self.rest().strip_prefix("#x") {
            let digits: String = code.chars().take_while(char::is_ascii_hexdigit).collect();
            self.skip(digits.len() + "#x".len());
            let code = u32::from_str_radix(&digits, 16).expect("a number");
            return char::from_u32(code).expect("a character");
        }
        self.chars.next().expect("a character").1
    }
}

fn only(mut parts: Vec<Expression>, several: fn(Vec<Expression>) -> Expression) -> Expression {
    if parts.len() == 1 { parts.remove(0) } else { several(parts) }
}
