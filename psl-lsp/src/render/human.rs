//! Diagnostics as reports with the lines they speak of.
//!
//! Invariants: what a terminal would not show as it stands is shown by a character that it does, so carets stand below
//! what they mean and a program can not write over the report; a report's size does not grow with the length of a line.

use std::{
    io::{self, Write},
    ops::Range,
};

use ariadne::{Cache, Color, Config, IndexType, Label, Report, ReportKind, Source as AriadneSource};
use psl_syntax::{Diagnostic, Severity, Span};
use ropey::Rope;

use super::point;
use crate::{source::Source, text::Position};

/// Writes reports.
pub fn human(out: &mut impl Write, source: &Source, diagnostics: &[Diagnostic], color: bool) -> io::Result<()> {
    if diagnostics.is_empty() {
        return Ok(());
    }
    let text = Rope::from_str(&source.text);
    let mut whole = Named { name: source.name.clone(), source: AriadneSource::from(shown(&source.text)) };
    for diagnostic in diagnostics {
        // Labels out of the text's order would be shown as if they were of several files.
        let mut labels: Vec<(Span, &str)> =
            diagnostic.labels.iter().map(|label| (label.span, label.message.as_str())).collect();
        labels.push((diagnostic.span, "here"));
        labels.sort();
        match excerpt(&text, &labels) {
            None => report(diagnostic, diagnostic.span, &labels, color).write(&mut whole, &mut *out)?,
            Some((cut, moved)) => {
                let primary = labels.iter().zip(&moved).find(|((span, _), _)| *span == diagnostic.span);
                let place = primary.map_or(diagnostic.span, |(_, &(span, _))| span);
                let mut cache = Named { name: CUT.to_string(), source: AriadneSource::from(shown(&cut)) };
                let mut written = Vec::new();
                report(diagnostic, place, &moved, color).write(&mut cache, &mut written)?;
                let Position { line, column } = point(&text, diagnostic.span.start);
                let written = String::from_utf8_lossy(&written);
                write!(out, "{}", with_place(&written, &format!("{}:{line}:{column}", source.name)))?;
            }
        }
    }
    Ok(())
}

fn report<'l>(
    diagnostic: &Diagnostic,
    place: Span,
    labels: &[(Span, &'l str)],
    color: bool,
) -> Report<'l, (String, Range<usize>)> {
    let here = |span: Span| (String::new(), span.range());
    let kind = match diagnostic.severity {
        Severity::Error => ReportKind::Error,
        Severity::Warning => ReportKind::Warning,
        Severity::Info | Severity::Hint => ReportKind::Advice,
    };
    let mut report = Report::build(kind, here(place))
        .with_config(Config::default().with_index_type(IndexType::Byte).with_color(color))
        .with_code(diagnostic.code.as_str())
        .with_message(shown(&diagnostic.message))
        .with_labels(labels.iter().map(|&(span, message)| {
            let label = Label::new(here(span)).with_message(shown(message));
            if span == place { label.with_color(color_of(diagnostic.severity)) } else { label }
        }));
    if let Some(help) = &diagnostic.help {
        report = report.with_help(shown(help));
    }
    report.finish()
}

fn color_of(severity: Severity) -> Color {
    match severity {
        Severity::Error => Color::Red,
        Severity::Warning => Color::Yellow,
        Severity::Info | Severity::Hint => Color::Cyan,
    }
}

/// A cache of one file.
struct Named {
    name: String,
    source: AriadneSource<String>,
}

impl Cache<String> for Named {
    type Storage = String;

    fn fetch(&mut self, _: &String) -> Result<&AriadneSource<String>, impl std::fmt::Debug> {
        Ok::<_, std::convert::Infallible>(&self.source)
    }

    fn display<'a>(&self, _: &'a String) -> Option<impl std::fmt::Display + 'a> {
        Some(self.name.clone())
    }
}

