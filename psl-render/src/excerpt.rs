//! Lines of a program with the places of a diagnostic underlined, as wide as the terminal.
//!
//! Invariants: nothing of the program is written except as [`shown`], so underlines are below what they mean and a
//! program cannot write over its report; size and time depend on the terminal's width, not on the length of a line or
//! of the text.

use std::{
    io::{self, Write},
    ops::Range,
};

use ariadne::Color;
use memchr::{memchr2, memrchr2};
use psl_syntax::{LineIndex, Span};
use unicode_width::UnicodeWidthStr;

use super::{
    labeled_line::{Label, dots, draw, forwards, width},
    measured::measured,
    shown::shown,
    terminal::{FRAME, Terminal},
};

/// A place to underline.
pub struct Mark<'m> {
    /// The place. If it covers several lines, the first is underlined.
    pub span: Span,
    /// The text beside or below the underline.
    pub text: Option<&'m str>,
    /// Whether the place is the diagnostic's own, and not one that is only involved.
    pub primary: bool,
    /// The color of the place, its underline and its text.
    pub color: Color,
}

/// A program's text and the terminal that shows it.
pub struct Excerpts<'t> {
    /// The text.
    pub text: &'t str,
    /// The lines of the text.
    pub lines: &'t LineIndex,
    /// The output.
    pub terminal: Terminal,
}

impl Excerpts<'_> {
    /// Writes the lines of marks, which are in the order of the text, below a head with the diagnostic's place.
    pub fn write(&self, out: &mut impl Write, head: &str, marks: &[Mark<'_>]) -> io::Result<()> {
        let number = |mark: &Mark<'_>| self.lines.point(mark.span.start).line;
        let digits = marks.iter().map(number).max().unwrap_or_default().to_string().len();
        let frame = |number: &str, border: &str| self.terminal.paint(FRAME, &format!(" {number:>digits$} {border}"));
        let (corner, bar) = if self.terminal.unicode { ("╭─[", "│") } else { (",-[", "|") };
        writeln!(out, "{} {head} {}", frame("", corner), self.terminal.paint(FRAME, "]"))?;
        // A blank, the number, a blank, the border and a blank.
        let room = self.terminal.columns.saturating_sub(digits + 4);
        let mut rest = marks;
        while let Some(first) = rest.first() {
            let line = self.line(first.span);
            let part = part(line.text, place(first.span, &line), room, self.terminal);
            let fits =
                |mark: &&Mark<'_>| mark.span.start as usize <= line.end() && place(mark.span, &line).end <= part.end;
            let (here, after) = rest.split_at(rest.iter().take_while(fits).count().max(1));
            let view = View::new(line.text, part, self.terminal);
            let labels: Vec<_> = here.iter().map(|mark| view.label(mark, place(mark.span, &line))).collect();
            let mut number = number(first).to_string();
            for row in draw(&view.text, &labels, Terminal { columns: room, ..self.terminal })? {
                writeln!(out, "{}", format!("{} {row}", frame(&number, bar)).trim_end())?;
                number.clear();
            }
            rest = after;
        }
        Ok(())
    }

    /// The line on which a place starts.
    fn line(&self, span: Span) -> Line<'_> {
        let at = self.text.floor_char_boundary(span.start as usize);
        let (before, after) = self.text.as_bytes().split_at(at);
        let start = memrchr2(b'\n', b'\r', before).map_or(0, |found| found + 1);
        let end = memchr2(b'\n', b'\r', after).map_or(self.text.len(), |found| at + found);
        Line { start, text: self.text.get(start..end).unwrap_or_default() }
    }
}

/// A line with its offset in the text.
struct Line<'t> {
    start: usize,
    text: &'t str,
}

impl Line<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// The byte range of a place within its line.
fn place(span: Span, line: &Line<'_>) -> Range<usize> {
    let inside = |offset: u32| line.text.floor_char_boundary((offset as usize).saturating_sub(line.start));
    inside(span.start)..inside(span.end)
}

/// The part of a line that fits the terminal, as ariadne gets it.
struct View {
    /// The part with dots where something is left out, and a blank for a place at the end.
    text: String,
    part: Range<usize>,
    /// The offset of the part in the text.
    start: usize,
}

