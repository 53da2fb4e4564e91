//! Rewritings of productions that leave what the program does as it is.
//!
//! Invariant: what is offered compiles to a program that sets every register of every cell to the same values, at the end of
//! every statement that both have; a register that was added for it apart. Comments are kept.

mod auxiliary;
mod guard;
mod list;
mod same_cell;

use crate::{
    Checked,
    diagnostic::Fix,
    lines::{indentation, line_breaks},
    program,
    span::Span,
    tree::{Production, Statement, Tree},
};

/// The same guard of several productions, set down in a register of its own by a production of its own: for the productions
/// that a selection touches, or the one that a cursor touches and its neighbours.
pub fn extract_guard(checked: &Checked, span: Span) -> Vec<Fix> {
    run_at(checked, span).map_or_else(Vec::new, |run| guard::extract(checked, &run))
}

/// Two productions that differ in one constant as one with a list, `x in [A, B]`.
pub fn into_list(checked: &Checked, span: Span) -> Option<Fix> {
    list::merge(checked, &run_at(checked, span)?)
}

/// The ways to say what a comparison within one cell means, in a production that binds n: `span` is that of the diagnostic
/// `same-cell-comparison`.
pub fn split_same_cell(checked: &Checked, span: Span) -> Vec<Fix> {
    let production = production_at(&checked.tree.statements, span);
    production.map_or_else(Vec::new, |production| same_cell::split(checked, production, span))
}

/// Productions one after the other, without errors, and which of them are selected.
struct Run<'c> {
    productions: Vec<Site<'c>>,
    selected: std::ops::Range<usize>,
}

/// A production as written and as resolved.
#[derive(Clone, Copy)]
struct Site<'c> {
    written: &'c Production,
    resolved: &'c program::Production,
}

/// The productions around those that the span touches.
fn run_at(checked: &Checked, span: Span) -> Option<Run<'_>> {
    let statements = body_at(&checked.tree.statements, span);
    let resolved = checked.analysis.program.productions();
    let site = |statement| site(&resolved, statement);
    let touches = |site: &Site| site.written.span.start <= span.end && span.start <= site.written.span.end;
    let first = statements.iter().position(|statement| site(statement).is_some_and(|site| touches(&site)))?;
    let (before, from) = statements.split_at_checked(first)?;
    let mut productions: Vec<Site> = before.iter().rev().map_while(site).collect();
    productions.reverse();
    let start = productions.len();
    productions.extend(from.iter().map_while(site));
    let selected = productions.iter().skip(start).take_while(|site| touches(site)).count();
    Some(Run { productions, selected: start..start + selected })
}

fn site<'c>(resolved: &[&'c program::Production], statement: &'c Statement) -> Option<Site<'c>> {
    let Statement::Production(written) = statement else { return None };
    let found = resolved.binary_search_by_key(&written.span.start, |it| it.span.start).ok()?;
    let resolved = resolved.get(found).copied().filter(|it| it.sound)?;
    Some(Site { written, resolved })
}

/// The statements of the innermost block around a span.
fn body_at(mut statements: &[Statement], span: Span) -> &[Statement] {
    loop {
        let inner = statements.iter().find_map(|statement| match statement {
            Statement::Repeat(it) if it.span.start < span.start && span.end < it.span.end => Some(&it.body),
            _ => None,
        });
        match inner {
            Some(body) => statements = body,
            None => return statements,
        }
    }
}

fn production_at(statements: &[Statement], span: Span) -> Option<&Production> {
    body_at(statements, span).iter().find_map(|statement| match statement {
        Statement::Production(it) if it.span.start <= span.start && span.end <= it.span.end => Some(it),
        _ => None,
    })
}

/// Whether a comment stands in a span.
fn holds_comment(tree: &Tree, span: Span) -> bool {
    let comments = &tree.tokens.comments;
    let first = comments.partition_point(|comment| comment.start < span.start);
    comments.get(first).is_some_and(|comment| comment.start < span.end)
}

/// Where the comments directly above a production start, or else it itself; nothing where it does not start its line.
fn block_start(tree: &Tree, production: &Production) -> Option<u32> {
    let own_line = |offset: u32| indentation(&tree.text, offset).map(|blanks| offset - blanks.len() as u32);
    let mut top = own_line(production.span.start)?;
    let comments = &tree.tokens.comments;
    let above = comments.partition_point(|comment| comment.start < top);
    for comment in comments.get(..above).unwrap_or_default().iter().rev() {
        match own_line(comment.start) {
            Some(start) if line_breaks(&tree.text, comment.end, top) == 1 && comment.end <= top => top = start,
            _ => break,
        }
    }
    Some(top)
}
