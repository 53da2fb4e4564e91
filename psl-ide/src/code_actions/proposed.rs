//! Repairs at a failing test and fillings at a hole, or a search for them.

use psl_syntax::{Code, Diagnostic};

use super::action::{Action, ActionKind, Context};
use crate::proposals::{Proposals, Search};

/// The best proposals that are known for the failing test or the hole here, and the search for more.
pub fn actions(context: &Context<'_>) -> Vec<Action> {
    let Some((about, search)) = context.here().find_map(|found| Some((found, wanted(context, found)?))) else {
        return Vec::new();
    };
    let action = |title: String, search: Option<Search>| Action {
        title,
        kind: ActionKind::QuickFix,
        edits: Vec::new(),
        diagnostics: vec![about.clone()],
        preferred: false,
        cursor: None,
        search,
    };
    let known = context.proposals.filter(|known| known.search == search);
    let found = known.into_iter().flat_map(|known| {
        let best = known.found.iter().take(context.wanted.best);
        best.map(|proposal| Action { edits: proposal.edits.clone(), ..action(known.title(proposal), None) })
    });
    let mut found: Vec<Action> = found.collect();
    found.extend(more(known, search, context.wanted.best).map(|title| action(title, Some(search))));
    found
}

/// The search that a diagnostic calls for, if it is possible.
fn wanted(context: &Context<'_>, found: &Diagnostic) -> Option<Search> {
    let is_hole = |found: &Diagnostic| found.code == Code::Hole;
    match found.code {
        Code::FailingTest => Some(Search::Repair),
        Code::Hole => {
            let file = context.file;
            let can_fill = !file.program().tests.is_empty() && file.errors().iter().all(is_hole);
            can_fill.then_some(Search::Fill)
        }
        _ => None,
    }
}

/// The title of the action that searches, or shows all that is known. `None` if there is no more than the best ones.
fn more(known: Option<&Proposals>, search: Search, best: usize) -> Option<String> {
    match known {
        Some(known) if known.count > best => Some(format!("Show all {}…", known.counted())),
        Some(known) if known.count > 0 || !known.cut_off => None,
        _ => Some(match search {
            Search::Repair => "Search for a repair".to_owned(),
            Search::Fill => "Search for what belongs in the hole".to_owned(),
        }),
    }
}
