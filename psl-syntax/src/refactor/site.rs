//! The productions that a refactoring works on, in the tree and in the program, with their neighbors and comments.

use std::ops::Range;

use crate::{
    checked::Checked,
    lines::{indentation, line_breaks},
    program,
    span::Span,
    tree::{Production, Statement, Tree},
};

/// Consecutive productions without errors, and the selected range.
pub struct Run<'c> {
    pub productions: Vec<Site<'c>>,
    pub selected: Range<usize>,
}

/// A production as written and as resolved.
#[derive(Clone, Copy)]
pub struct Site<'c> {
    pub written: &'c Production,
    pub resolved: &'c program::Production,
}

/// The run of productions that the span touches, if there is one.
pub fn run_at(checked: &Checked, span: Span) -> Option<Run<'_>> {
    let statements = body_at(&checked.tree.statements, span);
    let resolved = checked.analysis.program.productions();
    let site = |statement| site(resolved.as_slice(), statement);
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

pub fn production_at(statements: &[Statement], span: Span) -> Option<&Production> {
    body_at(statements, span).iter().find_map(|statement| match statement {
        Statement::Production(it) if it.span.start <= span.start && span.end <= it.span.end => Some(it),
        _ => None,
    })
}

/// The start of the comments directly above a production, or of the production itself. `None` if it does not start
/// its line.
pub fn block_start(tree: &Tree, production: &Production) -> Option<u32> {
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
