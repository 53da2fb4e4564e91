//! The groups that lines are counted in, by their info.

use std::{cmp::Ordering, str::FromStr};

use psl_tasks::Scored;
use serde_json::{Number, Value};

/// The value of `--by`: the whole info, or one of its fields.
#[derive(Clone, Debug)]
pub struct Grouping {
    /// `info` or `info.FIELD`.
    pub name: String,
    field: Option<String>,
}

impl FromStr for Grouping {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let field = match text.split_once('.') {
            None if text == "info" => None,
            Some(("info", field)) if !field.is_empty() => Some(field.to_owned()),
            _ => return Err("expected `info`, or a field of it such as `info.depth`".to_owned()),
        };
        Ok(Self { name: text.to_owned(), field })
    }
}

impl Grouping {
    /// The group of a line. Null if it lacks the field.
    pub fn group(&self, info: Option<&str>) -> Value {
        let info = info.map_or(Value::Null, value);
        match &self.field {
            None => info,
            Some(field) => info.get(field).cloned().unwrap_or(Value::Null),
        }
    }
}

/// Counts of lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub total: usize,
    pub correct: usize,
    pub malformed: usize,
    /// Symbols of golds, and those that the continuation has in the same place.
    pub tokens: usize,
    pub right_tokens: usize,
}

impl Counts {
    pub fn add(&mut self, line: &Scored) {
        self.total += 1;
        self.correct += usize::from(line.correct);
        self.malformed += usize::from(line.gold.is_none());
        self.right_tokens += line.tokens.0;
        self.tokens += line.tokens.1;
    }

    /// The share of correct lines, 0 to 1.
    pub fn accuracy(self) -> f64 {
        share(self.correct, self.total)
    }

    /// The share of the golds' symbols that the continuations have in the same place, 0 to 1.
    pub fn token_accuracy(self) -> f64 {
        share(self.right_tokens, self.tokens)
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn share(part: usize, all: usize) -> f64 {
    part as f64 / all.max(1) as f64
}

/// The value of an info: a string if its text is not JSON.
pub fn value(info: &str) -> Value {
    serde_json::from_str(info).unwrap_or_else(|_| Value::from(info))
}

/// The order of groups: numbers by their size, then other values by their text.
pub fn in_order(left: &Value, right: &Value) -> Ordering {
    let number = |value: &Value| value.as_number().and_then(Number::as_f64);
    match (number(left), number(right)) {
        (Some(left), Some(right)) => left.total_cmp(&right),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => name(left).cmp(&name(right)),
    }
}

/// A group's name in a table: a string without its quotes, or the empty string for lines without info.
pub fn name(group: &Value) -> String {
    match group {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
