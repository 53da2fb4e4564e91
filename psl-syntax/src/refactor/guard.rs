//! Extracts a guard that several productions share.

use std::ops::Range;

use super::{
    auxiliary::auxiliary,
    site::{Run, Site},
};
use crate::{
    checked::Checked,
    comments::has_comment,
    diagnostic::{DeclaringFix, Edit, Fix},
    program::{Cell, CellRegister, Comparison, Condition, Operand},
    span::Span,
};

/// One guard for conditions on cell N, and one for conditions on cell n, if at least two productions share two
/// conditions.
pub fn extract(checked: &Checked, run: &Run<'_>) -> Vec<DeclaringFix> {
    [Cell::Updated, Cell::Source].into_iter().filter_map(|cell| extract_of(checked, run, cell)).collect()
}

/// A condition on one cell alone.
type Claim<'c> = (CellRegister, &'c Comparison);

/// The conditions that compare a register of the cell with constants.
fn claims(site: Site<'_>, cell: Cell) -> Vec<Claim<'_>> {
    let of_cell = |it: &&Condition| {
        it.left.cell == cell
            && !matches!(
                it.comparison,
                Comparison::Is(Operand::Register(..)) | Comparison::IsNot(Operand::Register(..))
            )
    };
    site.resolved.conditions.iter().filter(of_cell).map(|it| (it.left, &it.comparison)).collect()
}

fn extract_of(checked: &Checked, run: &Run<'_>, cell: Cell) -> Option<DeclaringFix> {
    let (range, shared) = group(run, cell)?;
    let sites = run.productions.get(range)?;
    let (first, _) = sites.split_first()?;
    let (_, earlier) = sites.split_last()?;
    // The registers that the guard tests must not change before the last production.
    let tests = |register| shared.iter().any(|(place, _)| place.register == register);
    let overwritten = earlier.iter().flat_map(|site| &site.resolved.assignments).any(|it| tests(it.target));
    if overwritten || sites.iter().any(|site| has_comment(&checked.tree, site.written.head)) {
        return None;
    }
    let cell_name = if cell == Cell::Updated { "N" } else { "n" };
    let guard = conditions(checked, *first, &shared, "N");
    let mut auxiliary = auxiliary(checked, first.written, "guard", &guard.join(" and "))?;
    let tested = format!("{}[{cell_name}] == {}", auxiliary.name, auxiliary.yes);
    for site in sites {
        let head = site.written.head;
        let span = Span::new(site.written.keyword.end, head.end);
        let text = format!(" {}:", rest(checked, *site, &shared, &tested).join(" and "));
        auxiliary.edits.push(Edit { span, text });
    }
    let title = format!("Extract the guard on `{cell_name}` from {} productions into a register", sites.len());
    Some(DeclaringFix { fix: Fix { title, certain: false, edits: auxiliary.edits }, name: auxiliary.name })
}

/// The productions around the selected ones that share conditions, and those conditions. `None` if there are none.
fn group<'c>(run: &Run<'c>, cell: Cell) -> Option<(Range<usize>, Vec<Claim<'c>>)> {
    let of = |at: usize| run.productions.get(at).map(|site| claims(*site, cell));
    let common = |some: Vec<Claim<'c>>, at: usize| -> Option<Vec<Claim<'c>>> {
        let other = of(at)?;
        let shared: Vec<_> = some.into_iter().filter(|claim| other.contains(claim)).collect();
        (shared.len() >= 2).then_some(shared)
    };
    let Range { mut start, mut end } = run.selected.clone();
    let mut shared = of(start)?;
    if end - start > 1 {
        for at in start + 1..end {
            shared = common(shared, at)?;
        }
        shared.dedup();
        return (shared.len() >= 2).then_some((start..end, shared));
    }
    let next = common(shared.clone(), end);
    let before = start.checked_sub(1).and_then(|at| common(shared, at));
    shared = next.or(before)?;
    let all = |at: usize| common(shared.clone(), at).is_some_and(|common| common.len() == shared.len());
    while all(end) {
        end += 1;
    }
    while start.checked_sub(1).is_some_and(all) {
        start -= 1;
    }
    Some((start..end, shared))
}

/// The shared conditions of a production, on a different cell.
fn conditions(checked: &Checked, site: Site<'_>, shared: &[Claim<'_>], cell: &str) -> Vec<String> {
    let pairs = site.written.conditions.iter().zip(&site.resolved.conditions);
    let guard = pairs.filter(|(_, resolved)| shared.contains(&(resolved.left, &resolved.comparison)));
    guard
        .map(|(written, _)| {
            let text = &checked.tree;
            let rest = Span::new(written.left.span.end, written.span.end);
            format!("{}[{cell}]{}", text.str(written.left.register), text.str(rest))
        })
        .collect()
}

/// The conditions of a production, with one test instead of the shared ones.
fn rest(checked: &Checked, site: Site<'_>, shared: &[Claim<'_>], test: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut tested = false;
    for (written, resolved) in site.written.conditions.iter().zip(&site.resolved.conditions) {
        if !shared.contains(&(resolved.left, &resolved.comparison)) {
            out.push(checked.tree.str(written.span).to_owned());
        } else if !std::mem::replace(&mut tested, true) {
            out.push(test.to_owned());
        }
    }
    out
}
