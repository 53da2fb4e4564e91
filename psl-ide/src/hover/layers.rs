//! The productions of a program, by position in the text.

use psl_program::File;
use psl_syntax::{
    LineIndex,
    index::IndexVec,
    plain_label,
    program::{Production, ProductionId},
};

use crate::markdown::plain;

/// The productions, in the order of the text.
pub struct Layers<'p> {
    pub productions: IndexVec<ProductionId, &'p Production>,
    lines: &'p LineIndex,
    /// The address of the program, if titles are links to lines.
    address: Option<&'p str>,
}

impl<'p> Layers<'p> {
    pub fn new(file: &'p File, address: Option<&'p str>) -> Self {
        Self { productions: file.program().productions(), lines: file.line_index(), address }
    }

    /// The number of productions that start at or before an offset.
    pub fn before(&self, offset: u32) -> usize {
        self.productions.as_slice().partition_point(|production| production.span.start <= offset)
    }

    /// The production around an offset, and its layer.
    pub fn at(&self, offset: u32) -> Option<(ProductionId, &'p Production)> {
        let layer = ProductionId::of_number(self.before(offset))?;
        let production = self.productions[layer];
        production.span.touches(offset).then_some((layer, production))
    }

    /// The number of a layer and its name, as Markdown.
    pub fn title(&self, layer: ProductionId) -> String {
        let name = self.name(layer);
        match self.address {
            Some(address) => format!("[layer {layer}]({address}#L{}){name}", self.line(layer)),
            None => format!("layer {layer}{name}"),
        }
    }

    /// The 1-based line on which a layer starts.
    fn line(&self, layer: ProductionId) -> usize {
        self.lines.line(self.productions[layer].span.start) + 1
    }

    /// The number of a layer among all, and its name, as Markdown.
    pub fn heading(&self, layer: ProductionId) -> String {
        format!("layer {layer} of {}{}", self.productions.len(), self.name(layer))
    }

    /// The label of a layer, or its line.
    fn name(&self, layer: ProductionId) -> String {
        let production = self.productions[layer];
        let label = production.label.as_deref().map(plain_label).filter(|label| !label.is_empty());
        let line = || format!("line {}", self.line(layer));
        format!(" · {}", label.map_or_else(line, plain))
    }
}
