//! Examples as `//@ test` lines.

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

use psl_program::File;
use psl_syntax::token::quote;

use super::examples::{Example, Examples};

/// The directives for examples, and notes about what differs from the examples.
#[derive(Debug, Default)]
pub struct TestLines {
    /// Lines without line ends.
    pub lines: Vec<String>,
    /// One note each, starting with the place in the examples.
    pub notes: Vec<String>,
}

/// A test with its symbols.
struct Test<'e> {
    example: &'e Example,
    prompt: Vec<&'e str>,
    gold: Vec<&'e str>,
}

impl TestLines {
    /// Turns examples into tests of a program.
    pub fn new(examples: &Examples, program: &File) -> Self {
        let mut notes = examples.notes.clone();
        let tests: Vec<Test<'_>> = examples.list.iter().filter_map(|example| Test::new(example, &mut notes)).collect();
        let facts = program.program();
        let stop = facts.stop.as_deref().or(program.config().stop.as_deref()).unwrap_or(".");
        let obstacles = |max_new| tests.iter().filter(|test| test.obstacle(stop, max_new).is_some()).count();
        let possible = tests.iter().filter(|test| test.obstacle(stop, Some(test.gold.len())).is_none());
        let longest = possible.map(|test| test.gold.len()).max();
        let max_new = longest.filter(|_| facts.max_new.is_none() && obstacles(longest) < obstacles(None));
        let mut lines: Vec<String> = max_new.iter().map(|count| format!("//@ max-new {count}")).collect();
        let mut names = Names::new(program, tests.iter().map(|test| test.example.name.as_str()));
        for test in &tests {
            let Example { place, name: given, .. } = test.example;
            let name = names.of(given);
            if name != *given {
                notes.push(format!("{place}: renamed the example `{given}` to `{name}`"));
            }
            if let Some(obstacle) = test.obstacle(stop, max_new.or(facts.max_new)) {
                notes.push(format!("{place}: the test `{name}` cannot pass: {obstacle}"));
            }
            lines.push(format!("//@ test {name} {} => {}", quoted(&test.prompt), quoted(&test.gold)));
        }
        Self { lines, notes }
    }
}

impl<'e> Test<'e> {
    /// Returns `None`, with a note, for an example that cannot be a test.
    fn new(example: &'e Example, notes: &mut Vec<String>) -> Option<Self> {
        let symbols = |text: &'e Option<Rc<str>>| text.iter().flat_map(|text| text.split_whitespace()).collect();
        let test = Self { example, prompt: symbols(&example.prompt), gold: symbols(&example.gold) };
        let missing = [("prompt", &test.prompt), ("gold", &test.gold)].into_iter().find(|(_, it)| it.is_empty());
        match missing {
            Some((field, _)) => {
                let Example { place, name, .. } = example;
                notes.push(format!("{place}: left out the example `{name}`: it has no {field}"));
                None
            }
            None => Some(test),
        }
    }

    /// The reason why no program can generate the gold, or `None` if one can.
    fn obstacle(&self, stop: &str, max_new: Option<usize>) -> Option<String> {
        let limit = max_new.unwrap_or(self.prompt.len().max(16));
        let length = self.gold.len();
        match self.gold.iter().position(|symbol| *symbol == stop) {
            Some(at) if at + 1 < length => Some(format!("its gold continues after the stop symbol `{stop}`")),
            Some(_) if length > limit => Some(format!("its gold has {length} symbols, and `max-new` is {limit}")),
            None if length != limit => Some(format!("its gold does not end with the stop symbol `{stop}`")),
            _ => None,
        }
    }
}

/// The names of tests.
struct Names<'e> {
    /// The names that stay as they are.
    kept: HashSet<&'e str>,
    /// All names in use, with the number of their last copy, so that the search for a number is short.
    taken: HashMap<String, usize>,
}

impl<'e> Names<'e> {
    /// `given` are the different names of the examples.
    fn new(program: &File, given: impl Iterator<Item = &'e str>) -> Self {
        let tests = &program.program().tests;
        let mut taken: HashMap<String, usize> = tests.iter().filter_map(|test| Some((test.name.clone()?, 1))).collect();
        let kept: HashSet<&str> = given.filter(|name| valid(name) == *name && !taken.contains_key(*name)).collect();
        taken.extend(kept.iter().map(|name| ((*name).to_owned(), 1)));
        Self { kept, taken }
    }

    /// The name of an example's test. A name that is taken gets a number.
    fn of(&mut self, given: &str) -> String {
        if self.kept.contains(given) {
            return given.to_owned();
        }
        let name = valid(given);
        let mut free = name.clone();
        while self.taken.contains_key(&free) {
            let copies = self.taken.entry(name.clone()).or_default();
            *copies += 1;
            free = format!("{name}_{copies}");
        }
        self.taken.insert(free.clone(), 1);
        free
    }
}

/// The nearest name that a test can have.
fn valid(name: &str) -> String {
    let allowed = |char: char| !char.is_whitespace() && !char.is_control() && !['"', '\''].contains(&char);
    let name: String = name.chars().map(|char| if allowed(char) { char } else { '_' }).collect();
    match name.as_str() {
        "" => "example".to_owned(),
        "json" => "json_".to_owned(),
        _ => name,
    }
}

fn quoted(symbols: &[&str]) -> String {
    quote(&symbols.join(" "))
}
