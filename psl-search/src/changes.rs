//! The single changes of a program.

use psl_syntax::{Checked, holes::holes, keep_comments, tree::Statement};

use crate::{
    change::Change,
    condition_changes::Clauses,
    operator::Operator,
    statement_changes::{of_body, of_causal_attn, of_until},
    words::Words,
};

/// The single changes of a program without syntax errors and holes, in text order. The changed text has no syntax errors either, but may have
/// others: a register that is assigned twice, or a cell `n` that no condition mentions.
pub fn changes(checked: &Checked) -> Vec<Change> {
    let tree = &checked.tree;
    if !tree.sound || !holes(tree).is_empty() {
        return Vec::new();
    }
    let words = Words::new(checked);
    let mut clauses = Clauses { tree, words: &words, found: Vec::new() };
    body(&mut clauses, &tree.statements);
    let mut found = clauses.found;
    of_causal_attn(tree, &mut found);
    // A production moves with its comments.
    let in_place = found.iter_mut().filter(|change| change.operator != Operator::Order);
    in_place.for_each(|change| keep_comments(tree, &mut change.edits));
    found.sort_by_key(|change| (change.span, change.operator));
    found
}

/// Recursion depth is the nesting of repeat blocks, which the parser limits.
fn body(clauses: &mut Clauses<'_>, statements: &[Statement]) {
    of_body(clauses.tree, statements, &mut clauses.found);
    for statement in statements {
        match statement {
            Statement::CausalAttn(_) => {}
            Statement::Production(production) => {
                production.conditions.iter().for_each(|condition| clauses.condition(condition));
                production.assignments.iter().for_each(|assignment| clauses.assignment(assignment));
            }
            Statement::Repeat(repeat) => {
                body(clauses, &repeat.body);
                repeat.until.iter().for_each(|condition| clauses.condition(condition));
                of_until(clauses.tree, repeat, &mut clauses.found);
            }
        }
    }
}
