//! External text, made safe for a terminal.

/// Replaces the characters that move a terminal's cursor, change its colors or reverse its text by visible ones with the same
/// number of bytes. Line ends and tabs stay, but not a lone carriage return.
pub fn shown(text: &str) -> String {
    let mut chars = text.chars().peekable();
    let mut shown = String::with_capacity(text.len());
    while let Some(char) = chars.next() {
        shown.push(match char {
            '\t' | '\n' => char,
            '\r' if chars.peek() == Some(&'\n') => char,
            '\u{61c}' => '¿',
            '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => char::REPLACEMENT_CHARACTER,
            _ if char.is_control() && char.is_ascii() => '?',
            _ if char.is_control() => '¿',
            _ => char,
        });
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::shown;

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
}
