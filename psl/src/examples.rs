//! The examples at the end of each help: lines for a shell, the commonest first.

use std::fmt::Write;

use clap::builder::{StyledStr, Styles};

/// The first line of the examples.
pub const HEADING: &str = "Examples:";

/// A block of examples: command lines, each with its purpose as a comment.
pub fn examples(lines: &[(&str, &str)]) -> StyledStr {
    let width = lines.iter().map(|(line, _)| line.len()).max().unwrap_or_default();
    let style = *Styles::styled().get_header();
    let mut block = StyledStr::new();
    // A `StyledStr` can always be written to.
    write!(block, "{style}{HEADING}{style:#}").ok();
    for (line, purpose) in lines {
        write!(block, "\n  {line:width$}  # {purpose}").ok();
    }
    block
}
