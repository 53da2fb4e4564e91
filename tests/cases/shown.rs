//! The readable form of answers about a text: spans with their text, and edits as changed lines.
//!
//! Offsets are in bytes. The answers of functions and of the server have the same form.

use std::fmt::Write as _;

use psl_syntax::LineIndex;

use super::diff::changed_lines;

/// Maximum number of characters of a range's text. The middle of a longer text is left out.
const SHOWN: usize = 40;

/// An empty answer.
pub const NOTHING: &str = "nothing\n";

/// A list, or a word if it is empty.
pub fn or_none(shown: String) -> String {
    if shown.is_empty() { "none\n".to_owned() } else { shown }
}

/// The reason for a missing answer.
pub fn error(message: &str) -> String {
    format!("error: {message}\n")
}

/// `1:1-1:6 "where"`: 1-based lines and columns, columns in characters.
pub fn range(text: &str, (start, end): (usize, usize)) -> String {
    let lines = LineIndex::new(text);
    let at = |offset: usize| {
        let point = lines.point(u32::try_from(offset).expect("a short text"));
        format!("{}:{}", point.line, point.column)
    };
    format!("{}-{} \"{}\"", at(start), at(end), shortened(&text[start..end]))
}

/// A text in one line, without its middle if it is long.
fn shortened(text: &str) -> String {
    let text = text.replace("\r\n", "⏎").replace(['\n', '\r'], "⏎");
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= SHOWN {
        return text;
    }
    let (start, end) = (&chars[..SHOWN / 2], &chars[chars.len() - SHOWN / 2..]);
    format!("{}…{}", String::from_iter(start), String::from_iter(end))
}

/// A text with each line indented.
pub fn indented(text: &str) -> String {
    text.lines().fold(String::new(), |shown, line| shown + "  " + line + "\n")
}

/// A text with a line end.
pub fn lines(text: &str) -> String {
    text.lines().fold(String::new(), |shown, line| shown + line + "\n")
}

/// A diagnostic: its span, message, tags and related spans.
pub fn diagnostic(
    (range, severity, code): (&str, &str, &str),
    message: &str,
    tags: &[&str],
    related: &[(String, String)],
) -> String {
    let mut shown = format!("{range} {severity} {code}: {}", message.replace('\n', "\n  "));
    for tag in tags {
        let _ = write!(shown, " ({tag})");
    }
    shown.push('\n');
    for (place, message) in related {
        let _ = writeln!(shown, "  {place}: {message}");
    }
    shown
}

/// A named item and its span.
pub fn symbol(depth: usize, (name, kind): (&str, &str), detail: Option<&str>, range: &str) -> String {
    let detail = detail.map(|detail| format!(", {detail}")).unwrap_or_default();
    format!("{}{name} {kind}{detail} {range}\n", "  ".repeat(depth))
}

/// The spans of calls between two items, below the other item.
pub fn call(item: &str, ranges: &[String]) -> String {
    ranges.iter().fold(item.to_owned(), |shown, range| shown + &indented(range))
}

/// The span that all completions replace.
pub fn in_place_of(range: &str) -> String {
    format!("in place of {range}:\n")
}

/// A completion, and the inserted text if it differs from the label.
pub fn completion((label, kind): (&str, &str), detail: Option<&str>, inserted: Option<&str>) -> String {
    let mut shown = format!("{label} {kind}");
    if let Some(detail) = detail {
        let _ = write!(shown, ", {detail}");
    }
    if let Some(inserted) = inserted.filter(|text| *text != label) {
        let _ = write!(shown, " ⇒ {}", inserted.replace('\n', "⏎"));
    }
    shown + "\n"
}

/// A code action, and the lines that it changes.
pub fn action(kind: &str, preferred: bool, title: &str, diff: &str) -> String {
    let preferred = if preferred { ", preferred" } else { "" };
    format!("{kind}{preferred}: {title}\n{}", indented(diff))
}

/// The 1-based first and last lines of a fold, and the text of the first.
pub fn fold((start, end): (usize, usize), kind: Option<&str>, first: &str) -> String {
    let kind = kind.map(|kind| format!(" {kind}")).unwrap_or_default();
    format!("{start}-{end}{kind} \"{}\"\n", shortened(first))
}

/// The lines with hints, and the hints inside them as `⟨…⟩` with their blanks.
pub fn hints(text: &str, mut hints: Vec<(usize, String)>) -> String {
    hints.sort_by_key(|(at, _)| *at);
    let index = LineIndex::new(text);
    let mut shown = String::new();
    for hints in hints.chunk_by(|(one, _), (other, _)| !text[*one..*other].contains(['\n', '\r'])) {
        let Some(&(first, _)) = hints.first() else { continue };
        let (mut written, end) = line_around(text, first);
        let _ = write!(shown, "{}: ", index.line(u32::try_from(first).expect("a short text")) + 1);
        for (at, hint) in hints {
            let _ = write!(shown, "{}{hint}", &text[written..*at]);
            written = *at;
        }
        let _ = writeln!(shown, "{}", &text[written..end]);
    }
    shown
}

/// The start and end of the line around an offset, without its line end.
pub fn line_around(text: &str, offset: usize) -> (usize, usize) {
    let start = text[..offset].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let end = text[offset..].find(['\n', '\r']).map_or(text.len(), |length| offset + length);
    (start, end)
}

/// A form of signature help and its parts, with marks on the active ones.
pub fn form(active: bool, label: &str, parts: &[(bool, &str, &str)], meaning: &str) -> String {
    let mark = |active: bool| if active { "▸ " } else { "" };
    let mut shown = format!("{}{label}\n", mark(active));
    for (active, label, meaning) in parts {
        let _ = writeln!(shown, "  {}{label}", mark(*active));
        shown.push_str(&indented(&indented(meaning)));
    }
    shown + &indented(meaning)
}

/// A token: its text, type and modifiers.
pub fn token(text: &str, kind: &str, modifiers: &[&str]) -> String {
    let kind = [&[kind], modifiers].concat().join(".");
    format!("{text} {kind}\n")
}

/// The lines that edits change, each block below the number of its first line.
pub fn diff(text: &str, edits: Vec<((usize, usize), String)>) -> String {
    changed_lines(&with_ends(text), &with_ends(&edited(text, edits)))
}

/// The text after edits, all of which refer to the original text.
pub fn edited(text: &str, mut edits: Vec<((usize, usize), String)>) -> String {
    // Insertions at the same offset keep their order.
    edits.sort_by_key(|(span, _)| *span);
    let mut after = String::new();
    let mut written = 0;
    for ((start, end), new) in edits {
        assert!(written <= start && start <= end, "edits overlap");
        after.push_str(&text[written..start]);
        after.push_str(&new);
        written = end;
    }
    after + &text[written..]
}

/// A text whose lines all end in `\n`, with other line ends made visible.
fn with_ends(text: &str) -> String {
    text.replace("\r\n", "␍␊\n").replace('\r', "␍\n")
}
