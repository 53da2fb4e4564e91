//! Lines with characters that take more or fewer columns together than one by one, such as emoji of several characters.
//!
//! Ariadne adds the columns of single characters. So it gets a line with as many characters and bytes, whose columns
//! add up.

use std::{borrow::Cow, iter};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Maximum number of characters measured together.
const MOST: usize = 64;

/// The line with other characters in place of those whose columns do not add up. Each has the same number of bytes.
pub fn measured(line: &str) -> Cow<'_, str> {
    let adds_up = |text: &str| text.width() == text.chars().map(|char| char.width().unwrap_or(1)).sum::<usize>();
    if line.is_ascii() || adds_up(line) {
        return Cow::Borrowed(line);
    }
    Cow::Owned(
        together(line).flat_map(|part| if adds_up(part) { vec![part.to_owned()] } else { replaced(part) }).collect(),
    )
}

/// The parts of a line that are measured together: an ASCII character with the others after it.
fn together(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    iter::from_fn(move || {
        let ends = |(number, char): (usize, char)| number > 0 && (char.is_ascii() || number == MOST);
        let end = rest.char_indices().enumerate().find(|(number, (_, char))| ends((*number, *char)));
        let (part, after) = rest.split_at(end.map_or(rest.len(), |(_, (at, _))| at));
        rest = after;
        (!part.is_empty()).then_some(part)
    })
}

/// Characters of the same bytes, each with the columns by which it makes the part wider.
fn replaced(part: &str) -> Vec<String> {
    let mut before = 0;
    let char = |(at, char): (usize, char)| {
        let columns = part.get(..at + char.len_utf8()).unwrap_or_default().width();
        let added = columns.saturating_sub(before);
        before = columns;
        if char.width() == Some(added) { char } else { of(char, added) }.to_string()
    };
    part.char_indices().map(char).collect()
}

/// A character with as many bytes as this one, and with these columns, as far as there is one.
const fn of(char: char, columns: usize) -> char {
    match (char.len_utf8(), columns) {
        (2, 0) => '\u{301}',
        (2, _) => 'é',
        (3, 0) => '\u{200d}',
        (3, 1) => '…',
        (3, _) => '一',
        (4, 0) => '\u{e0100}',
        (4, 1) => '\u{10300}',
        (4, _) => '\u{20000}',
        _ => char,
    }
}

/// The row that was drawn for a measured line, with the characters of the line itself. Colors and blanks stay.
pub fn restored(row: &str, line: &str) -> String {
    let mut own = line.chars().filter(|char| !char.is_whitespace());
    let mut restored = String::with_capacity(row.len());
    let mut in_color = false;
    for char in row.chars() {
        in_color |= char == '\u{1b}';
        restored.push(if in_color || char.is_whitespace() { char } else { own.next().unwrap_or(char) });
        in_color &= char != 'm';
    }
    restored
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_add_up() {
        for line in [
            "a",
            "日本",
            "👩\u{200d}🔬 x",
            "❤\u{fe0f}",
            "1\u{fe0f}\u{20e3}",
            "🇩🇪🇫",
            "👍🏽",
            "👨\u{200d}👩\u{200d}👧 ❤\u{fe0f}❤",
            "\t👩\u{200d}🔬\té",
        ] {
            let measured = measured(line);
            let columns: usize = measured.chars().map(|char| char.width().unwrap_or(1)).sum();
            assert_eq!((columns, measured.len()), (line.width(), line.len()), "{line}");
            assert_eq!(restored(&measured, line), line);
        }
        let long = "👩\u{200d}🔬".repeat(100);
        let columns: usize = measured(&long).chars().map(|char| char.width().unwrap_or(1)).sum();
        assert!(columns.abs_diff(long.width()) < 20, "{columns}");
    }

    #[test]
    fn colors_are_kept() {
        assert_eq!(restored("\u{1b}[31m一\u{200d}\u{1b}[0m x", "❤\u{fe0f} x"), "\u{1b}[31m❤\u{fe0f}\u{1b}[0m x");
    }
}
