//! The error for weights that no production has.

use std::fmt;

use super::describe::Attribute;
use crate::vocabulary::{ValueId, Vocabulary};

/// Weights that no production has.
#[derive(Clone, Debug, PartialEq)]
pub struct RecognizeError {
    /// The layer's number, 1-based. For `until` conditions, the number of the last layer before them.
    pub layer: usize,
    /// Whether the error is in the `until` conditions after that layer.
    pub until: bool,
    /// The map with the error.
    pub attribute: Attribute,
    /// The short name of the register written.
    pub register: String,
    /// The property that no instruction has.
    pub cause: Cause,
}

/// The property that no instruction has.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// An entry of the block for that register belongs neither to an identity nor to a shift of the positions.
    Entry {
        /// The short name of the register read.
        source: String,
        /// The row: the value read.
        row: u32,
        /// The column: the value written.
        column: u32,
        /// The value of the entry.
        entry: f32,
    },
    /// A component of the bias belongs neither to a one-hot or many-hot vector nor to a complement, or does not match
    /// the block.
    Bias {
        /// The index of the component, 0-based.
        component: u32,
        /// The value of the component.
        entry: f32,
    },
    /// The blocks of two registers are added.
    TwoSources,
    /// A register without state is read or set.
    Stateless,
    /// A register is set to several values at once.
    SeveralValues,
    /// Query and key could match more than once in one register.
    BothSides,
    /// Query and key write different registers, or not as many as the layer has conditions.
    Count,
}

impl fmt::Display for RecognizeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(out, &|component| component.to_string())
    }
}

impl RecognizeError {
    /// The message, with the values that the components represent.
    pub fn message(&self, vocabulary: &Vocabulary) -> String {
        let mut words = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut words, &|component| format!("`{}`", vocabulary.show(Some(ValueId(component)))));
        words
    }

    fn write(&self, out: &mut dyn fmt::Write, value: &dyn Fn(u32) -> String) -> fmt::Result {
        let Self { layer, until, attribute, register, cause } = self;
        let (map, bias) = match attribute {
            Attribute::Query => ("W_q", "b_q"),
            Attribute::Key => ("W_k", "b_k"),
            Attribute::Value => ("W_v", "b_v"),
        };
        let place = if *until { "the `until` conditions after layer" } else { "layer" };
        write!(out, "{place} {layer}, register `{register}`: ")?;
        match cause {
            Cause::Entry { source, row, column, entry } => write!(
                out,
                "{map} has {entry} from value {} of `{source}` to value {}, which does not fit a copy, `pos_increment` or \
                 `pos_decrement`",
                value(*row),
                value(*column)
            ),
            Cause::Bias { component, entry } => write!(
                out,
                "{bias} has {entry} at value {}, which is not a constant, a list of constants or the complement of one",
                value(*component)
            ),
            Cause::TwoSources => write!(out, "{map} adds two registers, and an instruction reads only one"),
            Cause::Stateless => write!(out, "{map} uses a register without state"),
            Cause::SeveralValues => write!(out, "{map} and {bias} set it to several values at once"),
            Cause::BothSides => {
                out.write_str("query and key are both lists or complements, and one of them must be a single value")
            }
            Cause::Count => out.write_str("query and key do not write as many registers as the layer has conditions"),
        }
    }
}

impl std::error::Error for RecognizeError {}
