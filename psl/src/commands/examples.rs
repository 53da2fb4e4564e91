//! The examples at the end of each help: lines for a shell, the commonest first.

use std::fmt::Write;

use clap::builder::{StyledStr, Styles};

/// The first line of the examples.
pub const HEADING: &str = "Examples:";

/// The columns that a block of examples fits in.
const COLUMNS: usize = 80;

/// A block of examples: command lines, each with its purpose as a comment beside it, or above it in a block that would
/// be too wide.
pub fn examples(lines: &[(&str, &str)]) -> StyledStr {
    let width = lines.iter().map(|(line, _)| line.len()).max().unwrap_or_default();
    let beside = lines.iter().all(|(_, purpose)| width + purpose.len() + "    # ".len() <= COLUMNS);
    let style = *Styles::styled().get_header();
    let mut block = StyledStr::new();
    // A `StyledStr` can always be written to.
    write!(block, "{style}{HEADING}{style:#}").ok();
    for (line, purpose) in lines {
        if beside {
            write!(block, "\n  {line:width$}  # {purpose}").ok();
        } else {
            write!(block, "\n  # {purpose}\n  {line}").ok();
        }
    }
    block
}
