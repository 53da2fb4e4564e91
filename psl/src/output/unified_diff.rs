//! Unified diffs.

use std::fmt::{self, Write};

use imara_diff::{Algorithm, Diff, InternedInput, Interner, Token, UnifiedDiffConfig, UnifiedDiffPrinter};

/// The unified diff of two versions of a file, with its name in the header.
pub fn unified_diff(name: &str, before: &str, after: &str) -> String {
    format!("--- {name}\n+++ {name}\n{}", hunks(before, after, UnifiedDiffConfig::default()))
}

/// The lines that two versions of a text do not share, with `-` or `+` before each.
pub fn changed_lines(before: &str, after: &str) -> String {
    let mut config = UnifiedDiffConfig::default();
    config.context_len(0);
    let hunks = hunks(before, after, config);
    hunks.split_inclusive('\n').filter(|line| line.starts_with(['-', '+'])).collect()
}

fn hunks(before: &str, after: &str, config: UnifiedDiffConfig) -> String {
    let input = InternedInput::new(before, after);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    diff.unified_diff(&DataLines(&input.interner), config, &input).to_string()
}

/// Prints lines in the form that `patch` accepts, including a last line without a line end.
struct DataLines<'a>(&'a Interner<&'a str>);

impl DataLines<'_> {
    fn line(&self, mut out: impl Write, sign: char, token: Token) -> fmt::Result {
        let line = self.0[token];
        let missing = if line.ends_with('\n') { "" } else { "\n\\ No newline at end of file\n" };
        write!(out, "{sign}{line}{missing}")
    }
}

impl UnifiedDiffPrinter for DataLines<'_> {
    fn display_header(
        &self,
        mut out: impl Write,
        start_before: u32,
        start_after: u32,
        len_before: u32,
        len_after: u32,
    ) -> fmt::Result {
        // Lines are 1-based. An empty range gives the line before it.
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
