//! Positions in a text as JavaScript counts them, in UTF-16 code units.

use psl_program::LineIndex;
use psl_syntax::Span;
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

/// The code units and lines of a text.
pub struct Positions {
    /// The number of code units before each byte and before the end. Empty for ASCII, where it is the number of bytes.
    units: Vec<u32>,
    lines: LineIndex,
}

impl Positions {
    /// Counts the code units and lines of a text, in linear time.
    pub fn new(text: &str) -> Self {
        let mut units = Vec::new();
        if !text.is_ascii() {
            let mut before = 0;
            for character in text.chars() {
                units.extend(std::iter::repeat_n(before, character.len_utf8()));
                before += character.len_utf16() as u32;
            }
            units.push(before);
        }
        Self { units, lines: LineIndex::new(text) }
    }

    /// The number of code units before a byte.
    pub fn unit(&self, byte: u32) -> u32 {
        self.units.get(byte as usize).or(self.units.last()).copied().unwrap_or(byte)
    }

    /// The 1-based line of a byte.
    pub fn line(&self, byte: u32) -> usize {
        self.lines.line(byte) + 1
    }

    pub fn line_span(&self, span: Span) -> LineSpan {
        LineSpan { start: self.unit(span.start), end: self.unit(span.end), line: self.line(span.start) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_those_of_javascript() {
        let positions = Positions::new("aé😀\nb");
        let check = |start, end, expected: (u32, u32, usize)| {
            let LineSpan { start, end, line } = positions.line_span(Span::new(start, end));
            assert_eq!((start, end, line), expected);
        };
        check(0, 1, (0, 1, 1));
        check(1, 3, (1, 2, 1));
        check(3, 7, (2, 4, 1));
        check(8, 9, (5, 6, 2));
        check(9, 99, (6, 6, 2));
        assert_eq!(Positions::new("ab").unit(1), 1);
    }
}
