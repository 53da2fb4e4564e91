//! A document's text in the client's units: lines, and columns in UTF-8, UTF-16 or UTF-32.

use ropey::{
    Rope,
    str_utils::{byte_to_line_idx, line_to_byte_idx},
};

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

/// A 0-based line and column in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line; lines end at `\n`, `\r\n` or a lone `\r`.
    pub line: usize,
    /// The column, in units of an [`Encoding`].
    pub column: usize,
}

/// A text and the unit of its columns.
#[derive(Clone, Debug)]
pub struct EncodedText {
    rope: Rope,
    encoding: Encoding,
}

impl EncodedText {
    /// Creates a text for a client that counts columns in this unit.
    pub fn new(text: &str, encoding: Encoding) -> Self {
        Self { rope: Rope::from_str(text), encoding }
    }

    /// The unit of columns.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns the position of a byte offset; an offset past the end counts as the end.
    pub fn position(&self, offset: u32) -> Position {
        let text = &self.rope;
        let offset = (offset as usize).min(text.len_bytes());
        if let Some(position) = self.position_in_chunk(offset) {
            return position;
        }
        let line = text.byte_to_line(offset);
        let column = match self.encoding {
            Encoding::Utf8 => offset - text.line_to_byte(line),
            Encoding::Utf16 => {
                let units = |char| text.char_to_utf16_cu(char);
                units(text.byte_to_char(offset)) - units(text.line_to_char(line))
            }
            Encoding::Utf32 => text.byte_to_char(offset) - text.line_to_char(line),
        };
        Position { line, column }
    }

    /// The position of a byte offset if its line starts in the same chunk of the rope, as most do. One lookup in the
    /// rope is enough.
    fn position_in_chunk(&self, offset: usize) -> Option<Position> {
        let (chunk, chunk_start, _, first_line) = self.rope.chunk_at_byte(offset);
        let at = offset - chunk_start;
        let line = byte_to_line_idx(chunk, at);
        let before = chunk.get(line_to_byte_idx(chunk, line)..at).filter(|_| line > 0)?;
        let column = match self.encoding {
            Encoding::Utf8 => before.len(),
            Encoding::Utf16 => before.chars().map(char::len_utf16).sum(),
            Encoding::Utf32 => before.chars().count(),
        };
        Some(Position { line: first_line + line, column })
    }

    /// Returns the byte offset of a position. A column past the line's end means the line's end, a line past the last
    /// one means the text's end, and a column inside a character means the character's start.
    pub fn offset(&self, position: Position) -> u32 {
        self.rope.char_to_byte(self.char_index(position)) as u32
    }

    /// Replaces the text between two positions in either order, clamped as in [`EncodedText::offset`].
    pub fn replace(&mut self, start: Position, end: Position, text: &str) {
        let (start, end) = (self.char_index(start), self.char_index(end));
        let (start, end) = (start.min(end), start.max(end));
        self.rope.remove(start..end);
        self.rope.insert(start, text);
    }

    fn char_index(&self, position: Position) -> usize {
        let text = &self.rope;
        if position.line >= text.len_lines() {
            return text.len_chars();
        }
        let start = text.line_to_char(position.line);
        let line = text.line(position.line);
        let breaks = line.chars_at(line.len_chars()).reversed().take_while(|char| matches!(char, '\n' | '\r')).count();
        let length = line.len_chars() - breaks;
        let column = match self.encoding {
            Encoding::Utf8 => line.byte_to_char(position.column.min(line.len_bytes())),
            Encoding::Utf16 => line.utf16_cu_to_char(position.column.min(line.len_utf16_cu())),
            Encoding::Utf32 => position.column,
        };
        start + column.min(length)
    }
}

impl From<&EncodedText> for String {
    /// Copies the whole text with a single allocation: `to_string` reallocates many times.
    fn from(text: &EncodedText) -> Self {
        Self::from(&text.rope)
    }
}

impl std::fmt::Display for EncodedText {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.rope.fmt(out)
    }
}

/// Converts non-decreasing offsets to positions, in time linear in the text.
pub struct Walk<'t> {
    text: &'t str,
    at: usize,
    after_return: bool,
    position: Position,
    encoding: Encoding,
}

impl<'t> Walk<'t> {
    /// Starts at the beginning of a text, with columns in this unit.
    pub fn new(text: &'t str, encoding: Encoding) -> Self {
        Self { text, at: 0, after_return: false, position: Position { line: 0, column: 0 }, encoding }
    }

    /// Returns the position of a byte offset that is not before the preceding one.
    pub fn to(&mut self, offset: u32) -> Position {
        for char in self.text.get(self.at..offset as usize).unwrap_or_default().chars() {
            match char {
                '\n' if self.after_return => {}
                '\n' | '\r' => self.position = Position { line: self.position.line + 1, column: 0 },
                _ => {
                    self.position.column += match self.encoding {
                        Encoding::Utf8 => char.len_utf8(),
                        Encoding::Utf16 => char.len_utf16(),
                        Encoding::Utf32 => 1,
                    }
                }
            }
            self.after_return = char == '\r';
        }
        self.at = self.at.max(offset as usize);
        self.position
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test may fail by panic")]
mod tests {
    use super::*;

    #[test]
    fn columns_have_the_unit_of_the_encoding() {
        let whole = "aé😀b\r\nx\ry\u{2028}z";
        let columns = |at: u32| {
            [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32].map(|encoding| {
                let text = EncodedText::new(whole, encoding);
                let place = text.position(at);
                assert_eq!(text.offset(place), at);
                let mut walk = Walk::new(whole, encoding);
                walk.to(3);
                assert_eq!(walk.to(at), place);
                (place.line, place.column)
            })
        };
        assert_eq!(columns(7), [(0, 7), (0, 4), (0, 3)]);
        assert_eq!(columns(10), [(1, 0); 3]);
        assert_eq!(columns(12), [(2, 0); 3]);
        assert_eq!(columns(16), [(2, 4), (2, 2), (2, 2)]);
    }

    #[test]
    fn positions_equal_those_of_a_walk() {
        let lines = ["a\r\n", "é😀 b\n", "\r", "\n\n", "\u{feff}x y z\r\n", "- \u{2028} -"];
        let whole: String = (0..2_000).map(|at| lines[(at * at + at / 7) % lines.len()]).collect();
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let text = EncodedText::new(&whole, encoding);
            let mut walk = Walk::new(&whole, encoding);
            for at in (0..=whole.len()).filter(|at| whole.is_char_boundary(*at)) {
                let place = text.position(at as u32);
                if whole[..at].ends_with('\r') && whole[at..].starts_with('\n') {
                    let before = text.position(at as u32 - 1);
                    assert_eq!(place, Position { column: before.column + 1, ..before }, "{at}");
                } else {
                    assert_eq!(place, walk.to(at as u32), "{at}");
                }
            }
        }
    }

    #[test]
    fn positions_outside_the_text_are_clamped() {
        let at = |line, column, encoding| EncodedText::new("😀\nab\n", encoding).offset(Position { line, column });
        assert_eq!(at(0, 1, Encoding::Utf16), 0);
        assert_eq!(at(0, 2, Encoding::Utf8), 0);
        assert_eq!(at(0, 99, Encoding::Utf16), 4);
        assert_eq!(at(1, 99, Encoding::Utf32), 7);
        assert_eq!(at(2, 0, Encoding::Utf16), 8);
        assert_eq!(at(99, 0, Encoding::Utf16), 8);
        assert_eq!(EncodedText::new("", Encoding::Utf16).offset(Position { line: 3, column: 3 }), 0);
    }
}
