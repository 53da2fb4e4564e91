//! Positions in a text as JavaScript counts them, in UTF-16 code units.

use psl_syntax::{LineIndex, Span, line_index::Encoding};
use serde::Serialize;

/// A span in a program.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LineSpan {
    /// In UTF-16 code units.
    pub start: u32,
    /// Exclusive.
    pub end: u32,
    /// The 1-based line of `start`.
    pub line: usize,
}

impl LineSpan {
    pub fn new(lines: &LineIndex, span: Span) -> Self {
        Self { start: unit(lines, span.start), end: unit(lines, span.end), line: lines.line(span.start) + 1 }
    }
}

/// The number of code units before a byte.
pub fn unit(lines: &LineIndex, byte: u32) -> u32 {
    lines.units(byte, Encoding::Utf16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_those_of_javascript() {
        let lines = LineIndex::new("aé😀\nb");
        let check = |start, end, expected: (u32, u32, usize)| {
            let LineSpan { start, end, line } = LineSpan::new(&lines, Span::new(start, end));
            assert_eq!((start, end, line), expected);
        };
        check(0, 1, (0, 1, 1));
        check(1, 3, (1, 2, 1));
        check(3, 7, (2, 4, 1));
        check(8, 9, (5, 6, 2));
        check(9, 99, (6, 6, 2));
    }
}
