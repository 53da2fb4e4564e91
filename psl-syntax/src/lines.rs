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
