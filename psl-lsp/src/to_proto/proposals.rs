//! Repairs and fillings, as the result of a command.

use psl_ide::{Proposal, Proposals, others_do_the_same};
use psl_search::DistinguishingPrompt;
use serde_json::{Value, json};

use super::places::edits;
use crate::{document::Document, notice::Notice};

/// Maximum number of proposals in a message.
const SHOWN: usize = 5;

/// The result of `psl.repair`, `psl.fill` and `psl.unnoticed`, and a message about it.
pub fn proposals(document: &Document, proposals: &Proposals) -> (Value, Notice) {
    let entry = |proposal: &Proposal| {
        json!({
            "title": proposals.title(proposal),
            "edits": edits(&document.text, &proposal.edits),
            "warnings": proposal.warnings,
            "same": others_do_the_same(proposal.same).map(|same| match &proposals.compared_on {
                Some(prompts) => format!("{same} {prompts}"),
                None => same,
            }),
        })
    };
    let value = json!({
        "found": proposals.found.iter().map(entry).collect::<Vec<_>>(),
        "count": proposals.count,
        "cutOff": proposals.cut_off,
        "distinguishingPrompt": proposals.distinguishing_prompt.as_ref().map(distinguishing_prompt),
    });
    let mut text = proposals.counted();
    for proposal in proposals.found.iter().take(SHOWN) {
        text.push('\n');
        text.push_str(&proposals.title(proposal));
    }
    (value, Notice { text, success: proposals.count > 0 })
}

/// A prompt on which proposals differ: each continuation with the indices of its proposals.
fn distinguishing_prompt(distinguishing_prompt: &DistinguishingPrompt) -> Value {
    let continuations = distinguishing_prompt.continuations.iter();
    let continuations = continuations.map(|(symbols, of)| json!({"continuation": symbols, "proposals": of}));
    json!({"prompt": distinguishing_prompt.prompt, "continuations": continuations.collect::<Vec<_>>()})
}
