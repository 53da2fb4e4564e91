//! The hover of a hole: its kind, and the parts that may belong in it.

use psl_search::candidates;
use psl_syntax::{Checked, holes::Hole};

use crate::markdown::{code, message_markdown};

/// Maximum number of parts that are shown.
const SHOWN: usize = 20;

/// The hover of a hole. `None` if its error is not reported.
pub fn hole(checked: &Checked, hole: Hole) -> Option<String> {
    let about = checked.diagnostics.iter().find(|found| found.span == hole.span)?;
    let parts = candidates(checked, hole);
    let shown: Vec<String> = parts.iter().take(SHOWN).map(|part| code(part)).collect();
    let fits = match parts.len().checked_sub(SHOWN) {
        _ if parts.is_empty() => "nothing fits without an error or a warning".to_owned(),
        None | Some(0) => format!("what fits: {}", shown.join(", ")),
        Some(more) => format!("what fits: {}, and {more} more", shown.join(", ")),
    };
    Some(format!("**hole**: {}\n\n{fits}\n", message_markdown(&about.message)))
}
