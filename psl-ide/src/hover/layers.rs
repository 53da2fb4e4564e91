//! The productions of a program, by position in the text.

use psl_syntax::program::Production;

use crate::{document_symbols::plain_label, markdown::plain};

/// The productions, in the order of the text.
pub struct Layers<'p> {
    /// Entry i is layer i + 1.
    pub productions: Vec<&'p Production>,
}

impl<'p> Layers<'p> {
    pub const fn new(productions: Vec<&'p Production>) -> Self {
        Self { productions }
    }

    /// The number of productions that start at or before an offset.
    pub fn before(&self, offset: u32) -> usize {
        self.productions.partition_point(|production| production.span.start <= offset)
    }

    /// The production around an offset, and its index.
    pub fn at(&self, offset: u32) -> Option<(usize, &'p Production)> {
        let index = self.before(offset).checked_sub(1)?;
        let production = self.productions.get(index)?;
        production.span.touches(offset).then_some((index, production))
    }
}

/// Returns the number of a layer, and its label if it has one, as Markdown.
pub fn title(index: usize, production: &Production) -> String {
    let label = production.label.as_deref().map(plain_label).filter(|label| !label.is_empty());
    label.map_or_else(|| format!("layer {}", index + 1), |label| format!("layer {} · {}", index + 1, plain(label)))
}
