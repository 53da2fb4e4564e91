//! Examples as `//@ test` lines.

use std::{collections::HashMap, rc::Rc};

use psl_ide::File;
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
        let facts = &program.checked().analysis.program;
        let stop = facts.stop.as_deref().or(program.config().stop.as_deref()).unwrap_or(".");
        let longest = tests.iter().map(|test| test.gold.len()).max();
        let needed = facts.max_new.is_none() && tests.iter().any(|test| test.obstacle(stop, None).is_some());
        let max_new = if needed { longest } else { None };
        let mut lines: Vec<String> = max_new.iter().map(|count| format!("//@ max-new {count}")).collect();
        let mut taken: HashMap<String, usize> =
            facts.tests.iter().filter_map(|test| Some((test.name.clone()?, 1))).collect();
        for test in &tests {
            let Example { place, name, .. } = test.example;
            let unique = unique(&test_name(name), &mut taken);
            if unique != *name {
                notes.push(format!("{place}: renamed the example `{name}` to `{unique}`"));
            }
            if let Some(obstacle) = test.obstacle(stop, max_new.or(facts.max_new)) {
                notes.push(format!("{place}: the test `{unique}` cannot pass: {obstacle}"));
            }
            lines.push(format!("//@ test {unique} {} => {}", quoted(&test.prompt), quoted(&test.gold)));
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

/// A name that a test can have.
fn test_name(name: &str) -> String {
    let allowed = |char: char| !char.is_whitespace() && !char.is_control() && !['"', '\''].contains(&char);
    let name: String = name.chars().map(|char| if allowed(char) { char } else { '_' }).collect();
    match name.as_str() {
        "" => "example".to_owned(),
        "json" => "json_".to_owned(),
        _ => name,
    }
}

/// Adds a number to a name that is taken. `taken` counts the uses of each name, so that the search for a number is short.
fn unique(name: &str, taken: &mut HashMap<String, usize>) -> String {
    let mut free = name.to_owned();
    while taken.contains_key(&free) {
        let uses = taken.entry(name.to_owned()).or_default();
        *uses += 1;
        free = format!("{name}_{uses}");
    }
    taken.insert(free.clone(), 1);
    free
}

fn quoted(symbols: &[&str]) -> String {
    quote(&symbols.join(" "))
}
