//! Lines of a program with the places of a diagnostic underlined, as wide as the terminal.
//!
//! Invariants: nothing of the program is written except as [`shown`], so underlines are below what they mean and a program cannot
//! write over its report; size and time depend on the terminal's width, not on the length of a line or of the text.

use std::{
    io::{self, Write},
    ops::Range,
};

use anstyle::Style;
use memchr::{memchr2, memrchr2};
use psl_program::LineIndex;
use psl_syntax::Span;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::output::{
    shown::shown,
    terminal::{CODE, FRAME, Terminal},
};

/// Minimum columns for a text below an underline.
const LABEL_ROOM: usize = 30;

/// Minimum length of an underline that is shortened for its text.
const SHORTEST_UNDERLINE: usize = 8;

/// A place to underline.
pub struct Mark<'m> {
    /// The place. If it covers several lines, the first is underlined.
    pub span: Span,
    /// The text beside or below the underline.
    pub text: Option<&'m str>,
    /// The style of the diagnostic's own place, or `None` for a place that is only involved.
    pub primary: Option<Style>,
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
        writeln!(out, "{} {head} {}", frame("", "╭─["), self.terminal.paint(FRAME, "]"))?;
        // A blank, the number, a blank, the border and a blank.
        let room = self.terminal.columns.saturating_sub(digits + 4);
        let mut rest = marks;
        while let Some(first) = rest.first() {
            let line = self.line(first.span);
            let view = View::of(line.text, place(first.span, &line), room);
            let fits = |mark: &&Mark<'_>| {
                mark.span.start as usize <= line.end() && place(mark.span, &line).end <= view.part.end
            };
            let (here, after) = rest.split_at(rest.iter().take_while(fits).count().max(1));
            let row = format!("{} {}", frame(&number(first).to_string(), "│"), view.text());
            writeln!(out, "{}", row.trim_end())?;
            for row in rows(here) {
                let drawn: Vec<Underline<'_>> =
                    row.iter().map(|mark| Underline::of(mark, &view, place(mark.span, &line))).collect();
                for row in self.underlines(&drawn, room) {
                    writeln!(out, "{} {row}", frame("", "│"))?;
                }
            }
            rest = after;
        }
        Ok(())
    }

    /// The line on which a place starts.
    fn line(&self, span: Span) -> Line<'_> {
        let at = (span.start as usize).min(self.text.len());
        let (before, after) = self.text.as_bytes().split_at(at);
        let start = memrchr2(b'\n', b'\r', before).map_or(0, |found| found + 1);
        let end = memchr2(b'\n', b'\r', after).map_or(self.text.len(), |found| at + found);
        Line { start, text: self.text.get(start..end).unwrap_or_default() }
    }

    /// Draws underlines beside each other. Only the last has a text, which may take further rows.
    fn underlines(&self, marks: &[Underline<'_>], room: usize) -> Vec<String> {
        let mut row = String::new();
        let mut column = 0;
        for mark in marks {
            row.push_str(&" ".repeat(mark.column.saturating_sub(column)));
            let Some(text) = mark.text else {
                row.push_str(&self.terminal.paint(mark.style, &mark.line(mark.width)));
                column = mark.column + mark.width;
                continue;
            };
            // A blank separates the two, and `…` ends a shortened underline.
            let beside = room.saturating_sub(mark.column + text.width() + 1);
            if beside >= mark.width {
                let both = format!("{} {text}", mark.line(mark.width));
                row.push_str(&self.terminal.paint(mark.style, &both));
            } else if beside > SHORTEST_UNDERLINE.max(mark.width / 2) {
                let both = format!("{}… {text}", mark.line(beside - 1));
                row.push_str(&self.terminal.paint(mark.style, &both));
            } else {
                row.push_str(&self.terminal.paint(mark.style, &mark.line(mark.width)));
                let indent = " ".repeat(mark.column.min(room.saturating_sub(LABEL_ROOM)));
                let below = Terminal { columns: room, ..self.terminal };
                let lines = below.wrap(text, &indent, &indent);
                return [row].into_iter().chain(lines.iter().map(|line| below.paint(mark.style, line))).collect();
            }
        }
        vec![row]
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
    let inside = |offset: u32| (offset as usize).clamp(line.start, line.end()) - line.start;
    inside(span.start)..inside(span.end)
}

/// Splits marks into rows. The marks of a row are beside each other, and only the last has a text.
fn rows<'r, 'm>(marks: &'r [Mark<'m>]) -> impl Iterator<Item = &'r [Mark<'m>]> {
    marks.chunk_by(|one, other| one.text.is_none() && one.span.end < other.span.start)
}

/// The part of a line that fits the terminal.
struct View<'l> {
    line: &'l str,
    part: Range<usize>,
}

impl<'l> View<'l> {
    /// Returns the whole line if it fits, and otherwise the part around a place.
    fn of(line: &'l str, place: Range<usize>, room: usize) -> Self {
        let whole = forwards(line, 0, room);
        if whole == line.len() {
            return Self { line, part: 0..whole };
        }
        // `…` takes one column.
        let from_start = forwards(line, 0, room.saturating_sub(1));
        if place.end <= from_start {
            return Self { line, part: 0..from_start };
        }
        let start = backwards(line, place.start, room / 3);
        let end = forwards(line, start, room.saturating_sub(2));
        Self { line, part: start..end }
    }

    fn text(&self) -> String {
        let before = if self.part.start > 0 { "…" } else { "" };
        let after = if self.part.end < self.line.len() { "…" } else { "" };
        format!("{before}{}{after}", visible(self.line.get(self.part.clone()).unwrap_or_default()))
    }

    /// The column of an offset of the line.
    fn column(&self, offset: usize) -> usize {
        let end = offset.clamp(self.part.start, self.part.end);
        let before = self.line.get(self.part.start..end).unwrap_or_default();
        usize::from(self.part.start > 0) + visible(before).width()
    }
}

/// A place in a view.
struct Underline<'m> {
    column: usize,
    width: usize,
    sign: &'static str,
    style: Style,
    text: Option<&'m str>,
}

impl<'m> Underline<'m> {
    fn of(mark: &Mark<'m>, view: &View<'_>, place: Range<usize>) -> Self {
        let column = view.column(place.start);
        // An empty place, such as the end of a line, gets one column.
        let width = view.column(place.end).saturating_sub(column).max(1);
        let (sign, style) = mark.primary.map_or(("─", CODE), |style| ("━", style));
        Self { column, width, sign, style, text: mark.text }
    }

    fn line(&self, width: usize) -> String {
        self.sign.repeat(width)
    }
}

/// The printed form of a part of a line.
fn visible(text: &str) -> String {
    shown(text).replace('\t', "    ")
}

fn width(char: char) -> usize {
    if char == '\t' { 4 } else { char.width().unwrap_or(1) }
}

/// The end of the part after `start` that fits in `room` columns.
fn forwards(line: &str, start: usize, mut room: usize) -> usize {
    let rest = line.get(start..).unwrap_or_default();
    for (at, char) in rest.char_indices() {
        match room.checked_sub(width(char)) {
            Some(left) => room = left,
            None => return start + at,
        }
    }
    line.len()
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
