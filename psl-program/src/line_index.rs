//! The lines of a text. People and terminals count in lines; everything else counts in bytes.

use ropey::Rope;

/// The lines of a text; they end at `\n`, `\r\n` or a lone `\r`.
pub struct LineIndex(Rope);

/// A line and a column, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The line, 1-based.
    pub line: usize,
    /// The column in Unicode scalar values, 1-based.
    pub column: usize,
}

impl LineIndex {
    /// Finds the lines of a text, in linear time.
    pub fn new(text: &str) -> Self {
        Self(Rope::from_str(text))
    }

    /// Returns the 0-based line of a byte offset; an offset past the end counts as the end.
    pub fn line(&self, offset: u32) -> usize {
        self.0.byte_to_line(self.clamped(offset))
    }

    /// Returns the byte offset of the start of a 0-based line, or `None` if the text has fewer lines.
    pub fn start(&self, line: usize) -> Option<u32> {
        let start = self.0.try_line_to_byte(line).ok().filter(|_| line < self.0.len_lines())?;
        u32::try_from(start).ok()
    }

    /// Returns the line and column of a byte offset; an offset past the end counts as the end. Logarithmic in the
    /// text's length.
    pub fn point(&self, offset: u32) -> Point {
        let offset = self.clamped(offset);
        let line = self.0.byte_to_line(offset);
        let column = self.0.byte_to_char(offset) - self.0.line_to_char(line);
        Point { line: line + 1, column: column + 1 }
    }

    fn clamped(&self, offset: u32) -> usize {
        (offset as usize).min(self.0.len_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_three_ways_and_columns_count_characters() {
        let lines = LineIndex::new("aé😀b\r\nx\ry\u{2028}z");
        let check = |offset, line, column| {
            assert_eq!(lines.point(offset), Point { line, column }, "{offset}");
            assert_eq!(lines.line(offset), line - 1, "{offset}");
        };
        check(0, 1, 1);
        check(7, 1, 4);
        check(10, 2, 1);
        check(12, 3, 1);
        check(16, 3, 3);
        check(99, 3, 4);
    }
}
