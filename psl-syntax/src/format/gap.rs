//! The white space between tokens: as written, and as formatted.

use crate::token::Kind;

/// The assumed width of a tab, for comparing the indentation of a comment with that of the code below it.
const TAB: usize = 4;

/// The white space before a token or comment.
pub struct Gap {
    /// The number of line ends. `\r\n` is one.
    pub line_breaks: usize,
    /// The width of the part after the last line end.
    pub indentation: usize,
}

impl Gap {
    /// The white space that ends at an offset.
    pub fn before(text: &str, offset: u32) -> Self {
        let mut gap = Self { line_breaks: 0, indentation: 0 };
        let before = text.as_bytes().get(..offset as usize).unwrap_or_default();
        let mut below = None;
        for &byte in before.iter().rev() {
            match byte {
                b'\n' => gap.line_breaks += 1,
                b'\r' => gap.line_breaks += usize::from(below != Some(b'\n')),
                b'\t' | b' ' | 0x0B | 0x0C if gap.line_breaks == 0 => {
                    gap.indentation += if byte == b'\t' { TAB } else { 1 };
                }
                b'\t' | b' ' | 0x0B | 0x0C => {}
                _ => break,
            }
            below = Some(byte);
        }
        gap
    }
}

/// Whether a space separates two tokens on one line.
pub fn spaced(left: Kind, right: Kind) -> bool {
    match (left, right) {
        (Kind::OpenParen | Kind::OpenBracket | Kind::OpenBrace | Kind::At, _)
        | (_, Kind::CloseParen | Kind::CloseBracket | Kind::CloseBrace | Kind::Comma | Kind::Colon | Kind::At) => false,
        (_, Kind::OpenBracket) => matches!(left, Kind::In | Kind::Colon),
        _ => true,
    }
}
