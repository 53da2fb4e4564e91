//! The hover of a hole: its kind, and the parts that may belong in it.

use psl_search::{Candidates, candidates};
use psl_syntax::{Checked, holes::Hole};

use crate::markdown::{code, message_markdown};

/// Maximum number of parts that are shown.
const SHOWN: usize = 20;

/// The hover of a hole. `None` if its error is not reported.
pub fn hole(checked: &Checked, hole: Hole) -> Option<String> {
    let about = checked.diagnostics.iter().find(|found| found.span == hole.span)?;
    let Candidates { parts, cut_off } = candidates(checked, hole);
    let shown: Vec<String> = parts.iter().take(SHOWN).map(|part| code(part)).collect();
    let shown = shown.join(", ");
    let fits = match (parts.len().saturating_sub(SHOWN), cut_off) {
        _ if parts.is_empty() && cut_off => "the program has too many registers to find what fits".to_owned(),
        _ if parts.is_empty() => "nothing fits without an error or a warning".to_owned(),
        (0, false) => format!("what fits: {shown}"),
        (0, true) => format!("what fits: {shown}, and perhaps more"),
        (more, false) => format!("what fits: {shown}, and {more} more"),
        (_, true) => format!("what fits: {shown}, and many more"),
    };
    Some(format!("**hole**: {}\n\n{fits}\n", message_markdown(&about.message)))
}
