//! Short descriptions of a layer's weights, for editors.

use super::table::{Kind, Table};
use crate::{
    qkvl::{self, Source, Term},
    vocabulary::Vocabulary,
};

/// The attributes of attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attribute {
    /// q.
    Query,
    /// k.
    Key,
    /// v.
    Value,
}

/// The contribution of one instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockInfo {
    /// The attribute that it contributes to.
    pub attribute: Attribute,
    /// The short name of the register written.
    pub target: String,
    /// The form.
    pub kind: Kind,
    /// The short name of the register read, or `None` for a bias alone.
    pub source: Option<String>,
    /// The constants in the bias, by value.
    pub constants: Vec<String>,
    /// d: the block is d x d, and the bias has d components.
    pub dimension: usize,
    /// The number of nonzero entries of the block.
    pub block_nonzero: usize,
    /// The number of nonzero components of the bias.
    pub bias_nonzero: usize,
}

/// Describes the contributions of a layer's instructions: query, then key, then value.
pub fn describe(layer: &qkvl::Layer, vocabulary: &Vocabulary) -> Vec<BlockInfo> {
    let table = Table::new(vocabulary);
    let queries = layer.weights.q.iter().map(|(target, source)| (Attribute::Query, target, source.clone()));
    let keys = layer.weights.k.iter().map(|(target, source)| (Attribute::Key, target, source.clone()));
    let values = layer.weights.v.iter().map(|(target, term)| (Attribute::Value, target, Source::Is(term.clone())));
    let info = |(attribute, target, source): (_, &String, Source)| {
        let (bias, read) = table.contribution(&source);
        let (source_register, block_nonzero) =
            read.map_or((None, 0), |(name, matrix)| (Some(name.to_owned()), matrix.nonzero()));
        BlockInfo {
            attribute,
            target: target.clone(),
            kind: Kind::of(&source),
            source: source_register,
            constants: match source {
                Source::Is(Term::Constant(value)) | Source::Not(Term::Constant(value)) => vec![value],
                Source::In(list) | Source::NotIn(list) => list,
                Source::Is(_) | Source::Not(_) => Vec::new(),
            },
            dimension: vocabulary.len(),
            block_nonzero,
            bias_nonzero: bias.other_than(0.0).count(),
        }
    };
    queries.chain(keys).chain(values).map(info).collect()
}
