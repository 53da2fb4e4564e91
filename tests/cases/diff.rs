//! Compares two texts line by line.

use std::fmt::Write as _;

use imara_diff::{Algorithm, Diff, InternedInput, Token};

/// Returns the lines that differ between two texts, each block below the number of its first line.
pub fn changed_lines(before: &str, after: &str) -> String {
    let input = InternedInput::new(before, after);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let mut shown = String::new();
    for hunk in diff.hunks() {
        let _ = writeln!(shown, "@ {}", hunk.before.start + 1);
        let lines = |tokens: &[Token]| tokens.iter().map(|token| input.interner[*token]).collect::<Vec<_>>();
        for line in lines(&input.before[hunk.before.start as usize..hunk.before.end as usize]) {
            let _ = writeln!(shown, "{}", format!("- {line}").trim_end());
        }
        for line in lines(&input.after[hunk.after.start as usize..hunk.after.end as usize]) {
            let _ = writeln!(shown, "{}", format!("+ {line}").trim_end());
        }
    }
    shown
}
