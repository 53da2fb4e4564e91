//! Diagnostics as reports with the lines they speak of.
//!
//! Invariants: nothing from outside is written but as [`shown`], so carets stand below what they mean and a program cannot write
//! over its report; a report's size and the time it takes do not grow with the text, the length of a line, or the number of
//! labels.

use std::{
    io::{self, Write},
    ops::Range,
};

use ariadne::{Cache, Color, Config, Fmt, IndexType, Label, Report, ReportKind, Source as AriadneSource};
use psl_ide::line_index::Point;
use psl_syntax::{Diagnostic, Severity, Span};
use ropey::Rope;

use crate::{counting::count, input_file::InputFile, shown::shown};

/// How many labels are shown besides the place itself; the others are counted.
const MAX_LABELS: usize = 10;

/// Writes reports.
pub fn human(out: &mut impl Write, source: &InputFile, diagnostics: &[Diagnostic], color: bool) -> io::Result<()> {
    if diagnostics.is_empty() {
        return Ok(());
    }
    let text = Rope::from_str(source.program.text());
    let name = shown(&source.name);
    for diagnostic in diagnostics {
        // Labels out of the text's order would be shown as if they were of several files.
        let mut labels: Vec<(Span, &str)> =
            diagnostic.labels.iter().take(MAX_LABELS).map(|label| (label.span, label.message.as_str())).collect();
        labels.push((diagnostic.span, "here"));
        labels.sort();
        let excerpt = excerpt(&text, &labels);
        let primary = labels.iter().zip(&excerpt.labels).find(|((span, _), _)| *span == diagnostic.span);
        let span = primary.map_or(diagnostic.span, |(_, &(span, _))| span);
        let heading = format!("[{}] {}:", diagnostic.code.as_str(), diagnostic.severity.as_str());
        let heading = if color { heading.fg(color_of(diagnostic.severity)).to_string() } else { heading };
        writeln!(out, "{heading} {}", shown(&diagnostic.message))?;
        let mut below = Vec::new();
        report(diagnostic, span, &excerpt.labels, color)
            .write(Cut(AriadneSource::from(shown(&excerpt.text))), &mut below)?;
        let Point { line, column } = source.program.line_index().point(diagnostic.span.start);
        let place = format!("{name}:{line}:{column}");
        write_placed(out, &String::from_utf8_lossy(&below), &place, &excerpt.lines)?;
    }
    Ok(())
}

/// All but the heading, whose words are not the library's.
fn report<'l>(
    diagnostic: &Diagnostic,
    place: Span,
    labels: &[(Span, &'l str)],
    color: bool,
) -> Report<'l, ((), Range<usize>)> {
    let here = |span: Span| ((), span.range());
    let severity = color_of(diagnostic.severity);
    let mut report = Report::build(ReportKind::Advice, here(place))
        .with_config(Config::default().with_index_type(IndexType::Byte).with_color(color))
        .with_labels(labels.iter().map(|&(span, message)| {
            let label = Label::new(here(span)).with_message(shown(message));
            if span == place { label.with_color(severity) } else { label }
        }));
    let more = diagnostic.labels.len().saturating_sub(MAX_LABELS);
    if more > 0 {
        report = report.with_note(format!("and {}", count(more, "more place")));
    }
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

/// The text of one report.
struct Cut(AriadneSource<String>);

impl Cache<()> for Cut {
    type Storage = String;

    fn fetch(&mut self, (): &()) -> Result<&AriadneSource<String>, impl std::fmt::Debug> {
        Ok::<_, std::convert::Infallible>(&self.0)
    }

    fn display<'a>(&self, (): &'a ()) -> Option<impl std::fmt::Display + 'a> {
        Some(NAME)
    }
}

/// The name of an excerpt, which no shown text holds: what stands for it in a report is replaced by the true place.
const NAME: char = '\0';

