//! Lines and columns as the client counts them.

use psl_program::File;
use psl_syntax::line_index::Point;
use serde::Deserialize;

/// The first numbers of lines and columns.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Numbering {
    lines_start_at1: bool,
    columns_start_at1: bool,
}

impl Default for Numbering {
    fn default() -> Self {
        Self { lines_start_at1: true, columns_start_at1: true }
    }
}

impl Numbering {
    /// The line and the column of an offset. Columns count Unicode characters.
    pub fn line_and_column(self, file: &File, offset: u32) -> (usize, usize) {
        let Point { line, column } = file.line_index().point(offset);
        (line - usize::from(!self.lines_start_at1), column - usize::from(!self.columns_start_at1))
    }

    /// The offset of the start of a line, or `None` if the text has fewer lines.
    pub fn start_of_line(self, file: &File, line: usize) -> Option<u32> {
        let line = line.checked_sub(usize::from(self.lines_start_at1))?;
        file.line_index().start(line)
    }

    /// The 0-based index of a line.
    pub fn index_of_line(self, line: usize) -> usize {
        line.saturating_sub(usize::from(self.lines_start_at1))
    }

    /// The 0-based index of a column.
    pub fn index_of_column(self, column: usize) -> usize {
        column.saturating_sub(usize::from(self.columns_start_at1))
    }

    /// The column with a 0-based index.
    pub fn column(self, index: usize) -> usize {
        index + usize::from(self.columns_start_at1)
    }
}
