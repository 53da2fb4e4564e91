//! The single changes of a program.

use psl_syntax::{Checked, holes::holes, keep_comments, tree::Statement};

use crate::{
    change::Change,
    condition_changes::Clauses,
    name_sorts::NameSorts,
    operator::Operator,
    statement_changes::{of_body, of_causal_attn, of_until},
};

/// The single changes of a program without syntax errors and holes, in text order. The changed text has no syntax
/// errors either, but may have others: a register that is assigned twice, or a cell `n` that no condition mentions.
pub fn changes(checked: &Checked) -> Vec<Change> {
    changes_while(checked, &mut || true)
}

/// The same, without those of the statements after which `going_on` returns false.
pub(crate) fn changes_while(checked: &Checked, going_on: &mut dyn FnMut() -> bool) -> Vec<Change> {
    let tree = &checked.tree;
    if !tree.sound || !holes(tree).is_empty() {
        return Vec::new();
    }
    let names = NameSorts::new(checked);
    let mut clauses = Clauses { tree, names: &names, found: Vec::new() };
    body(&mut clauses, &tree.statements, going_on);
    let mut found = clauses.found;
    of_causal_attn(tree, &mut found);
    // A production moves with its comments.
    let in_place = found.iter_mut().filter(|change| change.operator != Operator::Order);
    in_place.for_each(|change| keep_comments(tree, &mut change.edits));
    found.sort_by_key(|change| (change.span, change.operator));
    found
}

/// Recursion depth is the nesting of repeat blocks, which the parser limits.
fn body(clauses: &mut Clauses<'_>, statements: &[Statement], going_on: &mut dyn FnMut() -> bool) {
    of_body(clauses.tree, statements, &mut clauses.found);
    for statement in statements {
        if !going_on() {
            return;
        }
        match statement {
            Statement::CausalAttn(_) => {}
            Statement::Production(production) => {
                production.conditions.iter().for_each(|condition| clauses.condition(condition));
                production.assignments.iter().for_each(|assignment| clauses.assignment(assignment));
            }
            Statement::Repeat(repeat) => {
                body(clauses, &repeat.body, going_on);
                repeat.until.iter().for_each(|condition| clauses.condition(condition));
                of_until(clauses.tree, repeat, &mut clauses.found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::iter;

    use psl_syntax::check;

    use super::*;

    #[test]
    fn the_changes_of_statements_after_the_end_of_a_search_are_not_made() {
        let production = "where symbol[N] == A:\n    mark[N] = B\n";
        let text = format!(
            "registers: {{symbol: 's', position: 'p', mark: 'm'}}\nconstants: {{A, B}}\n{}",
            production.repeat(1_000)
        );
        let checked = check(text.as_str());
        let of_places = |statements: usize| {
            let mut left = iter::repeat_n(true, statements);
            let found = changes_while(&checked, &mut || left.next().is_some());
            let is_clause = |change: &&Change| change.description.starts_with("Replace");
            found.iter().filter(is_clause).map(|change| change.span.start).max().unwrap_or_default() as usize
        };
        let start = text.find(production).unwrap_or_default();
        assert!((start..start + 2 * production.len()).contains(&of_places(2)), "{}", of_places(2));
        assert!(of_places(1_000) > start + 999 * production.len());
    }
}
