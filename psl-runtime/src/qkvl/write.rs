//! The writer of QKVL, as JSON in the reference's spelling.

use serde::{Serialize, Serializer, ser::SerializeSeq};

use super::program::{Program, Source, Term};

impl Program {
    /// The program as indented JSON, without a line break at the end.
    pub fn to_json(&self) -> String {
        // Only maps whose keys are not strings could fail.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// The text of a QKVL file: indented JSON with a line break at the end.
    pub fn to_text(&self) -> String {
        self.to_json() + "\n"
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
