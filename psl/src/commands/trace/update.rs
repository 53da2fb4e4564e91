//! A line of a trace.

use std::{collections::BTreeMap, fmt};

use psl_runtime::trace::place_in_words;
use serde::Deserialize;

use crate::{failure::Failure, input::data_lines::DataLines};

/// A line of a trace.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Update {
    pub step: usize,
    pub layer: usize,
    pub pass: Vec<usize>,
    pub cell: usize,
    pub attends: Option<usize>,
    pub production: Option<String>,
    pub set: BTreeMap<String, String>,
    pub state: BTreeMap<String, String>,
}

impl Update {
    /// Reads the next line of a trace, or `None` after the last one.
    pub fn read(lines: &mut DataLines) -> Result<Option<Self>, Failure> {
        let Some(line) = lines.next()? else { return Ok(None) };
        let update = serde_json::from_slice(line).map(Some);
        update.map_err(|error| {
            Failure::Message(format!("{}:{}: invalid line of a trace: {error}", lines.name, lines.number))
        })
    }

    /// Describes the differences to a line at the same place.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let mut words = Vec::new();
        if self.attends != other.attends {
            let cell = |attends: Option<usize>| attends.map_or("no cell".to_owned(), |cell| format!("cell {cell}"));
            let (left, right) = (cell(self.attends), cell(other.attends));
            words.push(format!("the cell attends to {left} in A, to {right} in B"));
        }
        for (name, left, right) in unequal(&self.set, &other.set) {
            words.push(format!("{name} is set to {left} in A, to {right} in B"));
        }
        for (name, left, right) in unequal(&self.state, &other.state) {
            words.push(format!("{name} is {left} in A, {right} in B"));
        }
        words
    }
}

/// `step 0, layer 3, pass [1], cell 5 (# P1a: …)`.
impl fmt::Display for Update {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, layer, pass, cell, production, .. } = self;
        out.write_str(&place_in_words(*step, *layer, pass, *cell))?;
        production.as_ref().map_or(Ok(()), |label| write!(out, " ({label})"))
    }
}

/// The registers whose values differ, with both values. A missing entry means null.
fn unequal<'u>(
    left: &'u BTreeMap<String, String>,
    right: &'u BTreeMap<String, String>,
) -> impl Iterator<Item = (&'u str, &'u str, &'u str)> {
    let only_right = right.keys().filter(|name| !left.contains_key(*name));
    left.keys().chain(only_right).filter_map(move |name| {
        let value = |side: &'u BTreeMap<String, String>| side.get(name).map_or("∅", String::as_str);
        (value(left) != value(right)).then(|| (name.as_str(), value(left), value(right)))
    })
}
