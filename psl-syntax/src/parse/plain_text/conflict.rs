//! The markers that git leaves where two changes of a text conflict.

use crate::{
    diagnostic::{Diagnostic, Edit, Fix},
    lines::line_start_after,
    parse::parser::syntax,
    span::Span,
};

const OURS: &str = "<<<<<<<";
const BASE: &str = "|||||||";
const MIDDLE: &str = "=======";
const THEIRS: &str = ">>>>>>>";

/// The lines of a conflict.
pub struct Conflict {
    /// The lines to leave out, so that one side is left, in text order.
    pub left_out: Vec<Span>,
    pub diagnostic: Diagnostic,
}

/// Whether a text may have conflicts. A line of `=======` alone is none.
pub fn may_have_conflicts(text: &str) -> bool {
    [OURS, BASE, THEIRS].iter().any(|marker| text.contains(marker))
}

/// The conflict whose first marker is on the line that starts at an offset, if there is one.
pub fn conflict(text: &str, start: u32) -> Option<Conflict> {
    let all = if marker(text, start)? == OURS { sides(text, start) } else { None };
    Some(all.unwrap_or_else(|| left_over(text, start)))
}

/// The marker at the start of a line.
fn marker(text: &str, start: u32) -> Option<&'static str> {
    let written = line(text, start);
    [OURS, BASE, MIDDLE, THEIRS]
        .into_iter()
        .find(|marker| written.strip_prefix(marker).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')))
}

/// The rest of a line from an offset on.
fn line(text: &str, start: u32) -> &str {
    text.get(start as usize..).and_then(|rest| rest.split(['\n', '\r']).next()).unwrap_or_default()
}

/// The end of a line with its line end.
fn line_end(text: &str, start: u32) -> u32 {
    line_start_after(text, start).unwrap_or(text.len() as u32)
}

/// A conflict with all of its markers.
fn sides(text: &str, start: u32) -> Option<Conflict> {
    let mut base = None;
    let mut middle = None;
    let mut at = line_start_after(text, start)?;
    let last = loop {
        match marker(text, at) {
            Some(OURS) => return None,
            Some(BASE) if middle.is_none() => base = Some(at),
            Some(MIDDLE) if middle.is_none() => middle = Some(at),
            Some(THEIRS) => break at,
            _ => {}
        }
        at = line_start_after(text, at)?;
    };
    let middle = middle?;
    let end = line_end(text, last);
    let ours = Span::new(line_end(text, start), base.unwrap_or(middle));
    let theirs = Span::new(line_end(text, middle), last);
    let is_empty = |side: Span| side.of(text).trim().is_empty();
    let kept = if is_empty(ours) { theirs } else { ours };
    let side = |span: Span, at: u32, other: &str| {
        let name = line(text, at).get(OURS.len()..).unwrap_or_default().trim();
        let shown = Span::new(at, at + line(text, at).len() as u32);
        let content = span.of(text).trim_end().len() as u32;
        let label = if is_empty(span) { shown } else { Span::new(span.start, span.start + content) };
        (label, if name.is_empty() { other.to_owned() } else { format!("`{name}`") })
    };
    let (our_label, our_name) = side(ours, start, "the first side");
    let (their_label, their_name) = side(theirs, last, "the second side");
    let opening = Span::new(start, start + line(text, start).len() as u32);
    let keep = |side: Span, name: &str| {
        let removed = [Span::new(start, side.start), Span::new(side.end, end)];
        let edits = removed.map(|span| Edit { span, text: String::new() });
        Fix { title: format!("Keep {name}"), certain: false, edits: edits.into() }
    };
    let fixes = [keep(ours, &our_name), keep(theirs, &their_name)];
    let mut diagnostic = syntax(opening, "unresolved merge conflict")
        .label(our_label, format!("one side: {our_name}"))
        .label(their_label, format!("the other side: {their_name}"))
        .help(format!("keep one side, or combine both, and remove the lines `{OURS}`, `{MIDDLE}` and `{THEIRS}`"));
    diagnostic.fixes.extend(fixes);
    Some(Conflict { left_out: vec![Span::new(start, kept.start), Span::new(kept.end, end)], diagnostic })
}

/// A marker without the others.
fn left_over(text: &str, start: u32) -> Conflict {
    let written = line(text, start);
    let line = Span::new(start, line_end(text, start));
    let diagnostic = syntax(Span::new(start, start + written.len() as u32), "leftover conflict marker")
        .help("remove the line, and check the lines above and below it")
        .suggest("Remove the conflict marker", line, "");
    Conflict { left_out: vec![line], diagnostic }
}
