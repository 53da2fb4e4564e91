//! The lines that a client counts: those of the text that runs, or of the edited file.

use psl_debug::layer_at;
use psl_program::File;
use psl_syntax::{
    Span,
    program::{Production, ProductionId},
};

use crate::{numbering::Numbering, refusal::Refusal};

/// The text whose lines a request counts.
pub enum Lines {
    /// The file, which has the text that runs.
    Current,
    /// The file, which has another text.
    Edited(Box<File>),
    /// The text that runs, which the file no longer has.
    Old,
}

impl Lines {
    /// The layer of the running program on a line, or the next one. In an edited file, the production must be
    /// unchanged.
    ///
    /// # Errors
    ///
    /// Fails if there is none.
    pub fn layer(&self, running: &File, numbering: Numbering, line: usize) -> Result<ProductionId, Refusal> {
        let file = self.edited().unwrap_or(running);
        let start = numbering.start_of_line(file, line).ok_or(Refusal::UnknownLine)?;
        let layer = layer_at(file, start).ok_or(Refusal::LineAfterProductions)?;
        match self.edited() {
            Some(edited) => same_production(edited, layer, running).ok_or(Refusal::EditedProduction),
            None => Ok(layer),
        }
    }

    /// The head of a layer of the running program, with the file that has these lines. `None` if the file no longer has
    /// the production.
    pub fn head<'f>(&'f self, running: &'f File, layer: ProductionId) -> Option<(&'f File, Span)> {
        let (file, layer) = match self.edited() {
            Some(edited) => (edited, same_production(running, layer, edited)?),
            None => (running, layer),
        };
        Some((file, production(file, layer)?.head))
    }

    fn edited(&self) -> Option<&File> {
        match self {
            Self::Edited(file) => Some(file),
            Self::Current | Self::Old => None,
        }
    }
}

/// The layer whose production has the same text as that of a layer of another file.
fn same_production(from: &File, layer: ProductionId, to: &File) -> Option<ProductionId> {
    let text = production(from, layer)?.span.of(from.text());
    let productions = to.program().productions();
    productions.ids().find(|layer| productions[*layer].span.of(to.text()) == text)
}

fn production(file: &File, layer: ProductionId) -> Option<&Production> {
    file.program().productions().find(layer).copied()
}
