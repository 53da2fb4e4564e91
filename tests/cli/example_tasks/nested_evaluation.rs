//! Nested function evaluation: random definitions and calls, and the rounds of their evaluation.

use std::ops::RangeInclusive;

use rand::{
    RngExt, SeedableRng,
    rngs::ChaCha8Rng,
    seq::{IndexedRandom, SliceRandom},
};

/// The numbers of symbols in a prompt: more than the 130 of the longest one in `tests/tasks/nested_evaluation.tsv`.
const PROMPT: RangeInclusive<usize> = 131..=400;

/// The limit on the symbols of a continuation. Values can grow exponentially with the depth of the calls.
const CONTINUATION: usize = 1_000;

const FUNCTIONS: [&str; 6] = ["swap", "twice", "first", "wrap", "rot", "same"];
const PARAMETERS: [&str; 5] = ["x", "y", "z", "v", "w"];

/// Symbols of arguments and literals of definitions. Some are also names of parameters and functions.
const SYMBOLS: [&str; 12] = ["a", "b", "c", "d", "e", "f", "+", "*", "x", "z", "swap", "rot"];

struct Definition {
    name: &'static str,
    parameters: Vec<&'static str>,
    body: Vec<&'static str>,
}

enum Item<'d> {
    Symbol(&'static str),
    Call(&'d Definition, Vec<Vec<Item<'d>>>),
}

/// 2,000 prompts with their continuations.
pub fn lines() -> impl Iterator<Item = (String, String)> {
    let mut random = ChaCha8Rng::seed_from_u64(0);
    std::iter::repeat_with(move || line(&mut random)).flatten().take(2_000)
}

/// A prompt with its continuation, or `None` if one of them is too long or too short.
fn line(random: &mut ChaCha8Rng) -> Option<(String, String)> {
    let definitions = definitions(random);
    let depth = random.random_range(3..=6);
    let expression = vec![call(&definitions, depth, random)];
    let mut prompt = Vec::new();
    for Definition { name, parameters, body } in &definitions {
        prompt.extend(brackets(name, parameters.iter().map(|&parameter| vec![parameter])));
        prompt.push("->");
        prompt.extend(body);
        prompt.push(";");
    }
    prompt.extend(expression.iter().flat_map(symbols));
    prompt.push("->");
    if !PROMPT.contains(&prompt.len()) {
        return None;
    }
    let continuation = continuation(expression);
    (continuation.len() <= CONTINUATION).then(|| (prompt.join(" "), continuation.join(" ")))
}

fn definitions(random: &mut ChaCha8Rng) -> Vec<Definition> {
    let mut names = FUNCTIONS;
    names.shuffle(random);
    let count = random.random_range(1..=names.len());
    let define = |name| {
        let mut parameters = PARAMETERS.to_vec();
        parameters.shuffle(random);
        parameters.truncate(random.random_range(1..=PARAMETERS.len()));
        let symbols = if random.random() { &parameters[..] } else { &[&parameters[..], &SYMBOLS].concat() };
        let length = random.random_range(1..=4);
        let body = (0..length).map(|_| *symbols.choose(random).expect("a symbol")).collect();
        Definition { name, parameters, body }
    };
    names.into_iter().take(count).map(define).collect()
}

/// A call whose arguments contain calls down to this depth.
fn call<'d>(definitions: &'d [Definition], depth: u32, random: &mut ChaCha8Rng) -> Item<'d> {
    let definition = definitions.choose(random).expect("a definition");
    let item = |random: &mut ChaCha8Rng| {
        if depth > 0 && random.random_ratio(2, 5) {
            call(definitions, depth - 1, random)
        } else {
            Item::Symbol(SYMBOLS.choose(random).expect("a symbol"))
        }
    };
    let argument = |_| (0..random.random_range(1..=2)).map(|_| item(random)).collect();
    Item::Call(definition, definition.parameters.iter().map(argument).collect())
}

/// The symbols of an item without values.
fn symbols(item: &Item) -> Vec<&'static str> {
    match item {
        Item::Symbol(symbol) => vec![symbol],
        Item::Call(definition, arguments) => {
            brackets(definition.name, arguments.iter().map(|argument| argument.iter().flat_map(symbols).collect()))
        }
    }
}

/// `name ( argument , argument )`.
fn brackets(name: &'static str, arguments: impl Iterator<Item = Vec<&'static str>>) -> Vec<&'static str> {
    let arguments: Vec<_> = arguments.collect();
    [&[name, "("], &arguments.join(&",")[..], &[")"]].concat()
}

/// The rounds with arrows between them, and the full stop.
fn continuation(mut expression: Vec<Item>) -> Vec<&'static str> {
    let mut continuation = Vec::new();
    loop {
        let (symbols, next) = round(&expression);
        continuation.extend(symbols);
        if !next.iter().any(is_call) {
            continuation.push(".");
            return continuation;
        }
        continuation.push("->");
        expression = next;
    }
}

fn is_call(item: &Item) -> bool {
    matches!(item, Item::Call(..))
}

/// The symbols of a round, and the items with the calls that it evaluates replaced by their values.
fn round<'d>(items: &[Item<'d>]) -> (Vec<&'static str>, Vec<Item<'d>>) {
    let (mut symbols, mut next) = (Vec::new(), Vec::new());
    for item in items {
        match item {
            Item::Symbol(symbol) => {
                symbols.push(*symbol);
                next.push(Item::Symbol(symbol));
            }
            Item::Call(definition, arguments) => {
                let nested = arguments.iter().flatten().any(is_call);
                let (written, arguments): (Vec<_>, Vec<_>) = arguments.iter().map(|items| round(items)).unzip();
                symbols.extend(brackets(definition.name, written.iter().cloned()));
                if nested {
                    next.push(Item::Call(definition, arguments));
                } else {
                    let value = value(definition, &written);
                    next.extend(value.iter().map(|symbol| Item::Symbol(symbol)));
                    symbols.push("->");
                    symbols.extend(value);
                }
            }
        }
    }
    (symbols, next)
}

/// The body of a definition with its parameters replaced by the arguments.
fn value(definition: &Definition, arguments: &[Vec<&'static str>]) -> Vec<&'static str> {
    let argument = |symbol: &&'static str| {
        let parameter = definition.parameters.iter().position(|parameter| parameter == symbol);
        parameter.map_or_else(|| vec![*symbol], |index| arguments[index].clone())
    };
    definition.body.iter().flat_map(argument).collect()
}
