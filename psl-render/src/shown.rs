//! External text, made safe for a terminal and for a log.

use std::fmt::Write as _;

/// Replaces the characters that move a terminal's cursor, change its colors or reverse its text by visible ones with
/// the same number of bytes. Line ends and tabs stay, but not a lone carriage return.
pub fn shown(text: &str) -> String {
    let mut chars = text.chars().peekable();
    let mut shown = String::with_capacity(text.len());
    while let Some(char) = chars.next() {
        shown.push(match char {
            '\t' | '\n' => char,
            '\r' if chars.peek() == Some(&'\n') => char,
            _ => visible(char),
        });
    }
    shown
}

/// Like [`shown`], but on one line: a log takes a line that starts with `::` for a command.
pub fn shown_line(text: &str) -> String {
    text.chars().map(visible).collect()
}

/// Escapes the characters that [`shown`] replaces in JSON, which has them in strings only.
pub fn shown_json(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for char in json.chars() {
        if visible(char) == char {
            shown.push(char);
        } else {
            // A `String` can always be written to.
            write!(shown, "\\u{:04x}", u32::from(char)).ok();
        }
    }
    shown
}

fn visible(char: char) -> char {
    match char {
        '\u{61c}' => '¿',
        '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => char::REPLACEMENT_CHARACTER,
        _ if char.is_control() && char.is_ascii() => '?',
        _ if char.is_control() => '¿',
        _ => char,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_become_visible_and_keep_their_length() {
        let check = |text: &str, expected: &str| {
            assert_eq!(shown(text), expected);
            assert_eq!(shown(text).len(), text.len());
        };
        check("a\tb\r\nc\n", "a\tb\r\nc\n");
        check("\u{1b}[2J\u{7}\u{8}\u{7f}\0", "?[2J????");
        check("over\rwritten\r\r\n", "over?written?\r\n");
        check("\u{9b}2J\u{85}", "¿2J¿");
        check("\u{202e}\u{2066}\u{2028}\u{200f}\u{61c}", "����¿");
        check("é 日本語 e\u{301} 😀 \u{200d}", "é 日本語 e\u{301} 😀 \u{200d}");
    }

    #[test]
    fn a_line_stays_one_line() {
        assert_eq!(shown_line("a\n::error::\r\n\tb\u{1b}[2J\u{2028}c"), "a?::error::???b?[2J\u{fffd}c");
    }

    #[test]
    fn json_keeps_its_meaning() {
        let value = serde_json::Value::from("a\u{1b}\u{7f}\u{9b}\u{202e}\n é");
        let shown = shown_json(&value.to_string());
        assert_eq!(shown, "\"a\\u001b\\u007f\\u009b\\u202e\\n é\"");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).expect("JSON"), value);
    }
}
