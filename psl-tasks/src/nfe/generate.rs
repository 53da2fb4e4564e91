//! Generates nested function evaluation data: first the definitions, then an expression and its evaluation.
//!
//! Invariant: the same arguments always give the same lines. The random number generator is therefore a specified one,
//! sampling uses only integers, and a golden file pins both.

use std::collections::HashSet;

use rand::{
    RngExt, SeedableRng,
    rngs::ChaCha8Rng,
    seq::{IndexedRandom, SliceRandom},
};

use super::symbols::{ARROW, CLOSE, COMMA, END, MAX_PARAMETERS, OPEN, SEMICOLON};
use crate::line::Line;

/// Maximum depth of an expression.
pub const MAX_DEPTH: u8 = 8;

/// Maximum length of a gold, in symbols. Otherwise, values that double in each round would make a gold far longer than
/// others.
const MAX_GOLD: usize = 300;
/// Maximum number of functions in a prompt.
const MAX_FUNCTIONS: usize = 3;
/// Maximum number of symbols on the right side of a definition.
const MAX_BODY: usize = 4;
/// Maximum number of symbols in an argument of a prompt.
const MAX_ARGUMENT: usize = 2;

/// The symbols of arguments.
const LETTERS: &[u8] = b"abcdefghijklmnopqrst";
/// The symbols of parameters.
const PARAMETERS: &[u8] = b"uvwxyz";
/// The symbols of literals.
const LITERALS: &[u8] = b"!#$%&*+/:=?@^_|~";

/// An endless stream of lines.
pub struct Generator {
    depth: u8,
    random: ChaCha8Rng,
}

/// A function of a prompt.
struct Definition {
    name: String,
    parameters: Vec<char>,
    body: Vec<BodySymbol>,
}

/// A symbol on the right side of a definition.
#[derive(Clone, Copy)]
enum BodySymbol {
    Literal(char),
    /// The 0-based index of a parameter.
    Parameter(usize),
}

/// An argument, or the whole expression.
enum Expression<'d> {
    Symbols(Vec<char>),
    Call(&'d Definition, Vec<Self>),
}

impl Generator {
    /// Generates lines whose expressions have this depth, at least 1.
    pub fn new(depth: u8, seed: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(depth.into());
        Self { depth, random }
    }
}

impl Iterator for Generator {
    type Item = Line<'static>;

    fn next(&mut self) -> Option<Self::Item> {
        let Self { depth, random } = self;
        loop {
            let definitions = definitions(random)?;
            let expression = call(&definitions, *depth, random)?;
            let mut prompt: Vec<String> = definitions.iter().flat_map(Definition::symbols).collect();
            expression.copy(false, &mut prompt);
            prompt.push(ARROW.to_owned());
            if let Some(gold) = gold(expression) {
                let info = format!(r#"{{"depth": {depth}, "functions": {}}}"#, definitions.len());
                return Some(Line::new(prompt.join(" "), gold.join(" "), info));
            }
        }
    }
}

/// Functions with different names. Each name is two random letters, as the words of templatic generation are.
fn definitions(random: &mut ChaCha8Rng) -> Option<Vec<Definition>> {
    let mut names = HashSet::new();
    (0..random.random_range(1..=MAX_FUNCTIONS))
        .map(|_| {
            let name = loop {
                let mut letter = || char::from(random.random_range(b'a'..=b'z'));
                let name = String::from_iter([letter(), letter()]);
                if names.insert(name.clone()) {
                    break name;
                }
            };
            let mut parameters: Vec<char> = PARAMETERS.iter().copied().map(char::from).collect();
            parameters.shuffle(random);
            parameters.truncate(random.random_range(1..=MAX_PARAMETERS));
            let length = random.random_range(1..=MAX_BODY);
            let body = (0..length).map(|_| body_symbol(parameters.len(), random)).collect::<Option<_>>()?;
            Some(Definition { name, parameters, body })
        })
        .collect()
}

/// A literal, or a parameter with probability 3/4.
fn body_symbol(parameters: usize, random: &mut ChaCha8Rng) -> Option<BodySymbol> {
    Some(if random.random_ratio(3, 4) {
        BodySymbol::Parameter(random.random_range(0..parameters))
    } else {
        BodySymbol::Literal(one_of(LITERALS, random)?)
    })
}

fn one_of(symbols: &[u8], random: &mut ChaCha8Rng) -> Option<char> {
    symbols.choose(random).copied().map(char::from)
}

/// A call of this depth. One of its arguments has the depth below, and one in three of the others is a call of a
/// smaller depth too.
fn call<'d>(definitions: &'d [Definition], depth: u8, random: &mut ChaCha8Rng) -> Option<Expression<'d>> {
    let definition = definitions.choose(random)?;
    let deepest = random.random_range(0..definition.parameters.len());
    let arguments = (0..definition.parameters.len()).map(|index| {
        let depth = match depth - 1 {
            below if index == deepest || below == 0 => below,
            below if random.random_ratio(1, 3) => random.random_range(1..=below),
            _ => 0,
        };
        if depth > 0 { call(definitions, depth, random) } else { symbols(random) }
    });
    Some(Expression::Call(definition, arguments.collect::<Option<_>>()?))
}

