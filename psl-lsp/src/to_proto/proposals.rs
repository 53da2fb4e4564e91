//! Repairs and fillings, as the result of a command.

use psl_ide::{Proposal, Proposals};
use psl_search::Telling;
use serde_json::{Value, json};

use super::places::edits;
use crate::{document::Document, notice::Notice};

/// Maximum number of proposals in a message.
const SHOWN: usize = 5;

/// The result of `psl.repair` and `psl.fill`, and a message about it.
pub fn proposals(document: &Document, proposals: &Proposals) -> (Value, Notice) {
    let entry = |proposal: &Proposal| {
        json!({
            "title": proposals.title(proposal),
            "edits": edits(&document.text, &proposal.edits),
            "warnings": proposal.warnings,
        })
    };
    let value = json!({
        "found": proposals.found.iter().map(entry).collect::<Vec<_>>(),
        "count": proposals.count,
        "cutOff": proposals.cut_off,
        "telling": proposals.telling.as_ref().map(telling),
    });
    let mut text = proposals.counted();
    for proposal in proposals.found.iter().take(SHOWN) {
        text.push('\n');
        text.push_str(&proposals.title(proposal));
    }
    (value, Notice { text, success: proposals.count > 0 })
}

/// A prompt on which proposals differ: each continuation with the indices of its proposals.
fn telling(telling: &Telling) -> Value {
    let continuations = telling.continuations.iter();
    let continuations = continuations.map(|(symbols, of)| json!({"continuation": symbols, "proposals": of}));
    json!({"prompt": telling.prompt, "continuations": continuations.collect::<Vec<_>>()})
}
