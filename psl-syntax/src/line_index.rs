//! The lines of a text, and places in it as people, editors and JavaScript count them. Everything else counts in bytes.

use memchr::memchr2_iter;

use crate::span::Span;

/// The lines of a text; they end at `\n`, `\r\n` or a lone `\r`.
#[derive(Clone, Debug)]
pub struct LineIndex {
    /// The lines, without their ends. There is at least one.
    lines: Vec<Span>,
    /// The characters that are not ASCII, which need more bytes than other units.
    wide: Vec<Wide>,
    length: u32,
}

/// A character that is not ASCII.
#[derive(Clone, Copy, Debug)]
struct Wide {
    span: Span,
    /// The number of bytes, minus the number of UTF-16 code units, of the text up to its end.
    above_utf16: u32,
    /// The number of bytes, minus the number of characters, of the text up to its end.
    above_utf32: u32,
}

/// The unit of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units.
    Utf16,
    /// Unicode scalar values.
    Utf32,
}

/// A 0-based line and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column, in units of an [`Encoding`].
    pub column: usize,
}

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
        let (bytes, mut lines, mut start) = (text.as_bytes(), Vec::new(), 0);
        for at in memchr2_iter(b'\n', b'\r', bytes) {
            let is_second_half = at > 0 && bytes.get(at - 1..=at) == Some(b"\r\n");
            if !is_second_half {
                lines.push(Span::from(start..at));
            }
            start = at + 1;
        }
        lines.push(Span::from(start..text.len()));
        Self { wide: wide(text, &lines), lines, length: text.len() as u32 }
    }

    /// Returns the 0-based line of a byte offset; an offset past the end counts as the end.
    pub fn line(&self, offset: u32) -> usize {
        self.lines.partition_point(|line| line.start <= offset).saturating_sub(1)
    }

    /// Returns the byte offset of the start of a 0-based line, or `None` if the text has fewer lines.
    pub fn start(&self, line: usize) -> Option<u32> {
        self.lines.get(line).map(|line| line.start)
    }

    /// Returns the line and column of a byte offset; an offset past the end counts as the end.
    pub fn point(&self, offset: u32) -> Point {
        let Position { line, column } = self.position(offset, Encoding::Utf32);
        Point { line: line + 1, column: column + 1 }
    }

    /// Returns the position of a byte offset; an offset past the end counts as the end. Logarithmic in the text's
    /// length.
    pub fn position(&self, offset: u32, encoding: Encoding) -> Position {
        let line = self.line(offset);
        let start = self.start(line).unwrap_or(self.length);
        let column = self.units(offset, encoding) - self.units(start, encoding);
        Position { line, column: column as usize }
    }

    /// Returns the byte offset of a position. A column past the line's end means the line's end, a line past the last
    /// one means the text's end, and a column inside a character means the character's start.
    pub fn offset(&self, position: Position, encoding: Encoding) -> u32 {
        let Some(line) = self.lines.get(position.line) else { return self.length };
        let column = u32::try_from(position.column).unwrap_or(u32::MAX);
        let units = self.units(line.start, encoding).saturating_add(column);
        let done = self.wide.partition_point(|wide| wide.span.end - wide.above(encoding) <= units);
        self.before_wide(done, units.saturating_add(self.above(done, encoding))).min(line.end)
    }

    /// The number of units before a byte offset in the whole text; an offset past the end counts as the end.
    pub fn units(&self, offset: u32, encoding: Encoding) -> u32 {
        let offset = offset.min(self.length);
        let done = self.wide.partition_point(|wide| wide.span.end <= offset);
        self.before_wide(done, offset) - self.above(done, encoding)
    }

    /// The number of bytes above that of units, after this many wide characters.
    fn above(&self, done: usize, encoding: Encoding) -> u32 {
        done.checked_sub(1).and_then(|last| self.wide.get(last)).map_or(0, |wide| wide.above(encoding))
    }

    /// The offset, or the start of the wide character that it is in, after this many wide characters.
    fn before_wide(&self, done: usize, offset: u32) -> u32 {
        self.wide.get(done).map_or(offset, |wide| offset.min(wide.span.start))
    }
}

