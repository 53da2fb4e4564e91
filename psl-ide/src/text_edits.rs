//! The edits that turn one text into another.

use imara_diff::{Algorithm, Diff, InternedInput, Token};
use psl_syntax::diagnostic::Edit;

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
