//! Comparisons of two registers of one cell, which QKVL does not support if n is bound.

use super::auxiliary::auxiliary;
use crate::{
    checked::Checked,
    comments::keep_comments,
    diagnostic::{Edit, Fix},
    names::Symbol,
    program::Cell,
    span::Span,
    tree::{Comparison, Condition, Operand, Production, RegisterAccess},
};

/// Compares across cells if `position[n] == position[N]` makes them the same cell, or in a separate production.
pub fn split(checked: &Checked, production: &Production, span: Span) -> Vec<Fix> {
    let Some(condition) = production.conditions.iter().find(|it| it.span == span) else { return Vec::new() };
    let Comparison::Equality { not: None, right: Operand::Register(right), .. } = &condition.comparison else {
        return Vec::new();
    };
    if production.broken || right.cell != condition.left.cell || condition.left.function.is_some() {
        return Vec::new();
    }
    let across = across(checked, production, right);
    across.into_iter().chain(apart(checked, production, condition)).collect()
}

fn across(checked: &Checked, production: &Production, right: &RegisterAccess) -> Option<Fix> {
    let same_cell = production.conditions.iter().any(|it| is_same_cell(checked, it));
    if !same_cell || right.function.is_some() {
        return None;
    }
    let other = if right.cell == Some(Cell::Updated) { "n" } else { "N" };
    let title = format!("Compare with `{}[{other}]`, the same cell here", checked.tree.str(right.register));
    Some(Fix { title, certain: true, edits: vec![Edit { span: right.cell_span, text: other.to_owned() }] })
}

/// Whether the condition requires that n is N.
fn is_same_cell(checked: &Checked, condition: &Condition) -> bool {
    let Comparison::Equality { not: None, operator, negated: false, right: Operand::Register(right) } =
        &condition.comparison
    else {
        return false;
    };
    let position = checked.analysis.program.roles.position.map(Symbol::Register);
    let is_position = |place: &RegisterAccess| {
        let name = checked.analysis.names.at(place.register.start);
        place.function.is_none() && position.is_some() && name.map(|it| it.symbol) == position
    };
    let cells = [condition.left.cell, right.cell];
    let both = cells.contains(&Some(Cell::Source)) && cells.contains(&Some(Cell::Updated));
    is_position(&condition.left) && is_position(right) && both && !checked.tree.is_hole(*operator)
}

fn apart(checked: &Checked, production: &Production, condition: &Condition) -> Option<Fix> {
    let tree = &checked.tree;
    let Comparison::Equality { operator, right: Operand::Register(right), .. } = &condition.comparison else {
        return None;
    };
    let function = right.function.map_or_else(String::new, |function| format!("@{}", tree.str(function)));
    let [left_name, right_name] = [condition.left.register, right.register].map(|name| tree.str(name));
    let conditions = format!("{left_name}[N] {} {right_name}[N]{function}", tree.str(*operator));
    let mut auxiliary = auxiliary(checked, production, "same", &conditions)?;
    let cell = tree.str(condition.left.cell_span);
    let text = format!("{}[{cell}] == {}", auxiliary.name, auxiliary.yes);
    let mut replaced = vec![Edit { span: condition.span, text }];
    keep_comments(tree, &mut replaced);
    auxiliary.edits.extend(replaced);
    Some(Fix { title: "Compare in a separate production".to_owned(), certain: false, edits: auxiliary.edits })
}
