//! Tests that would notice changes of a production.

use psl_syntax::diagnostic::Fix;

use super::action::{Action, ActionKind, Context};
use crate::proposals::{Proposal, Search};

/// The best tests that are known for the production here, and the search for more. Offered at the head of a production
/// of a program with tests, unless one is known to fail.
pub fn actions(context: &Context<'_>) -> Vec<Action> {
    let Context { file, selection, wanted, .. } = context;
    let program = file.program();
    let fails =
        |(index, test)| context.report.and_then(|report| report.outcome(index)).is_some_and(|it| !it.passes(test));
    if program.tests.is_empty() || file.first_error().is_some() || program.tests.iter().enumerate().any(fails) {
        return Vec::new();
    }
    let mut heads = program.productions().into_iter().map(|production| production.head);
    let here = heads.position(|head| head.start <= selection.end && selection.start <= head.end);
    let Some(search) = here.map(Search::Unnoticed) else { return Vec::new() };
    let Some(known) = context.proposals.filter(|known| known.search == search) else {
        return vec![Action::of_search("Search for what the tests do not notice here".to_owned(), search)];
    };
    let fix = |proposal: &Proposal| Fix { title: known.title(proposal), certain: false, edits: proposal.edits.clone() };
    let best =
        known.found.iter().take(wanted.best).map(|proposal| Action::new(fix(proposal), ActionKind::Rewrite, None));
    let more = (known.count > wanted.best).then(|| Action::of_search(format!("Show all {}…", known.counted()), search));
    best.chain(more).collect()
}
