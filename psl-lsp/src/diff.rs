//! What differs between two texts: as a unified diff, and as edits.

use std::fmt::{self, Write};

use imara_diff::{Algorithm, Diff, InternedInput, Interner, Token, UnifiedDiffConfig, UnifiedDiffPrinter};
use psl_syntax::diagnostic::Edit;

/// The unified diff of two versions of a file, with its name in the header.
pub fn unified(name: &str, before: &str, after: &str) -> String {
    let input = InternedInput::new(before, after);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let hunks = diff.unified_diff(&Lines(&input.interner), UnifiedDiffConfig::default(), &input).to_string();
    format!("--- {name}\n+++ {name}\n{hunks}")
}

/// The edits that make one text of another, whole lines at a time.
pub fn edits(before: &str, after: &str) -> Vec<Edit> {
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

/// Prints lines so that `patch` takes them, the last one without a line end included.
struct Lines<'a>(&'a Interner<&'a str>);

impl Lines<'_> {
    fn line(&self, mut out: impl Write, sign: char, token: Token) -> fmt::Result {
        let line = self.0[token];
        let missing = if line.ends_with('\n') { "" } else { "\n\\ No newline at end of file\n" };
        write!(out, "{sign}{line}{missing}")
    }
}

impl UnifiedDiffPrinter for Lines<'_> {
    fn display_header(
        &self,
        mut out: impl Write,
        start_before: u32,
        start_after: u32,
        len_before: u32,
        len_after: u32,
    ) -> fmt::Result {
        // Lines count from 1; of none, the one before is named.
        let first = |start: u32, len: u32| start + u32::from(len > 0);
        let (before, after) = (first(start_before, len_before), first(start_after, len_after));
        writeln!(out, "@@ -{before},{len_before} +{after},{len_after} @@")
    }

    fn display_context_token(&self, out: impl Write, token: Token) -> fmt::Result {
        self.line(out, ' ', token)
    }

    fn display_hunk(&self, mut out: impl Write, before: &[Token], after: &[Token]) -> fmt::Result {
        before.iter().try_for_each(|&token| self.line(&mut out, '-', token))?;
        after.iter().try_for_each(|&token| self.line(&mut out, '+', token))
    }
}