/// The text with as many bytes, but without what moves a terminal's cursor or reverses its text, and without line ends
/// that are none in PSL.
fn shown(text: &str) -> String {
    text.chars()
        .map(|char| match char {
            '\t' | '\n' | '\r' => char,
            '\u{85}' => '\u{a0}',
            '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
            _ if char.is_control() && char.is_ascii() => '?',
            _ if char.is_control() => '\u{a0}',
            _ => char,
        })
        .collect()
}

/// The name of a cut text: what stands for it in a report is replaced by the true place.
const CUT: char = '\0';

fn with_place(report: &str, place: &str) -> String {
    let Some((before, rest)) = report.split_once(CUT) else { return report.to_owned() };
    let after = rest.find(' ').and_then(|end| rest.get(end..)).unwrap_or_default();
    format!("{before}{place}{after}")
}

/// How many characters of a long line are shown before and after each end of a label.
const AROUND: usize = 60;

/// How long a line may be, in bytes, to be shown whole.
const MAX_LINE: usize = 240;

/// A part of a text that is kept, and where it begins in the cut one. Both in bytes.
struct Kept {
    part: Range<usize>,
    at: usize,
}

/// Where a label is on a long line: the text's lines up to the last label, with only what stands near labels, and the
/// labels in it. Nothing where all lines can be shown whole.
fn excerpt<'l>(text: &Rope, labels: &[(Span, &'l str)]) -> Option<(String, Vec<(Span, &'l str)>)> {
    let ends = labels.iter().flat_map(|(span, _)| [span.start as usize, span.end as usize]);
    let mut ends: Vec<usize> = ends.map(|end| end.min(text.len_bytes())).collect();
    ends.sort_unstable();
    if ends.iter().all(|&end| line(text, text.byte_to_line(end)).len() <= MAX_LINE) {
        return None;
    }
    let mut cut = String::new();
    let mut kept: Vec<Kept> = Vec::new();
    let mut number = 0;
    for end in ends {
        let line_here = text.byte_to_line(end);
        let whole = line(text, line_here);
        let near = near(text, end, &whole);
        if line_here > number {
            end_line(text, &mut cut, kept.last(), number);
            cut.extend(std::iter::repeat_n('\n', line_here - number));
            number = line_here;
        }
        let done = kept.last().map_or(whole.start, |kept| kept.part.end).max(whole.start);
        if near.start > done {
            cut.push('…');
        }
        let part = near.start.max(done)..near.end.max(done);
        let at = cut.len();
        cut.extend(text.byte_slice(part.clone()).chunks());
        kept.push(Kept { part, at });
    }
    end_line(text, &mut cut, kept.last(), number);
    let place = |offset: u32| {
        let before = kept.partition_point(|kept| kept.part.start <= offset as usize);
        let kept = before.checked_sub(1).and_then(|index| kept.get(index));
        kept.map_or(0, |kept| (kept.at + (offset as usize).min(kept.part.end) - kept.part.start) as u32)
    };
    let labels = labels.iter().map(|&(span, label)| (Span::new(place(span.start), place(span.end)), label)).collect();
    Some((cut, labels))
}

/// The bytes of a line, without its line end.
fn line(text: &Rope, number: usize) -> Range<usize> {
    let start = text.line_to_byte(number);
    let line = text.line(number);
    let breaks = line.chars_at(line.len_chars()).reversed().take_while(|char| matches!(char, '\n' | '\r')).count();
    start..start + line.len_bytes() - breaks
}

/// What of a line is shown for a label that ends at `end`: all of a short one.
fn near(text: &Rope, end: usize, line: &Range<usize>) -> Range<usize> {
    if line.len() <= MAX_LINE {
        return line.clone();
    }
    let char = text.byte_to_char(end);
    let byte = |char: usize| text.char_to_byte(char.min(text.len_chars())).clamp(line.start, line.end);
    byte(char.saturating_sub(AROUND))..byte(char + AROUND)
}

/// Marks that the line goes on behind what was kept of it.
fn end_line(text: &Rope, cut: &mut String, kept: Option<&Kept>, number: usize) {
    if kept.is_some_and(|kept| kept.part.end < line(text, number).end) {
        cut.push('…');
    }
}
