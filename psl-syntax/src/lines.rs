//! The lines of a text, for the few rules that depend on them.

use std::{borrow::Cow, cell::OnceCell, iter};

use crate::{span::Span, token::Token};

const BLANKS: [char; 2] = [' ', '\t'];
const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// The number of line ends between two offsets. `\r\n` is one.
pub fn line_breaks(text: &str, start: u32, end: u32) -> usize {
    line_ends(text, start, end).count()
}

/// Whether exactly `count` line ends are between two offsets. Stops after one more.
pub fn has_line_breaks(text: &str, start: u32, end: u32, count: usize) -> bool {
    line_ends(text, start, end).take(count + 1).count() == count
}

fn line_ends(text: &str, start: u32, end: u32) -> impl Iterator<Item = bool> {
    let mut before = 0;
    let ends_line = move |byte| {
        let after_return = before == b'\r';
        before = byte;
        byte == b'\r' || (byte == b'\n' && !after_return)
    };
    Span::new(start, end.max(start)).of(text).bytes().map(ends_line).filter(|ends| *ends)
}

/// The blanks before an offset, if they start its line.
pub fn indentation(text: &str, offset: u32) -> Option<&str> {
    let before = text.get(..offset as usize)?;
    let line = before.trim_end_matches(BLANKS);
    (line.is_empty() || line.ends_with(['\n', '\r', '\u{feff}'])).then(|| before.get(line.len()..)).flatten()
}

/// The blanks at the start of the line of an offset.
pub fn line_indentation(text: &str, offset: u32) -> &str {
    let before = text.get(..offset as usize).unwrap_or_default();
    let line = before.rsplit(LINE_ENDS).next().unwrap_or_default().trim_start_matches('\u{feff}');
    let rest = line.trim_start_matches(BLANKS);
    line.get(..line.len() - rest.len()).unwrap_or_default()
}

/// The span with the blanks around it and one line end, if nothing else is on its lines. Otherwise the span itself.
pub fn whole_lines(text: &str, span: Span) -> Span {
    let after = text.get(span.end as usize..).unwrap_or_default();
    let rest = after.trim_start_matches(BLANKS);
    let line_end = ["\r\n", "\n", "\r"].into_iter().find(|end| rest.starts_with(end)).unwrap_or_default();
    match indentation(text, span.start) {
        Some(blanks) if !line_end.is_empty() || rest.is_empty() => {
            let end = span.end as usize + (after.len() - rest.len()) + line_end.len();
            Span::new(span.start - blanks.len() as u32, end as u32)
        }
        _ => span,
    }
}

/// Consecutive tokens of a text on one line, without the comments in between.
pub fn on_one_line<'t>(text: &'t str, tokens: &[Token]) -> Cow<'t, str> {
    let [first, .., last] = tokens else { return Cow::Borrowed(tokens.first().map_or("", |only| only.span.of(text))) };
    // A comment ends at the end of its line.
    if line_breaks(text, first.span.end, last.span.start) == 0 {
        return Cow::Borrowed(first.span.join(last.span).of(text));
    }
    let mut line = first.span.of(text).to_owned();
    for pair in tokens.windows(2) {
        let [before, token] = pair else { continue };
        let gap = Span::new(before.span.end, token.span.start);
        line.push_str(if line_breaks(text, gap.start, gap.end) == 0 { gap.of(text) } else { " " });
        line.push_str(token.span.of(text));
    }
    Cow::Owned(line)
}

/// The span to remove with code, including its blanks, or its whole lines if nothing else is on them.
pub fn removal(text: &str, span: Span) -> Span {
    let lines = whole_lines(text, span);
    if lines != span {
        return lines;
    }
    let before = text.get(..span.start as usize).unwrap_or_default();
    let after = text.get(span.end as usize..).unwrap_or_default();
    let blanks_before = (before.len() - before.trim_end_matches(BLANKS).len()) as u32;
    let rest = after.trim_start_matches(BLANKS);
    let blanks_after = (after.len() - rest.len()) as u32;
    let ends_line = rest.is_empty() || rest.starts_with(LINE_ENDS);
    let before_comment = rest.starts_with(['#', '/']) && !before.ends_with([' ', '\t', '\n', '\r']);
    if ends_line {
        Span::new(span.start - blanks_before, span.end)
    } else if before_comment {
        span
    } else {
        Span::new(span.start, span.end + blanks_after)
    }
}

/// The start of the empty line above whole lines, if the one below them is empty too, or if nothing is below.
pub fn start_of_surplus_line(text: &str, lines: Span) -> Option<u32> {
    let before = text.get(..lines.start as usize)?;
    let above = before.strip_suffix("\r\n").or_else(|| before.strip_suffix(LINE_ENDS))?;
    let line = above.trim_end_matches(BLANKS);
    let is_between = line.ends_with(LINE_ENDS);
    let below = text.get(lines.end as usize..)?.trim_start_matches(BLANKS);
    (is_between && (below.is_empty() || below.starts_with(LINE_ENDS))).then_some(line.len() as u32)
}

/// The start of the line after the one of an offset. `None` for the last line.
pub fn line_start_after(text: &str, offset: u32) -> Option<u32> {
    let rest = text.get(offset as usize..)?;
    let end = rest.find(LINE_ENDS)?;
    let length = if rest.get(end..)?.starts_with("\r\n") { 2 } else { 1 };
    Some(offset + (end + length) as u32)
}

/// The lines of a text, for repeated lookups.
pub struct Lines<'t> {
    text: &'t str,
    all: OnceCell<Vec<Line>>,
}

#[derive(Clone, Copy, Default)]
pub struct Line {
    /// The offset of the first byte.
    pub start: u32,
    /// The number of blanks at the start, in bytes.
    pub indent: u32,
}

impl<'t> Lines<'t> {
    /// The lines of the text.
    pub const fn new(text: &'t str) -> Self {
        Self { text, all: OnceCell::new() }
    }

    pub fn at(&self, offset: u32) -> Line {
        // Most lookups are for the start of a line, which needs no index.
        let before = self.text.get(..offset as usize).unwrap_or_default();
        let start = before.trim_end_matches(BLANKS).len();
        let starts_line = start == 0 || before.get(..start).is_some_and(|before| before.ends_with(LINE_ENDS));
        if starts_line { self.line_from(start) } else { self.found(offset) }
    }

    /// The number of blanks at the start of the line of an offset, in bytes.
    pub fn indent(&self, offset: u32) -> u32 {
        self.at(offset).indent
    }

    fn line_from(&self, start: usize) -> Line {
        let rest = self.text.get(start..).unwrap_or_default();
        let indent = rest.len() - rest.trim_start_matches(BLANKS).len();
        Line { start: start as u32, indent: indent as u32 }
    }

    /// The line of an offset, by binary search. Searching for its start would be quadratic in a long line.
    fn found(&self, offset: u32) -> Line {
        let all = self.all.get_or_init(|| {
            let ends = self.text.match_indices(LINE_ENDS).map(|(end, _)| end + 1);
            iter::once(0).chain(ends).map(|start| self.line_from(start)).collect()
        });
        let after = all.partition_point(|line| line.start <= offset);
        after.checked_sub(1).and_then(|line| all.get(line)).copied().unwrap_or_default()
    }
}
