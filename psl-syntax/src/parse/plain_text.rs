//! A text as its author meant it, in the characters of PSL.
//!
//! Text from papers, slides and web pages has characters that look like those of PSL, and a merge leaves markers. Each
//! is reported, and replaced by what it stands for, so that the code around it is checked as usual.
//!
//! Invariant: strings, comments and valid programs are unchanged. The replacement takes linear time in the length of
//! the text.

mod conflict;

use std::ops::Range;

use conflict::{conflict, may_have_conflicts};

use super::parser::syntax;
use crate::{
    diagnostic::{Diagnostic, Edit},
    look_alikes::{Kind, LookAlike, is_letter, is_opening, look_alike, quote, quote_name},
    span::Span,
};

const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// The help for quotes that are not those of PSL.
pub const STRAIGHT_QUOTES: &str = "write strings in straight quotes, `'` or `\"`";

/// Maximum number of strings of a line that are closed by another quote than their own.
const MAX_TRIES: usize = 64;

/// Maximum number of characters that a message names.
const MAX_NAMED: usize = 3;

/// A text in the characters of PSL.
pub struct PlainText {
    pub text: String,
    /// A report of each replaced part, in text order, with spans of the original.
    pub diagnostics: Vec<Diagnostic>,
    replaced: Vec<Replaced>,
}

/// A part of the original, and what is in its place.
struct Replaced {
    original: Span,
    plain: Span,
}

impl PlainText {
    /// The text with its look-alikes and conflict markers replaced, or `None` if there are none.
    pub fn of(text: &str) -> Option<Self> {
        let mut scanner = Scanner {
            text,
            plain: String::new(),
            copied: 0,
            replaced: Vec::new(),
            diagnostics: Vec::new(),
            tries: (0, 0),
        };
        scanner.scan();
        let Scanner { mut plain, copied, replaced, mut diagnostics, .. } = scanner;
        if diagnostics.is_empty() {
            return None;
        }
        plain.push_str(text.get(copied..)?);
        diagnostics.sort_by_key(|diagnostic| diagnostic.span);
        Some(Self { text: plain, diagnostics, replaced })
    }

    /// The offset in the original of an offset in the plain text.
    pub fn original(&self, offset: u32) -> u32 {
        let before = self.replaced.partition_point(|replaced| replaced.plain.start < offset);
        match before.checked_sub(1).and_then(|last| self.replaced.get(last)) {
            None => offset,
            Some(Replaced { original, plain }) if offset < plain.end => original.start,
            Some(Replaced { original, plain }) => original.end.saturating_add(offset - plain.end),
        }
    }

    /// The start of each replaced part in the plain text, in text order.
    pub fn places(&self) -> Vec<u32> {
        self.replaced.iter().map(|replaced| replaced.plain.start).collect()
    }
}

/// The original with the parts replaced so far.
struct Scanner<'t> {
    text: &'t str,
    plain: String,
    /// The end of the part of the original that is in `plain`.
    copied: usize,
    replaced: Vec<Replaced>,
    diagnostics: Vec<Diagnostic>,
    /// The end of a line, and the number of its strings that may be closed by a quote that only looks straight.
    tries: (usize, usize),
}

