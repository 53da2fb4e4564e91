//! A document's text in the client's units.

use psl_syntax::{
    LineIndex, SourceText,
    line_index::{Encoding, Position},
};

/// A text and the unit of its columns.
#[derive(Clone, Debug)]
pub struct EncodedText {
    /// The text.
    pub text: SourceText,
    /// The unit of columns.
    pub encoding: Encoding,
}

/// A change of a text.
pub struct Change {
    /// The replaced range, or `None` for the whole text. Its ends are in either order, and clamped to the text.
    pub range: Option<(Position, Position)>,
    /// The new text.
    pub text: String,
}

impl EncodedText {
    /// Returns the position of a byte offset; an offset past the end counts as the end.
    pub fn position(&self, offset: u32) -> Position {
        self.text.line_index().position(offset, self.encoding)
    }

    /// Returns the byte offset of a position, clamped as in [`LineIndex::offset`].
    pub fn offset(&self, position: Position) -> u32 {
        self.text.line_index().offset(position, self.encoding)
    }

    /// Applies changes one after the other.
    #[must_use]
    pub fn changed(&self, changes: &[Change]) -> Self {
        let added: usize = changes.iter().map(|change| change.text.len()).sum();
        let mut text = String::with_capacity(self.text.len() + added);
        text.push_str(&self.text);
        let mut newer: Option<LineIndex> = None;
        // The lines before the preceding change are still those of the index. Some clients send changes from the last
        // one to the first, which need only one index.
        let mut known = usize::MAX;
        for change in changes {
            let Some((one, other)) = change.range else {
                text.clone_from(&change.text);
                known = 0;
                continue;
            };
            if one.line.max(other.line) >= known {
                newer = Some(LineIndex::new(&text));
            }
            let index = newer.as_ref().unwrap_or_else(|| self.text.line_index());
            let (one, other) = (index.offset(one, self.encoding), index.offset(other, self.encoding));
            let (start, end) = (one.min(other), one.max(other));
            known = index.line(start);
            text.replace_range(start as usize..end as usize, &change.text);
        }
        Self { text: text.into(), encoding: self.encoding }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the text after changes `(start line, column, end line, column, text)`, with columns in UTF-16.
    fn check(before: &str, changes: &[(usize, usize, usize, usize, &str)], after: &str) {
        let before = EncodedText { text: before.into(), encoding: Encoding::Utf16 };
        let place = |line, column| Position { line, column };
        let changes = changes.iter().map(|&(line, column, end_line, end_column, text)| Change {
            range: Some((place(line, column), place(end_line, end_column))),
            text: text.to_owned(),
        });
        assert_eq!(&*before.changed(&changes.collect::<Vec<_>>()).text, after);
    }

    #[test]
    fn changes_apply_in_order() {
        check("ab\ncd", &[(0, 1, 0, 2, "x\n"), (1, 0, 2, 1, "y")], "ax\nyd");
        check("ab\ncd", &[(1, 1, 1, 2, "x"), (0, 1, 0, 1, "y\n"), (1, 0, 2, 1, "z")], "ay\nzx");
        check("😀b", &[(0, 2, 0, 3, "c"), (0, 0, 0, 2, "é")], "éc");
        check("a\r\nb", &[(0, 9, 1, 0, " ")], "a b");
        check("a", &[(7, 7, 9, 9, "b"), (0, 1, 0, 0, "")], "b");
        check("a", &[(9, 0, 9, 0, "b\nc"), (0, 9, 0, 9, "x"), (1, 1, 1, 1, "y")], "abx\ncy");
        check("a\rb", &[(1, 0, 1, 0, "\n"), (0, 1, 1, 0, "")], "ab");
    }
}
