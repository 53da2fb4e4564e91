//! A line of a program with its labels, drawn by ariadne.
//!
//! Ariadne gets one line at a time, because it numbers the lines of an excerpt from 1. It neither underlines a label
//! without a text nor wraps a text, so the texts are set here.

use std::{borrow::Cow, io, ops::Range};

use ariadne::{CharSet, Color, Config, Fmt, IndexType, LabelAttach, Report, ReportKind, Source};
use textwrap::core::display_width;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{
    measured::{measured, restored},
    terminal::Terminal,
};

/// Minimum columns for a text below an underline.
const LABEL_ROOM: usize = 30;

/// Minimum length of an underline that is shortened for its text.
const SHORTEST_UNDERLINE: usize = 8;

/// The distance of tab stops.
const TAB: usize = 4;

/// The rows before the line: a heading, the place and a blank one.
const HEAD: usize = 3;

/// The characters of the margin: a blank, the number 1, a blank, the border and a blank.
const MARGIN: usize = 5;

/// The sequence that ends a color.
const PLAIN: &str = "\u{1b}[0m";

/// The character before the number of a label. The line has none, because control characters are replaced.
const MARK: char = '\0';

/// A place in a line.
#[derive(Clone)]
pub struct Label<'m> {
    /// The bytes in the line, with at least one that takes a column.
    pub span: Range<usize>,
    /// The text beside or below the underline.
    pub text: Option<&'m str>,
    /// Whether the place is the diagnostic's own, and not one that is only involved.
    pub primary: bool,
    /// The color of the place, its underline and its text.
    pub color: Color,
}