impl Scanner<'_> {
    fn scan(&mut self) {
        let mut at = if self.text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let mut left_out: Vec<Span> = Vec::new();
        let may_have_conflicts = may_have_conflicts(self.text);
        while let Some(char) = self.char(at) {
            let starts_line = self.before(at).is_none_or(|before| LINE_ENDS.contains(&before) || before == '\u{feff}');
            if may_have_conflicts
                && starts_line
                && matches!(char, '<' | '=' | '>' | '|')
                && left_out.is_empty()
                && let Some(found) = conflict(self.text, at as u32)
            {
                self.diagnostics.push(found.diagnostic);
                left_out = found.left_out;
            }
            if left_out.first().is_some_and(|next| next.range().start <= at) {
                // Code before and after it is on separate lines.
                let lines = left_out.remove(0);
                self.replace(lines, "\n");
                at = lines.range().end;
                continue;
            }
            at = match char {
                '#' => self.line_end(at),
                '/' if self.char(at + 1) == Some('/') => self.line_end(at),
                '"' | '\'' => self.string(at, char),
                '`' => self.look_alike(at, char),
                '\0'..='\u{7f}' => at + 1,
                _ => self.look_alike(at, char),
            };
        }
    }

    fn char(&self, at: usize) -> Option<char> {
        self.text.get(at..)?.chars().next()
    }

    fn before(&self, at: usize) -> Option<char> {
        self.text.get(..at)?.chars().next_back()
    }

    fn line_end(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        at + rest.find(LINE_ENDS).unwrap_or(rest.len())
    }

    fn replace(&mut self, original: Span, plain: &str) {
        self.plain.push_str(self.text.get(self.copied..original.range().start).unwrap_or_default());
        let start = self.plain.len();
        self.plain.push_str(plain);
        self.replaced.push(Replaced { original, plain: Span::from(start..self.plain.len()) });
        self.copied = original.range().end;
    }

    /// A string in straight quotes. If the rest of its line would be wrong, it may end with a quote that only looks
    /// straight.
    fn string(&mut self, at: usize, straight: char) -> usize {
        let closes = |char| char == straight || quote(char) == Some(straight) && !is_opening(char);
        let Some(first) = self.closing(at + 1, closes) else { return self.line_end(at) };
        let char = self.char(first).unwrap_or(straight);
        let end = first + char.len_utf8();
        if char == straight {
            return end;
        }
        let close = self.closing(first, |char| char == straight);
        let is_open = close.is_none_or(|close| self.ends_wrong(close + 1));
        if is_open && self.char(end).is_none_or(|after| after.is_ascii_whitespace() || ",:}])=!#".contains(after)) {
            self.quotes(at..end, &[(first, char)], straight);
            return end;
        }
        close.map_or_else(|| self.line_end(at), |close| close + 1)
    }

    /// Whether the line ends within a string, or has a quote that only looks straight outside of one, from an offset
    /// outside of one. Of many strings in a line, only the first are tried.
    fn ends_wrong(&mut self, from: usize) -> bool {
        let (line, tries) = self.tries;
        let end = if from <= line { line } else { self.line_end(from) };
        self.tries = (end, if line == end { tries + 1 } else { 1 });
        if self.tries.1 > MAX_TRIES {
            return false;
        }
        let mut at = from;
        loop {
            let rest = self.text.get(at..end).unwrap_or_default();
            let is_mark = |char| matches!(char, '"' | '\'' | '#') || quote(char).is_some() && !is_opening(char);
            match rest.char_indices().find(|(_, char)| is_mark(*char)) {
                None | Some((_, '#')) => return false,
                Some((open, char @ ('"' | '\''))) => match self.closing(at + open + 1, |other| other == char) {
                    Some(close) => at = close + 1,
                    None => return true,
                },
                Some(_) => return true,
            }
        }
    }

    /// The offset of the first character on this line that closes a string.
    fn closing(&self, from: usize, closes: impl Fn(char) -> bool) -> Option<usize> {
        let mut escaped = false;
        for (offset, char) in self.text.get(from..)?.char_indices() {
            if LINE_ENDS.contains(&char) {
                return None;
            }
            if !escaped && closes(char) {
                return Some(from + offset);
            }
            escaped = char == '\\' && !escaped;
        }
        None
    }

    /// Replaces the look-alikes that start with this one. Returns the offset of what follows.
    fn look_alike(&mut self, at: usize, char: char) -> usize {
        let after = at + char.len_utf8();
        let Some(found) = look_alike(char) else {
            return if char.is_alphanumeric() { self.word(at) } else { after };
        };
        match found.kind {
            Kind::Letter => self.word(at),
            Kind::Sign => self.signs(at),
            Kind::Quote => self.quoted(at, char),
            // In an emoji.
            Kind::Invisible if self.before(at).is_some_and(|char| !char.is_ascii() && look_alike(char).is_none()) => {
                after
            }
            Kind::Blank | Kind::LineEnd | Kind::Invisible => self.blanks(at, char, found),
        }
    }

    /// The look-alikes from an offset on, as long as `belongs` holds for their characters, and the offset after them.
    fn run(&self, at: usize, belongs: impl Fn(char) -> bool) -> (Vec<(Span, char)>, usize) {
        let rest = self.text.get(at..).unwrap_or_default();
        let end = at + rest.find(|char| !belongs(char)).unwrap_or(rest.len());
        let chars = self.text.get(at..end).unwrap_or_default().char_indices();
        let found = chars.filter(|(_, char)| look_alike(*char).is_some());
        let place = |(offset, char): (usize, char)| (Span::from(at + offset..at + offset + char.len_utf8()), char);
        (found.map(place).collect(), end)
    }

    /// A name or number. One with other letters of its script is a word of another language.
    fn word(&mut self, at: usize) -> usize {
        let before = self.text.get(self.copied..at).unwrap_or_default();
        let start = at - (before.len() - before.trim_end_matches(is_letter).len());
        let like = |char| is_letter(char) || look_alike(char).is_some_and(|found| found.kind == Kind::Letter);
        let (found, end) = self.run(start, |char| like(char) || char.is_alphanumeric());
        if self.text.get(start..end).unwrap_or_default().chars().all(like) {
            self.report(Span::from(start..end), &found);
        }
        end
    }

    fn signs(&mut self, at: usize) -> usize {
        let (found, end) = self.run(at, |char| look_alike(char).is_some_and(|found| found.kind == Kind::Sign));
        let plain = self.report(Span::from(at..end), &found);
        // A comment.
        if plain.contains('#') || plain.contains("//") { self.line_end(end) } else { end }
    }

    /// Replaces look-alikes in a word or in signs, and reports them. Returns the word or signs in characters of PSL.
    fn report(&mut self, span: Span, found: &[(Span, char)]) -> String {
        let mut edits = Vec::new();
        let mut named = Vec::new();
        let mut distinct: Vec<char> = Vec::new();
        for &(place, char) in found {
            let Some(LookAlike { name, plain, .. }) = look_alike(char) else { continue };
            self.replace(place, plain);
            if !distinct.contains(&char) {
                distinct.push(char);
                let looks = match () {
                    () if plain.ends_with("in") => "means",
                    () if named.is_empty() => "looks like",
                    () => "like",
                };
                let codes: Vec<String> = plain.chars().map(code_point).collect();
                let code = if let [code] = codes.as_slice() { format!(" ({code})") } else { String::new() };
                named.push(format!("`{char}` ({}, {name}) {looks} `{plain}`{code}", code_point(char)));
            }
            edits.push(Edit { span: place, text: plain.to_owned() });
        }
        let more = named.len().saturating_sub(MAX_NAMED);
        named.truncate(MAX_NAMED);
        let message = match named.as_slice() {
            [first, last] => format!("{first}, and {last}"),
            named if more > 0 => format!("{}, and {more} more", named.join(", ")),
            named => named.join(", "),
        };
        let whole = Edit::apply(&edits_within(&edits, span), span.of(self.text)).unwrap_or_default();
        let title = format!("Replace with `{whole}`");
        let place = found.iter().map(|(span, _)| *span).reduce(Span::join).unwrap_or(span);
        let help = format!("write `{whole}` in ASCII");
        self.diagnostics.push(syntax(place, message).help(help).fix_all(title, edits));
        whole
    }

    /// A string in quotes that look like straight ones.
    fn quoted(&mut self, at: usize, char: char) -> usize {
        let after = at + char.len_utf8();
        let straight = quote(char).unwrap_or('"');
        let closes = |char| char == straight || quote(char) == Some(straight);
        let is_opening = !self.before(at).is_some_and(char::is_alphanumeric);
        let close = self.closing(after, closes).filter(|_| is_opening);
        let Some((close, closing)) = close.and_then(|close| Some((close, self.char(close)?))) else { return after };
        let end = close + closing.len_utf8();
        let last = (closing != straight).then_some((close, closing));
        let quotes: Vec<_> = [(at, char)].into_iter().chain(last).collect();
        self.quotes(at..end, &quotes, straight);
        end
    }

    /// Replaces and reports the quotes of a string.
    fn quotes(&mut self, string: Range<usize>, quotes: &[(usize, char)], straight: char) {
        let mut edits = Vec::new();
        for &(at, char) in quotes {
            let span = Span::from(at..at + char.len_utf8());
            self.replace(span, straight.encode_utf8(&mut [0; 4]));
            edits.push(Edit { span, text: straight.to_string() });
        }
        let described = |char: char| format!("`{char}` ({}, {})", code_point(char), quote_name(char));
        let code = code_point(straight);
        let message = match quotes {
            [(_, one), (_, other)] if one != other => {
                format!("{} and {} look like `{straight}` ({code})", described(*one), described(*other))
            }
            [(_, one), ..] => format!("{} looks like `{straight}` ({code})", described(*one)),
            [] => return,
        };
        let title = format!("Replace with straight quotes, `{straight}`");
        self.diagnostics.push(syntax(Span::from(string), message).help(STRAIGHT_QUOTES).fix_all(title, edits));
    }

    /// White space and invisible characters of one kind, with the plain blanks between them.
    fn blanks(&mut self, at: usize, char: char, LookAlike { kind, name, plain }: LookAlike) -> usize {
        let is_blank = kind == Kind::Blank;
        let (found, end) = self.run(at, |other| other == char || is_blank && matches!(other, ' ' | '\t'));
        for (place, _) in &found {
            self.replace(*place, plain);
        }
        let place = found.iter().map(|(span, _)| *span).reduce(Span::join).unwrap_or_default();
        let many = found.len() > 1;
        let plural = if many { "s" } else { "" };
        let message = format!("unexpected {name}{plural} ({})", code_point(char));
        let (help, title) = match kind {
            Kind::Blank if many => ("write plain spaces (U+0020)", "Replace with spaces".to_owned()),
            Kind::Blank => ("write a plain space (U+0020)", "Replace with a space".to_owned()),
            Kind::LineEnd => ("end the line with a line feed (U+000A)", "Replace with a line end".to_owned()),
            _ => ("remove it: it is invisible", format!("Remove the {name}{plural}")),
        };
        let edits = found.iter().map(|(span, _)| Edit { span: *span, text: plain.to_owned() }).collect();
        self.diagnostics.push(syntax(place, message).help(help).fix_all(title, edits));
        end
    }
}

/// The edits as edits of the text of a span alone.
fn edits_within(edits: &[Edit], span: Span) -> Vec<Edit> {
    let within =
        |edit: &Edit| Edit { span: edit.span.shifted(0_u32.wrapping_sub(span.start)), text: edit.text.clone() };
    edits.iter().map(within).collect()
}

fn code_point(char: char) -> String {
    format!("U+{:04X}", char as u32)
}
