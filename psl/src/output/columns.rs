//! Columns of texts, each as wide as its widest text.

use psl_render::{grid::fitting, shown_line};
use unicode_width::UnicodeWidthStr;

/// A column with its heading.
pub struct Column {
    texts: Vec<String>,
    width: usize,
    to_the_right: bool,
}

impl Column {
    /// A column of words.
    pub fn left(heading: &str, texts: impl Iterator<Item = String>) -> Self {
        let texts: Vec<String> = [heading.to_owned()].into_iter().chain(texts).map(|text| shown_line(&text)).collect();
        let width = texts.iter().map(|text| text.width()).max().unwrap_or_default();
        Self { texts, width, to_the_right: false }
    }

    /// A column of numbers.
    pub fn right(heading: &str, texts: impl Iterator<Item = String>) -> Self {
        Self { to_the_right: true, ..Self::left(heading, texts) }
    }

    fn cell(&self, index: usize) -> String {
        let text = self.texts.get(index).map_or("", String::as_str);
        let blanks = " ".repeat(self.width - text.width());
        if self.to_the_right { format!("{blanks}{text}") } else { format!("{text}{blanks}") }
    }
}

/// Columns side by side, as lines that are cut off at a width.
pub fn beside(columns: &[Column], width: usize) -> String {
    let height = columns.iter().map(|column| column.texts.len()).max().unwrap_or_default();
    let line = |index: usize| {
        let cells: Vec<String> = columns.iter().map(|column| column.cell(index)).collect();
        format!("{}\n", fitting(cells.join("  ").trim_end(), width))
    };
    (0..height).map(line).collect()
}
