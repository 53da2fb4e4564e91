//! Recognizes the texts of a grammar.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet, HashMap},
    rc::Rc,
    thread,
};

use super::notation::{Expression, Rules, is_lexical};

/// In bytes.
const STACK: usize = 64 << 20;

/// The possible ends of a phrase that starts at one token.
type Ends = Rc<BTreeSet<usize>>;

/// A grammar with the tokens of its phrases.
pub struct Recognizer {
    rules: Rules,
    /// The lexical rules and the words used in phrases.
    tokens: Vec<Expression>,
}

impl Recognizer {
    pub fn new(rules: Rules) -> Self {
        let mut found = BTreeMap::new();
        rules.iter().filter(|(name, _)| !is_lexical(name)).for_each(|(_, rule)| collect(rule, &rules, &mut found));
        Self { rules, tokens: found.into_values().collect() }
    }

    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Whether a lexical expression generates a text.
    pub fn covers(&self, expression: &Expression, text: &str) -> bool {
        self.lengths(expression, text).contains(&text.len())
    }

    /// Checks that the grammar generates a text. The error is the line that it does not accept.
    pub fn recognize(&self, text: &str) -> Result<(), usize> {
        // The recursion is as deep as the text is nested.
        let thread = thread::Builder::new().stack_size(STACK);
        thread::scope(|scope| {
            thread.spawn_scoped(scope, || self.recognized(text)).expect("a thread").join().expect("an end")
        })
    }

    fn recognized(&self, text: &str) -> Result<(), usize> {
        let line = |at: usize| text[..at].matches('\n').count() + 1;
        let tokens = self.tokens(text).map_err(line)?;
        let phrases =
            Phrases { recognizer: self, tokens: &tokens, known: RefCell::default(), furthest: RefCell::default() };
        let ends = phrases.ends(&Expression::Rule("program".to_owned()), 0);
        if ends.contains(&tokens.len()) {
            return Ok(());
        }
        let furthest = tokens.get(*phrases.furthest.borrow());
        Err(line(furthest.map_or(text.len(), |token| token.as_ptr() as usize - text.as_ptr() as usize)))
    }

    /// Splits a text into tokens. The error is the offset at which none matches.
    pub fn tokens<'t>(&self, text: &'t str) -> Result<Vec<&'t str>, usize> {
        let between = Expression::Rule("BETWEEN".to_owned());
        let longest = |of: &Expression, at: usize| self.lengths(of, &text[at..]).last().copied().unwrap_or_default();
        let (mut at, mut tokens) = (0, Vec::new());
        while at < text.len() {
            match longest(&between, at) {
                0 => {
                    let length = self.tokens.iter().map(|token| longest(token, at)).max().unwrap_or_default();
                    if length == 0 {
                        return Err(at);
                    }
                    tokens.push(&text[at..at + length]);
                    at += length;
                }
                length => at += length,
            }
        }
        Ok(tokens)
    }

    /// The lengths of all matches of a lexical expression at the start of a text.
    fn lengths(&self, expression: &Expression, text: &str) -> BTreeSet<usize> {
        match expression {
            Expression::Text(written) => {
                text.starts_with(written.as_str()).then_some(written.len()).into_iter().collect()
            }
            Expression::Characters { ranges, but } => {
                let first = text.chars().next();
                let fits = |c: &char| ranges.iter().any(|(from, to)| (from..=to).contains(&c)) != *but;
                first.filter(fits).map(char::len_utf8).into_iter().collect()
            }
            Expression::Rule(name) => self.lengths(&self.rules[name], text),
            Expression::Except(all, but) => {
                let without = |end: &usize| !self.covers(but, &text[..*end]);
                self.lengths(all, text).into_iter().filter(without).collect()
            }
            _ => composed(expression, 0, |part, at| {
                self.lengths(part, &text[at..]).into_iter().map(|length| at + length).collect()
            }),
        }
    }
}

/// Collects the tokens in an expression of phrases, by their spelling.
fn collect(expression: &Expression, rules: &Rules, found: &mut BTreeMap<String, Expression>) {
    match expression {
        Expression::Text(text) => {
            found.insert(format!("{text:?}"), Expression::Text(text.clone()));
        }
        Expression::Rule(name) => {
            assert!(rules.contains_key(name), "unknown rule {name}");
            if is_lexical(name) {
                found.insert(name.clone(), Expression::Rule(name.clone()));
            }
        }
        Expression::Sequence(parts) | Expression::Choice(parts) => {
            for part in parts {
                collect(part, rules, found);
            }
        }
        Expression::Times(part, ..) => collect(part, rules, found),
        Expression::Characters { .. } | Expression::Except(..) => {
            panic!("lexical expression in a phrase: {expression:?}")
        }
    }
}

/// The ends of a composed expression, from the ends of its parts.
fn composed(
    expression: &Expression,
    at: usize,
    ends: impl Fn(&Expression, usize) -> BTreeSet<usize>,
) -> BTreeSet<usize> {
    let all = |part: &Expression, from: &BTreeSet<usize>| from.iter().flat_map(|at| ends(part, *at)).collect();
    match expression {
        Expression::Sequence(parts) => parts.iter().fold(BTreeSet::from([at]), |from, part| all(part, &from)),
        Expression::Choice(parts) => parts.iter().flat_map(|part| ends(part, at)).collect(),
        Expression::Times(part, least, most) => {
            let mut newest = BTreeSet::from([at]);
            let mut found = if *least == 0 { newest.clone() } else { BTreeSet::new() };
            for _ in 0..*most {
                newest = all(part, &newest);
                newest.retain(|end| !found.contains(end));
                if newest.is_empty() {
                    break;
                }
                found.extend(&newest);
            }
            found
        }
        _ => panic!("not a composed expression: {expression:?}"),
    }
}

/// The state of recognizing a list of tokens.
struct Phrases<'r, 't> {
    recognizer: &'r Recognizer,
    tokens: &'t [&'t str],
    /// The known ends, by rule and first token.
    known: RefCell<HashMap<(String, usize), Ends>>,
    /// The furthest token that did not match.
    furthest: RefCell<usize>,
}

impl Phrases<'_, '_> {
    fn ends(&self, expression: &Expression, at: usize) -> BTreeSet<usize> {
        match expression {
            Expression::Text(text) => self.token(at, |token| token == text),
            Expression::Rule(name) if is_lexical(name) => {
                self.token(at, |token| self.recognizer.covers(expression, token))
            }
            Expression::Rule(name) => {
                let key = (name.clone(), at);
                if let Some(known) = self.known.borrow().get(&key) {
                    return known.as_ref().clone();
                }
                let ends = self.ends(&self.recognizer.rules[name], at);
                self.known.borrow_mut().insert(key, Rc::new(ends.clone()));
                ends
            }
            _ => composed(expression, at, |part, at| self.ends(part, at)),
        }
    }

    fn token(&self, at: usize, fits: impl Fn(&str) -> bool) -> BTreeSet<usize> {
        if self.tokens.get(at).is_some_and(|token| fits(token)) {
            return BTreeSet::from([at + 1]);
        }
        let mut furthest = self.furthest.borrow_mut();
        *furthest = at.max(*furthest);
        BTreeSet::new()
    }
}
