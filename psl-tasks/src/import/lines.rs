//! The lines of a program.

use std::{iter, ops::Range};

const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// The lines of a text, which end at `\n`, `\r\n` or a lone `\r`, by 0-based number.
pub struct DataLines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> DataLines<'t> {
    /// Finds the lines of a text.
    pub fn new(text: &'t str) -> Self {
        let ends = text
            .match_indices(LINE_ENDS)
            .filter(|(at, end)| *end == "\n" || !text.get(*at..).is_some_and(|rest| rest.starts_with("\r\n")));
        Self { text, starts: iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect() }
    }

    /// The number of lines. The last one can be empty.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The number of the line of an offset.
    pub fn at(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The offsets of a line, without its end. Empty at the end of the text if there is no such line.
    pub fn range(&self, line: usize) -> Range<usize> {
        let start = self.starts.get(line).copied().unwrap_or(self.text.len());
        let next = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        let text = self.text.get(start..next).unwrap_or_default();
        start..start + text.trim_end_matches(LINE_ENDS).len()
    }

    /// A line without its end.
    pub fn text(&self, line: usize) -> &'t str {
        self.text.get(self.range(line)).unwrap_or_default()
    }

    /// Whether a line has a comment and nothing else.
    pub fn is_comment(&self, line: usize) -> bool {
        self.starts_with(line, ["#", "//"])
    }

    /// Whether a line has a directive and nothing else.
    pub fn is_directive(&self, line: usize) -> bool {
        self.starts_with(line, ["#@", "//@"])
    }

    fn starts_with(&self, line: usize, starts: [&str; 2]) -> bool {
        let text = self.text(line).trim_start();
        starts.iter().any(|start| text.starts_with(start))
    }
}