fn symbols<'d>(random: &mut ChaCha8Rng) -> Option<Expression<'d>> {
    let length = random.random_range(1..=MAX_ARGUMENT);
    Some(Expression::Symbols((0..length).map(|_| one_of(LETTERS, random)).collect::<Option<_>>()?))
}

/// The evaluation of an expression, or `None` if it is too long.
fn gold(mut expression: Expression<'_>) -> Option<Vec<String>> {
    let mut gold = Vec::new();
    loop {
        expression.copy(true, &mut gold);
        if gold.len() >= MAX_GOLD {
            return None;
        }
        expression = expression.reduced();
        if let Expression::Symbols(_) = expression {
            gold.push(END.to_owned());
            return Some(gold);
        }
        gold.push(ARROW.to_owned());
    }
}

impl Definition {
    fn symbols(&self) -> Vec<String> {
        let body = self.body.iter().map(|symbol| match symbol {
            BodySymbol::Literal(literal) => Some(*literal),
            BodySymbol::Parameter(index) => self.parameters.get(*index).copied(),
        });
        let mut symbols = vec![self.name.clone()];
        list(&self.parameters, &mut symbols, |parameter, symbols| symbols.push(parameter.to_string()));
        symbols.push(ARROW.to_owned());
        symbols.extend(body.flatten().map(String::from));
        symbols.push(SEMICOLON.to_owned());
        symbols
    }

    /// The value of a call, or `None` if an argument is a call.
    fn value(&self, arguments: &[Expression<'_>]) -> Option<Vec<char>> {
        let arguments = arguments.iter().map(|argument| match argument {
            Expression::Symbols(symbols) => Some(symbols.as_slice()),
            Expression::Call(..) => None,
        });
        let arguments = arguments.collect::<Option<Vec<_>>>()?;
        let body = self.body.iter().map(|symbol| match symbol {
            BodySymbol::Literal(literal) => std::slice::from_ref(literal),
            BodySymbol::Parameter(index) => arguments.get(*index).copied().unwrap_or_default(),
        });
        Some(body.flatten().copied().collect())
    }
}

impl Expression<'_> {
    /// Appends the expression. With values, an arrow and the value follow each call whose arguments are symbols.
    fn copy(&self, with_values: bool, to: &mut Vec<String>) {
        match self {
            Self::Symbols(symbols) => to.extend(symbols.iter().map(char::to_string)),
            Self::Call(definition, arguments) => {
                to.push(definition.name.clone());
                list(arguments, to, |argument, to| argument.copy(with_values, to));
                if let Some(value) = definition.value(arguments).filter(|_| with_values) {
                    to.push(ARROW.to_owned());
                    to.extend(value.iter().map(char::to_string));
                }
            }
        }
    }

    /// The expression with the values of the calls whose arguments are symbols.
    fn reduced(self) -> Self {
        match self {
            Self::Call(definition, arguments) => match definition.value(&arguments) {
                Some(value) => Self::Symbols(value),
                None => Self::Call(definition, arguments.into_iter().map(Self::reduced).collect()),
            },
            Self::Symbols(_) => self,
        }
    }
}

/// Appends `( item , item )`.
fn list<T>(items: &[T], to: &mut Vec<String>, item: impl Fn(&T, &mut Vec<String>)) {
    for (index, one) in items.iter().enumerate() {
        to.push((if index == 0 { OPEN } else { COMMA }).to_owned());
        item(one, to);
    }
    to.push(CLOSE.to_owned());
}