impl Wide {
    fn above(&self, encoding: Encoding) -> u32 {
        match encoding {
            Encoding::Utf8 => 0,
            Encoding::Utf16 => self.above_utf16,
            Encoding::Utf32 => self.above_utf32,
        }
    }
}

fn wide(text: &str, lines: &[Span]) -> Vec<Wide> {
    let (mut above_utf16, mut above_utf32) = (0, 0);
    let chars = lines.iter().filter(|line| !line.of(text).is_ascii()).flat_map(|line| {
        line.of(text)
            .char_indices()
            .map(|(at, char)| (line.start + at as u32, char))
            .filter(|(_, char)| !char.is_ascii())
    });
    let wide = chars.map(|(at, char)| {
        let bytes = char.len_utf8() as u32;
        above_utf16 += bytes - char.len_utf16() as u32;
        above_utf32 += bytes - 1;
        Wide { span: Span::new(at, at + bytes), above_utf16, above_utf32 }
    });
    wide.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];
    const MIXED: &str = "aé😀b\r\nx\ry\u{2028}z";

    #[test]
    fn lines_end_three_ways_and_columns_count_characters() {
        let lines = LineIndex::new(MIXED);
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

    #[test]
    fn columns_have_the_unit_of_the_encoding() {
        let lines = LineIndex::new(MIXED);
        let check = |offset, positions: [(usize, usize); 3]| {
            let found = ENCODINGS.map(|encoding| lines.position(offset, encoding));
            assert_eq!(found.map(|Position { line, column }| (line, column)), positions);
        };
        check(7, [(0, 7), (0, 4), (0, 3)]);
        check(10, [(1, 0); 3]);
        check(12, [(2, 0); 3]);
        check(16, [(2, 4), (2, 2), (2, 2)]);
    }

    #[test]
    fn positions_equal_counted_ones() {
        let parts = ["a\r\n", "é😀 b\n", "\r", "\n\n", "\u{feff}x y z\r\n", "- \u{2028} -"];
        let text: String = (0..300).map(|at: usize| parts[(at * at + at / 7) % parts.len()]).collect();
        let index = LineIndex::new(&text);
        for encoding in ENCODINGS {
            let width = |char: char| match encoding {
                Encoding::Utf8 => char.len_utf8(),
                Encoding::Utf16 => char.len_utf16(),
                Encoding::Utf32 => 1,
            };
            let (mut position, mut units) = (Position { line: 0, column: 0 }, 0);
            let mut chars = text.char_indices().peekable();
            while let Some((at, char)) = chars.next() {
                assert_eq!(index.position(at as u32, encoding), position, "{at}");
                assert_eq!(index.units(at as u32, encoding) as usize, units, "{at}");
                let in_line_end = char == '\n' && text[..at].ends_with('\r');
                assert_eq!(index.offset(position, encoding) as usize, at - usize::from(in_line_end), "{at}");
                let ends_line = char == '\n' || (char == '\r' && chars.peek().is_none_or(|(_, next)| *next != '\n'));
                position = if ends_line {
                    Position { line: position.line + 1, column: 0 }
                } else {
                    Position { column: position.column + width(char), ..position }
                };
                units += width(char);
            }
        }
    }

    #[test]
    fn positions_outside_the_text_are_clamped() {
        let check = |line, column, encoding, offset| {
            assert_eq!(LineIndex::new("😀\nab\n").offset(Position { line, column }, encoding), offset);
        };
        check(0, 1, Encoding::Utf16, 0);
        check(0, 2, Encoding::Utf8, 0);
        check(0, 99, Encoding::Utf16, 4);
        check(1, 99, Encoding::Utf32, 7);
        check(1, usize::MAX, Encoding::Utf16, 7);
        check(2, 0, Encoding::Utf16, 8);
        check(99, 0, Encoding::Utf16, 8);
        assert_eq!(LineIndex::new("").offset(Position { line: 3, column: 3 }, Encoding::Utf16), 0);
        assert_eq!(LineIndex::new("a😀").units(3, Encoding::Utf16), 1);
    }
}
