//! A text as an editor sees it. It is simple and slow on purpose, as the server's own code is compared with it.

use serde_json::{Value, json};

/// The unit of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Utf16,
    Utf32,
}

pub const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

impl Encoding {
    /// The name in the protocol.
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16 => "utf-16",
            Self::Utf32 => "utf-32",
        }
    }

    /// The width of a character in columns.
    fn width(self, char: char) -> usize {
        match self {
            Self::Utf8 => char.len_utf8(),
            Self::Utf16 => char.len_utf16(),
            Self::Utf32 => 1,
        }
    }
}

/// The lines of a text, each with its end: `\n`, `\r\n` or a lone `\r`. The last line has none, and may be empty.
pub fn lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some(end) = rest.find(['\n', '\r']) {
        let length = if rest[end..].starts_with("\r\n") { end + 2 } else { end + 1 };
        lines.push(&rest[..length]);
        rest = &rest[length..];
    }
    lines.push(rest);
    lines
}

/// The byte offset of a position. A line past the last one means the text's end, a column past the line's end means the
/// line's end, and a column inside a character means the character's start.
pub fn offset(text: &str, line: usize, column: usize, encoding: Encoding) -> usize {
    let lines = lines(text);
    let Some(content) = lines.get(line) else { return text.len() };
    let start: usize = lines[..line].iter().map(|line| line.len()).sum();
    let content = content.trim_end_matches(['\n', '\r']);
    let mut columns = 0;
    for (index, char) in content.char_indices() {
        columns += encoding.width(char);
        if columns > column {
            return start + index;
        }
    }
    start + content.len()
}

/// The 0-based line and column of a byte offset.
pub fn place(text: &str, offset: usize, encoding: Encoding) -> (usize, usize) {
    let mut start = 0;
    let lines = lines(text);
    for (number, line) in lines.iter().enumerate() {
        if offset < start + line.len() || number + 1 == lines.len() {
            return (number, text[start..offset].chars().map(|char| encoding.width(char)).sum());
        }
        start += line.len();
    }
    unreachable!("a text has a last line")
}

/// The position of a byte offset, in the protocol's form.
pub fn position(text: &str, offset: usize, encoding: Encoding) -> Value {
    let (line, character) = place(text, offset, encoding);
    json!({"line": line, "character": character})
}

/// The range between byte offsets, in the protocol's form.
pub fn range(text: &str, start: usize, end: usize, encoding: Encoding) -> Value {
    json!({"start": position(text, start, encoding), "end": position(text, end, encoding)})
}