impl View {
    fn new(line: &str, part: Range<usize>, terminal: Terminal) -> Self {
        let before = if part.start > 0 { dots(terminal) } else { "" };
        let after = if part.end < line.len() { dots(terminal) } else { "" };
        // `shown` keeps the number of bytes.
        let text = format!("{before}{}{after} ", shown(line.get(part.clone()).unwrap_or_default()));
        Self { text, part, start: before.len() }
    }

    /// The label of a place in the line. An empty place, and one in which nothing takes a column, get the next
    /// character.
    fn label<'m>(&self, mark: &Mark<'m>, place: Range<usize>) -> Label<'m> {
        let moved = |offset: usize| offset.clamp(self.part.start, self.part.end) - self.part.start + self.start;
        let chars = self.text.get(moved(place.start)..).unwrap_or_default().char_indices();
        let visible = chars.map(|(at, char)| (moved(place.start) + at, char)).find(|(_, char)| width(*char) > 0);
        let (start, next) = visible.map_or((0, 0), |(at, char)| (at, at + char.len_utf8()));
        Label { span: start..next.max(moved(place.end)), text: mark.text, primary: mark.primary, color: mark.color }
    }
}

/// Returns the whole line if it fits, and otherwise the part around a place.
fn part(line: &str, place: Range<usize>, room: usize, terminal: Terminal) -> Range<usize> {
    let line = &measured(line);
    if forwards(line, 0, room) == line.len() {
        return 0..line.len();
    }
    let dots = dots(terminal).width();
    let from_start = forwards(line, 0, room.saturating_sub(dots));
    if place.end <= from_start {
        return 0..from_start;
    }
    let start = backwards(line, place.start, room / 3);
    start..forwards(line, start, room.saturating_sub(2 * dots))
}

