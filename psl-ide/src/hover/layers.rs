//! The productions of a program, by position in the text.

use psl_program::{File, LineIndex};
use psl_syntax::{plain_label, program::Production};

use crate::markdown::plain;

/// The productions, in the order of the text.
pub struct Layers<'p> {
    /// Entry i is layer i + 1.
    pub productions: Vec<&'p Production>,
    lines: &'p LineIndex,
}

impl<'p> Layers<'p> {
    pub fn new(file: &'p File) -> Self {
        Self { productions: file.checked().analysis.program.productions(), lines: file.line_index() }
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

    /// The number of a layer and its name, as Markdown.
    pub fn title(&self, index: usize) -> String {
        format!("layer {}{}", index + 1, self.name(index))
    }

    /// The number of a layer among all, and its name, as Markdown.
    pub fn heading(&self, index: usize) -> String {
        format!("layer {} of {}{}", index + 1, self.productions.len(), self.name(index))
    }

    /// The label of a layer, or its line.
    fn name(&self, index: usize) -> String {
        let Some(production) = self.productions.get(index) else { return String::new() };
        let label = production.label.as_deref().map(plain_label).filter(|label| !label.is_empty());
        let line = || format!("line {}", self.lines.line(production.span.start) + 1);
        format!(" · {}", label.map_or_else(line, plain))
    }
}
