//! Lines of a text, for those few rules that look at them.

use crate::span::Span;

/// How many lines end between two offsets; `\r\n` ends one.
pub fn line_breaks(text: &str, start: u32, end: u32) -> usize {
    let mut before = 0;
    let ends_line = |byte| {
        let after_return = before == b'\r';
        before = byte;
        byte == b'\r' || (byte == b'\n' && !after_return)
    };
    Span::new(start, end.max(start)).of(text).bytes().map(ends_line).filter(|ends| *ends).count()
}

/// The blanks before an offset, where nothing else stands before it on its line.
pub fn indentation(text: &str, offset: u32) -> Option<&str> {
    let before = text.get(..offset as usize)?;
    let line = before.trim_end_matches([' ', '\t']);
    (line.is_empty() || line.ends_with(['\n', '\r', '\u{feff}'])).then(|| before.get(line.len()..)).flatten()
}

/// The blanks at the start of an offset's line.
pub fn line_indentation(text: &str, offset: u32) -> &str {
    let before = text.get(..offset as usize).unwrap_or_default();
    let line = before.rsplit(['\n', '\r']).next().unwrap_or_default().trim_start_matches('\u{feff}');
    let rest = line.trim_start_matches([' ', '\t']);
    line.get(..line.len() - rest.len()).unwrap_or_default()
}

/// The span with the blanks around it and one line end, where nothing else stands on its lines; else just the span.
pub fn whole_lines(text: &str, span: Span) -> Span {
    let after = text.get(span.end as usize..).unwrap_or_default();
    let rest = after.trim_start_matches([' ', '\t']);
    let line_end = ["\r\n", "\n", "\r"].into_iter().find(|end| rest.starts_with(end)).unwrap_or_default();
    match indentation(text, span.start) {
        Some(blanks) if !line_end.is_empty() || rest.is_empty() => {
            let end = span.end as usize + (after.len() - rest.len()) + line_end.len();
            Span::new(span.start - blanks.len() as u32, end as u32)
        }
        _ => span,
    }
}

/// Where the lines of a text start, to be asked for often.
pub struct Lines(Vec<Line>);

/// A line.
#[derive(Clone, Copy, Default)]
pub struct Line {
    /// Its first byte.
    pub start: u32,
    /// How many bytes of blanks it starts with.
    pub indent: u32,
}

impl Lines {
    /// The lines of the text.
    pub fn new(text: &str) -> Self {
        let mut start = 0;
        let line = |line: &str| {
            let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
            let found = Line { start, indent: indent as u32 };
            start += line.len() as u32 + 1;
            found
        };
        Self(text.split(['\n', '\r']).map(line).collect())
    }

    /// The line of an offset.
    pub fn at(&self, offset: u32) -> Line {
        let after = self.0.partition_point(|line| line.start <= offset);
        after.checked_sub(1).and_then(|line| self.0.get(line)).copied().unwrap_or_default()
    }

    /// How many bytes of blanks its line starts with.
    pub fn indent(&self, offset: u32) -> u32 {
        self.at(offset).indent
    }
}