/// The start of the part before `end` that fits in `room` columns.
fn backwards(line: &str, end: usize, mut room: usize) -> usize {
    let rest = line.get(..end).unwrap_or_default();
    for (at, char) in rest.char_indices().rev() {
        match room.checked_sub(width(char)) {
            Some(left) => room = left,
            None => return at + char.len_utf8(),
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Terminal = Terminal { color: false, unicode: true, columns: 60 };

    /// Compares the excerpt of the marked places of a text, which are `«name»` or `«name:label»`, with the expected
    /// rows. The last place is the primary one.
    fn check(terminal: Terminal, marked: &str, expected: &[&str]) {
        let mut text = String::new();
        let mut places = Vec::new();
        for (number, part) in marked.split(['«', '»']).enumerate() {
            let (name, label) = part.split_once(':').map_or((part, None), |(name, label)| (name, Some(label)));
            if number % 2 == 0 {
                text.push_str(part);
            } else {
                let start = text.len() as u32;
                text.push_str(name);
                places.push((Span::new(start, text.len() as u32), label));
            }
        }
        let lines = LineIndex::new(&text);
        let marks: Vec<Mark<'_>> = places
            .iter()
            .enumerate()
            .map(|(number, (span, text))| {
                let primary = number + 1 == places.len();
                Mark { span: *span, text: *text, primary, color: if primary { Color::Red } else { Color::Cyan } }
            })
            .collect();
        let mut out = Vec::new();
        Excerpts { text: &text, lines: &lines, terminal }.write(&mut out, "a:1:1", &marks).expect("it is written");
        let out = String::from_utf8(out).expect("UTF-8");
        let rows: Vec<&str> = out.lines().skip(1).collect();
        assert_eq!(rows, expected, "\n{out}");
    }

    #[test]
    fn a_text_is_beside_its_underline_or_below() {
        check(PLAIN, "a «bc» d\n", &[" 1 │ a bc d", "   │   ━━"]);
        check(PLAIN, "a «bc:it is here» d\n", &[" 1 │ a bc d", "   │   ━━ it is here"]);
        check(PLAIN, "a «bc» «de:it» f\n", &[" 1 │ a bc de f", "   │   ── ━━ it"]);
        let long = "a".repeat(50);
        let shortened = format!("   │ {}… this is too long", "━".repeat(37));
        check(PLAIN, &format!("«{long}:this is too long»"), &[&format!(" 1 │ {long}"), &shortened]);
        check(
            PLAIN,
            "where position[n] == position[N] and «symbl[N]:a word of this long text is never cut into two» == A\n",
            &[
                " 1 │ where position[n] == position[N] and symbl[N] == A",
                "   │                                      ━━━━━━━━",
                "   │                          a word of this long text is",
                "   │                          never cut into two",
            ],
        );
    }

    #[test]
    fn several_texts_of_a_line_have_arrows_if_there_is_room() {
        check(
            PLAIN,
            "x «ab:one» «cd:two» y «ef» z\n",
            &[" 1 │ x ab cd y ef z", "   │   ┬─ ┬─   ──", "   │   │  ╰──────── two", "   │   ╰─────────── one"],
        );
        check(
            PLAIN,
            "日本 «語:wide» 😀\t«ef:tab» e\u{301}«é»\n",
            &[
                " 1 │ 日本 語 😀  ef e\u{301}é",
                "   │      ┬─     ┬─  ─",
                "   │      │      ╰────── tab",
                "   │      ╰───────────── wide",
            ],
        );
        check(
            PLAIN,
            "registers: {«symbol:it is first declared here», «symbol:and again, so that there is no room»}\n",
            &[
                " 1 │ registers: {symbol, symbol}",
                "   │             ────── it is first declared here",
                "   │                     ━━━━━━",
                "   │                     and again, so that there is no room",
            ],
        );
    }

    #[test]
    fn only_line_ends_of_the_language_end_a_line() {
        check(
            PLAIN,
            "a\u{b}b\u{c}c\u{85}d\u{2028}e\u{2029}«f»\n",
            &[" 1 │ a?b?c¿d\u{fffd}e\u{fffd}f", "   │           ━"],
        );
        check(PLAIN, "a\r«b»\r\nc\n«d»", &[" 2 │ b", "   │ ─", " 4 │ d", "   │ ━"]);
    }

    #[test]
    fn a_place_without_columns_is_underlined() {
        check(PLAIN, "a«»\nb", &[" 1 │ a", "   │  ━"]);
        check(PLAIN, "«»", &[" 1 │", "   │ ━"]);
        check(PLAIN, "a«\u{200b}»b", &[" 1 │ a\u{200b}b", "   │  ━"]);
        check(PLAIN, "«e\u{301}»b", &[" 1 │ e\u{301}b", "   │ ━"]);
    }

    #[test]
    fn a_long_line_is_shown_in_part() {
        let long = "word ".repeat(40);
        check(
            PLAIN,
            &format!("«a:first» {long}«b:last» {long}"),
            &[
                " 1 │ a word word word word word word word word word word wo…",
                "   │ ─ first",
                " 1 │ …rd word word word b word word word word word word wor…",
                "   │                    ━ last",
            ],
        );
    }

    #[test]
    fn a_terminal_without_unicode_gets_ascii() {
        let ascii = Terminal { unicode: false, ..PLAIN };
        check(
            ascii,
            "x «ab:one» «cd:two» y «ef» z\n",
            &[" 1 | x ab cd y ef z", "   |   |^ |^   ^^", "   |   |  `-------- two", "   |   `----------- one"],
        );
        let long = "word ".repeat(40);
        check(
            ascii,
            &format!("{long}«b»{long}\n«c»"),
            &[
                " 1 | ...rd word word word bword word word word word word ...",
                "   |                      -",
                " 2 | c",
                "   | ^",
            ],
        );
    }

    #[test]
    fn only_places_and_texts_are_colored() {
        let color = Terminal { color: true, ..PLAIN };
        check(
            color,
            "x «ab»«c» y\nz «de:it»",
            &[
                "\u{1b}[2m 1 │\u{1b}[0m x \u{1b}[36mabc\u{1b}[0m y",
                "\u{1b}[2m   │\u{1b}[0m   \u{1b}[36m───\u{1b}[0m",
                "\u{1b}[2m 2 │\u{1b}[0m z \u{1b}[31mde\u{1b}[0m",
                "\u{1b}[2m   │\u{1b}[0m   \u{1b}[31m━━\u{1b}[0m \u{1b}[31mit\u{1b}[0m",
            ],
        );
    }
}
