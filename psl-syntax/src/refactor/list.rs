//! Merges two productions that differ in one constant into one with a list.

use super::site::{Run, Site};
use crate::{
    checked::Checked,
    comments::{has_comment, keep_comments, without},
    diagnostic::{Edit, Fix},
    program::{Assignment, Cell, Comparison, Condition, ConstantId, Operand, RegisterId},
    span::Span,
    tree,
};

/// Merges the first selected production with the next one or, failing that, with the previous one.
pub fn merge(checked: &Checked, run: &Run<'_>) -> Option<Fix> {
    let at = run.selected.start;
    let pair = |at: usize| match run.productions.get(at..at + 2)? {
        [first, second] => merged(checked, *first, *second),
        _ => None,
    };
    pair(at).or_else(|| if run.selected.len() == 1 { pair(at.checked_sub(1)?) } else { None })
}

fn merged(checked: &Checked, first: Site<'_>, second: Site<'_>) -> Option<Fix> {
    let tree = &checked.tree;
    let (one, other) = differing(first, second)?;
    // A comment inside the second production would be left without its code.
    if !is_sound(first, second, one) || has_comment(tree, second.written.span) {
        return None;
    }
    let mut items: Vec<(ConstantId, &str)> = constants(checked, first, one)?;
    for item in constants(checked, second, other)? {
        if !items.iter().any(|(id, _)| *id == item.0) {
            items.push(item);
        }
    }
    let written = written_of(first, one)?;
    let names: Vec<&str> = items.iter().map(|(_, name)| *name).collect();
    let list = format!("{} in [{}]", tree.str(written.left.span), names.join(", "));
    let mut edits = vec![Edit { span: written.span, text: list }];
    keep_comments(tree, &mut edits);
    edits.extend(without(tree, second.written.span));
    let title = format!("Merge two productions into one with `in [{}]`", names.join(", "));
    Some(Fix { title, certain: false, edits })
}

/// The one condition of each production that the other one lacks, both of which compare the same register with
/// constants. `None` if the productions differ in anything else.
fn differing<'c>(first: Site<'c>, second: Site<'c>) -> Option<(&'c Condition, &'c Condition)> {
    let (one, two) = (first.resolved, second.resolved);
    let source = |it: &Assignment| (it.target, it.source);
    let assigned = |it: &[Assignment]| {
        let mut assigned: Vec<_> = it.iter().map(source).collect();
        assigned.sort_unstable();
        assigned
    };
    if one.select != two.select
        || one.causal_attn != two.causal_attn
        || assigned(&one.assignments) != assigned(&two.assignments)
    {
        return None;
    }
    let same = |a: &Condition, b: &Condition| a.left == b.left && a.comparison == b.comparison;
    let mut rest: Vec<&Condition> = two.conditions.iter().collect();
    let mut own = Vec::new();
    for condition in &one.conditions {
        match rest.iter().position(|other| same(condition, other)) {
            Some(at) => drop(rest.remove(at)),
            None => own.push(condition),
        }
    }
    let is_list = |it: &Condition| matches!(it.comparison, Comparison::Is(Operand::Constant(_)) | Comparison::In(_));
    match (own.as_slice(), rest.as_slice()) {
        ([one], [other]) if one.left == other.left && is_list(one) && is_list(other) => Some((one, other)),
        _ => None,
    }
}

/// Whether running both at once has the same effect as one after the other: neither reads what they write, and no
/// cell would have to choose between values from two cells n.
fn is_sound(first: Site<'_>, second: Site<'_>, varying: &Condition) -> bool {
    let sites = [first.resolved, second.resolved];
    let conditions = sites.iter().flat_map(|it| &it.conditions).flat_map(Condition::registers);
    let sources = first.resolved.assignments.iter().filter_map(|it| it.source.register());
    let writes = |register: RegisterId| first.resolved.assignments.iter().any(|it| it.target == register);
    let fixed = first.resolved.assignments.iter().all(|it| matches!(it.source, Operand::Constant(_)));
    !conditions.chain(sources).any(|place| writes(place.register)) && (varying.left.cell == Cell::Updated || fixed)
}

fn written_of<'c>(site: Site<'c>, condition: &Condition) -> Option<&'c tree::Condition> {
    site.written.conditions.iter().find(|it| it.span == condition.span)
}

/// The constants of a condition as written.
fn constants<'c>(checked: &'c Checked, site: Site<'c>, condition: &Condition) -> Option<Vec<(ConstantId, &'c str)>> {
    let written = written_of(site, condition)?;
    let spans: Vec<Span> = match &written.comparison {
        tree::Comparison::Equality { right, .. } => vec![right.span()],
        tree::Comparison::Membership { list, .. } => list.iter().map(tree::Operand::span).collect(),
    };
    let ids = match &condition.comparison {
        Comparison::Is(Operand::Constant(id)) => vec![*id],
        Comparison::In(list) => list.clone(),
        _ => return None,
    };
    Some(ids.into_iter().zip(spans.into_iter().map(|span| checked.tree.str(span))).collect())
}