/// Writes what stands below the heading in the report of an excerpt, with the true place and the true numbers of its lines.
fn write_placed(out: &mut impl Write, report: &str, place: &str, lines: &[usize]) -> io::Result<()> {
    let digits = |number: usize| number.to_string().len();
    let wider = digits(lines.last().copied().unwrap_or_default()) - digits(lines.len());
    for row in report.split_inclusive('\n').skip(1) {
        let (before, rest) = row.split_at(margin(row));
        let number = rest.split(|char: char| !char.is_ascii_digit()).next().unwrap_or_default();
        let line = number.parse::<usize>().ok().and_then(|number| lines.get(number.checked_sub(1)?));
        if let Some(line) = line {
            let blanks = before.len() - before.trim_end_matches(' ').len();
            let width = wider + blanks + number.len();
            let (before, after) = (before.trim_end_matches(' '), rest.get(number.len()..).unwrap_or_default());
            write!(out, "{before}{line:>width$}{after}")?;
            continue;
        }
        // What has no number starts further right, the last row with a longer line.
        let filler = if rest.starts_with('─') { "─" } else { " " };
        write!(out, "{before}{}", filler.repeat(wider))?;
        match rest.split_once(NAME) {
            Some((frame, position)) => {
                let after = position.find(' ').and_then(|end| position.get(end..)).unwrap_or_default();
                write!(out, "{frame}{place}{after}")?;
            }
            None => write!(out, "{rest}")?,
        }
    }
    Ok(())
}

/// Where the first thing in a row stands that is neither a blank nor a colour.
fn margin(row: &str) -> usize {
    let mut rest = row;
    loop {
        rest = rest.trim_start_matches(' ');
        match rest.strip_prefix('\u{1b}').and_then(|color| color.split_once('m')) {
            Some((_, after)) => rest = after,
            None => return row.len() - rest.len(),
        }
    }
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

/// What of a text a report shows.
struct Excerpt<'l> {
    /// The lines on which labels begin or end, long ones in part, with an empty one for all that is between two of them.
    text: String,
    /// The labels in it.
    labels: Vec<(Span, &'l str)>,
    /// The true numbers of its lines, from 1.
    lines: Vec<usize>,
}

fn excerpt<'l>(text: &Rope, labels: &[(Span, &'l str)]) -> Excerpt<'l> {
    let ends = labels.iter().flat_map(|(span, _)| [span.start as usize, last(*span)]);
    let mut ends: Vec<usize> = ends.map(|end| end.min(text.len_bytes())).collect();
    ends.sort_unstable();
    let mut cut = String::new();
    let mut lines: Vec<usize> = Vec::new();
    let mut kept: Vec<Kept> = Vec::new();
    for end in ends {
        let number = text.byte_to_line(end) + 1;
        let whole = line(text, number - 1);
        let near = near(text, end, &whole);
        if let Some(&before) = lines.last().filter(|&&before| before < number) {
            end_line(text, &mut cut, kept.last(), before);
            cut.push('\n');
            if before + 1 < number {
                cut.push('\n');
                lines.push(before + 1);
            }
        }
        if lines.last() != Some(&number) {
            lines.push(number);
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
    lines.last().iter().for_each(|&&number| end_line(text, &mut cut, kept.last(), number));
    let place = |offset: usize| {
        let before = kept.partition_point(|kept| kept.part.start <= offset);
        let kept = before.checked_sub(1).and_then(|index| kept.get(index));
        kept.map_or(0, |kept| (kept.at + offset.min(kept.part.end) - kept.part.start) as u32)
    };
    let moved = |span: Span| Span::new(place(span.start as usize), place(span.end as usize));
    let labels = labels.iter().map(|&(span, label)| (moved(span), label)).collect();
    Excerpt { text: cut, labels, lines }
}

/// The byte that a label ends with.
fn last(span: Span) -> usize {
    (span.end as usize).saturating_sub(1).max(span.start as usize)
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

/// Marks that the line with this number goes on behind what was kept of it.
fn end_line(text: &Rope, cut: &mut String, kept: Option<&Kept>, number: usize) {
    if kept.is_some_and(|kept| kept.part.end < line(text, number - 1).end) {
        cut.push('…');
    }
}

#[cfg(test)]
mod tests {
    use psl_syntax::Code;

    use super::*;

    #[test]
    fn of_many_labels_some_are_shown_and_the_others_counted() {
        let text = "x\n".repeat(100);
        let mut diagnostic = Diagnostic::new(Code::Syntax, Span::new(0, 1), "it is found often");
        for line in 1..50 {
            diagnostic = diagnostic.label(Span::new(2 * line, 2 * line + 1), format!("label {line}"));
        }
        let source = InputFile::pargen().with_text(&text);
        let mut report = Vec::new();
        human(&mut report, &source, &[diagnostic], false).expect("it is written");
        let report = String::from_utf8(report).expect("UTF-8");
        assert_eq!(report.matches("label ").count(), MAX_LABELS, "{report}");
        assert!(report.contains("Note: and 39 more places"), "{report}");
    }
}