/// Draws a line above its labels, which are in the order of the line. A text is beside its underline, or below it if
/// the terminal is too narrow. Several are beside arrows if there is room.
pub fn draw(text: &str, labels: &[Label<'_>], terminal: Terminal) -> io::Result<Vec<String>> {
    let line = &measured(text);
    let mut drawn = ariadne(line, labels, terminal)?;
    if let (Cow::Owned(_), Some(row)) = (line, drawn.first_mut()) {
        *row = restored(row, text);
    }
    if labels.iter().rev().skip(1).any(|label| label.text.is_some()) {
        let rows = with_texts(&drawn, labels, terminal);
        if rows.iter().all(|row| display_width(row) <= terminal.columns) {
            return Ok(rows);
        }
    }
    drawn.truncate(1);
    for labels in labels.chunk_by(|one, _| one.text.is_none()) {
        drawn.extend(underlines(line, labels, terminal)?);
    }
    Ok(drawn)
}

/// Sets the texts beside their arrows, without the rows that only keep arrows apart.
fn with_texts(drawn: &[String], labels: &[Label<'_>], terminal: Terminal) -> Vec<String> {
    let set = |(number, row): (usize, &String)| {
        let Some((arrow, label)) = row.split_once(MARK) else { return (number < 2).then(|| row.clone()) };
        let label = labels.get(label.parse::<usize>().ok()?)?;
        Some(format!("{arrow}{}", label.paint(label.text.unwrap_or_default(), terminal)))
    };
    drawn.iter().enumerate().filter_map(set).collect()
}

/// Draws underlines beside each other. Only the last has a text, which may take further rows.
fn underlines(line: &str, labels: &[Label<'_>], terminal: Terminal) -> io::Result<Vec<String>> {
    let mut labels = labels.to_vec();
    let Some(last) = labels.last_mut() else { return Ok(Vec::new()) };
    let text = last.text.unwrap_or_default().to_owned();
    let (start, length) = (columns(line, 0..last.span.start), columns(line, last.span.clone()));
    // A blank separates the two, and dots end a shortened underline.
    let room = terminal.columns.saturating_sub(start + text.width() + 1);
    let dots = dots(terminal);
    let is_beside = text.is_empty() || room >= length;
    let is_shortened = !is_beside && room >= SHORTEST_UNDERLINE.max(length / 2) + dots.width();
    if is_shortened {
        last.span.end = forwards(line, last.span.start, room - dots.width());
    }
    let last = last.clone();
    // Ariadne underlines labels with texts.
    for label in &mut labels {
        label.text = Some("");
    }
    let (bar, sign) = if terminal.unicode { ('┬', '─') } else { ('|', '^') };
    let drawn = ariadne(line, &labels, terminal)?;
    // Each underline starts with a bar.
    let mut parts = drawn.get(1).map_or("", |row| row.trim_end()).split(bar);
    let mut underlines = parts.next().unwrap_or_default().to_owned();
    for (label, part) in labels.iter().zip(parts) {
        underlines.push_str(label.sign(terminal));
        underlines.push_str(&part.replace(sign, label.sign(terminal)));
    }
    let indent = " ".repeat(start.min(terminal.columns.saturating_sub(LABEL_ROOM)));
    Ok(if text.is_empty() {
        vec![underlines]
    } else if is_beside {
        vec![format!("{underlines} {}", last.paint(&text, terminal))]
    } else if is_shortened {
        vec![format!("{underlines}{}", last.paint(&format!("{dots} {text}"), terminal))]
    } else {
        let below = terminal.wrap(&text, &indent, &indent);
        [underlines].into_iter().chain(below.iter().map(|row| last.paint(row, terminal))).collect()
    })
}

impl Label<'_> {
    fn sign(&self, terminal: Terminal) -> &'static str {
        match (terminal.unicode, self.primary) {
            (true, true) => "━",
            (true, false) => "─",
            (false, true) => "^",
            (false, false) => "-",
        }
    }

    fn paint(&self, text: &str, terminal: Terminal) -> String {
        text.fg(terminal.color.then_some(self.color)).to_string()
    }
}

/// The rows that ariadne draws right of its margin: the line and, for each label with a text, one that leads to it and
/// one with an arrow, [`MARK`] and the number of the label. The first after the line has all underlines.
fn ariadne(line: &str, labels: &[Label<'_>], terminal: Terminal) -> io::Result<Vec<String>> {
    let config = Config::new()
        .with_char_set(if terminal.unicode { CharSet::Unicode } else { CharSet::Ascii })
        .with_index_type(IndexType::Byte)
        .with_label_attach(LabelAttach::Start)
        .with_tab_width(TAB);
    let labels = (0_i32..).zip(labels).map(|(number, label)| {
        let drawn = ariadne::Label::new(label.span.clone());
        let drawn = if terminal.color { drawn.with_color(label.color) } else { drawn };
        match label.text {
            // From right to left, so that no arrow crosses another.
            Some(_) => drawn.with_message(format!("{MARK}{number}")).with_order(-number),
            None => drawn.with_order(1),
        }
    });
    // The configuration follows the labels, which would otherwise lose their colors with the rest.
    let report = Report::build(ReportKind::Custom("", Color::Primary), 0..0)
        .with_labels(labels)
        .with_config(config.with_color(false))
        .finish();
    let mut drawn = Vec::new();
    report.write(Source::from(line), &mut drawn)?;
    let drawn = String::from_utf8(drawn).map_err(io::Error::other)?;
    let mut rows: Vec<&str> = drawn.lines().skip(HEAD).collect();
    // The frame.
    rows.pop();
    let without_margin = |row: &str| {
        let mut chars = row.chars();
        chars.by_ref().take(MARGIN).for_each(drop);
        in_runs(chars.as_str())
    };
    Ok(rows.into_iter().map(without_margin).collect())
}

/// Colors neighbors of one color at once: ariadne colors each character.
fn in_runs(row: &str) -> String {
    let mut runs = String::new();
    let mut last = "";
    for cell in row.split_inclusive(PLAIN) {
        let (plain, colored) = cell.split_at(cell.find('\u{1b}').unwrap_or(cell.len()));
        let (color, text) = colored.split_at(colored.find('m').map_or(0, |end| end + 1));
        if plain.is_empty() && color == last {
            runs.truncate(runs.len().saturating_sub(PLAIN.len()));
        } else {
            runs.extend([plain, color]);
        }
        runs.push_str(text);
        last = color;
    }
    runs
}

/// The characters for what is left out.
pub fn dots(terminal: Terminal) -> &'static str {
    if terminal.unicode { "…" } else { "..." }
}

/// The columns of a part of a line.
fn columns(line: &str, part: Range<usize>) -> usize {
    line.get(part).unwrap_or_default().chars().map(width).sum()
}

/// The maximum columns of a character.
pub fn width(char: char) -> usize {
    if char == '\t' { TAB } else { char.width().unwrap_or(1) }
}

/// The end of the part after `start` that fits in `room` columns.
pub fn forwards(line: &str, start: usize, mut room: usize) -> usize {
    let rest = line.get(start..).unwrap_or_default();
    for (at, char) in rest.char_indices() {
        match room.checked_sub(width(char)) {
            Some(left) => room = left,
            None => return start + at,
        }
    }
    line.len()
}
