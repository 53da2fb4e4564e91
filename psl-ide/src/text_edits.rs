//! The edits that turn one text into another.

use imara_diff::{Algorithm, Diff, InternedInput, Token};
use psl_syntax::{diagnostic::Edit, format};

/// Returns the edits that turn one text into another, as whole lines.
pub fn between(before: &str, after: &str) -> Vec<Edit> {
    let input = InternedInput::new(before, after);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let starts = |tokens: &[Token]| {
        let mut start = 0;
        let ends = tokens.iter().map(|&token| {
            start += input.interner[token].len();
            start
        });
        std::iter::once(0).chain(ends).collect::<Vec<usize>>()
    };
    let (old, new) = (starts(&input.before), starts(&input.after));
    let place = |starts: &[usize], line: u32| starts.get(line as usize).copied().unwrap_or_default();
    diff.hunks()
        .map(|hunk| {
            let span = place(&old, hunk.before.start)..place(&old, hunk.before.end);
            let text = after.get(place(&new, hunk.after.start)..place(&new, hunk.after.end)).unwrap_or_default();
            Edit { span: span.into(), text: text.to_owned() }
        })
        .collect()
}

/// Extends each list of edits so that a formatted text stays formatted.
pub fn lay_out<'e>(text: &str, lists: impl IntoIterator<Item = &'e mut Vec<Edit>>) {
    let is_laid_out = |text: &str| format(text).is_ok_and(|formatted| formatted.edits.is_empty());
    let mut lists = lists.into_iter().peekable();
    if lists.peek().is_none() || !is_laid_out(text) {
        return;
    }
    for edits in lists {
        edits.sort_by_key(|edit| edit.span);
        if let Some(after) = Edit::apply(edits.iter(), text)
            && let Ok(formatted) = format(&after)
            && !formatted.edits.is_empty()
        {
            *edits = between(text, &formatted.text);
        }
    }
}
