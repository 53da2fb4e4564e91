//! QKVL as JSON, in the reference's spelling.

use std::fmt;

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use super::program::{Program, Source, Term};

impl Program {
    /// The file's text, indented.
    pub fn to_json(&self) -> String {
        // Only maps with other keys than strings could fail.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

impl fmt::Display for Term {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Register(name, None) => out.write_str(name),
            Self::Register(name, Some(function)) => write!(out, "{name}@{}", function.as_str()),
            Self::Constant(value) => out.write_str(value),
        }
    }
}

impl Serialize for Term {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl Serialize for Source {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Is(term) => term.serialize(to),
            Self::Not(term) => ("!=", term).serialize(to),
            Self::In(list) => operation("in", list, to),
            Self::NotIn(list) => operation("not_in", list, to),
        }
    }
}

fn operation<S: Serializer>(operator: &str, list: &[String], to: S) -> Result<S::Ok, S::Error> {
    let mut sequence = to.serialize_seq(Some(list.len() + 1))?;
    sequence.serialize_element(operator)?;
    for constant in list {
        sequence.serialize_element(constant)?;
    }
    sequence.end()
}
