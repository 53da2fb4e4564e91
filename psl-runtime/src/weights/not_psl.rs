//! Why weights are none of a production, in words too.

use std::fmt;

use super::describe::Attribute;
use crate::vocabulary::{ValueId, Vocabulary};

/// Weights that no production has.
#[derive(Clone, Debug, PartialEq)]
pub struct NotPsl {
    /// The layer's number, from 1; for conditions that end a repeat block, that of the last layer before it.
    pub layer: usize,
    /// Whether it is about the conditions that end the block after that layer.
    pub until: bool,
    /// Which of the maps.
    pub attribute: Attribute,
    /// The short name of the register written.
    pub register: String,
    /// What no instruction does.
    pub cause: Cause,
}

/// What no instruction does.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// An entry of the block from that register is neither of an identity nor of a shift of the positions.
    Entry {
        /// The short name of the register read.
        source: String,
        /// The row: the value read.
        row: u32,
        /// The column: the value written.
        column: u32,
        /// What stands there.
        entry: f32,
    },
    /// A component of the bias is none of a one-hot or many-hot vector or its complement, or does not go with the block.
    Bias {
        /// The component.
        component: u32,
        /// What stands there.
        entry: f32,
    },
    /// Blocks from two registers add up.
    TwoSources,
    /// A register that holds no state is read or set.
    Stateless,
    /// A value sets a register to several values at once.
    SeveralValues,
    /// Query and key could match more than once.
    BothSides,
    /// Query and key write different registers, or not as many as the layer counts.
    Count,
}

impl fmt::Display for NotPsl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(out, &|component| component.to_string())
    }
}

impl NotPsl {
    /// The error in words, with the values that the components stand for.
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
        let place = if *until { "the conditions that end the repeat block after layer" } else { "layer" };
        write!(out, "{place} {layer}, register `{register}`: ")?;
        match cause {
            Cause::Entry { source, row, column, entry } => write!(
                out,
                "{map} has {entry} from value {} of `{source}` to value {}, which neither copies a register nor counts a \
                 position up or down",
                value(*row),
                value(*column)
            ),
            Cause::Bias { component, entry } => write!(
                out,
                "{bias} has {entry} at value {}, which is no constant, no list of constants and no complement of one",
                value(*component)
            ),
            Cause::TwoSources => write!(out, "{map} adds up two registers; an instruction reads one"),
            Cause::Stateless => write!(out, "{map} uses a register that no cell holds"),
            Cause::SeveralValues => write!(out, "{map} and {bias} set it to several values at once"),
            Cause::BothSides => {
                out.write_str("query and key both are lists or complements; one of them must be one value")
            }
            Cause::Count => out.write_str("query and key do not have the registers that the layer counts"),
        }
    }
}

impl std::error::Error for NotPsl {}
