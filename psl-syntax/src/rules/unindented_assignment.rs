//! `unindented-assignment`: assignments that look as if they were outside their production.

use super::wording::ITS_PRODUCTION;
use crate::{
    codes::Code,
    diagnostic::{Diagnostic, Edit},
    lines::{indentation, line_indentation},
    span::Span,
    tree::{Production, Statement, Tree},
};

/// One warning for each production with an assignment that starts a line and is not indented more than the line of
/// its `where`.
pub fn unindented_assignments(tree: &Tree) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    visit(tree, &tree.statements, &mut diagnostics);
    diagnostics
}

/// Recursion depth is the nesting of repeat blocks, which the parser limits.
fn visit(tree: &Tree, statements: &[Statement], diagnostics: &mut Vec<Diagnostic>) {
    for statement in statements {
        match statement {
            Statement::Production(production) if !production.broken => diagnostics.extend(report(tree, production)),
            Statement::Repeat(repeat) => visit(tree, &repeat.body, diagnostics),
            Statement::Production(_) | Statement::CausalAttn(_) => {}
        }
    }
}

fn report(tree: &Tree, production: &Production) -> Option<Diagnostic> {
    let starts_line = |span: Span| indentation(&tree.text, span.start).map(|blanks| (span, blanks));
    let mut starting = production.assignment_spans().into_iter().filter_map(starts_line).peekable();
    starting.peek()?;
    let outer = line_indentation(&tree.text, production.keyword.start);
    // Blanks with a common prefix can be compared regardless of the width of a tab. Others are not compared.
    let unindented: Vec<_> = starting.filter(|(_, blanks)| outer.starts_with(blanks)).collect();
    let (&(first, _), others) = unindented.split_first()?;
    let edits = unindented.iter().map(|(span, blanks)| Edit {
        span: Span::new(span.start - blanks.len() as u32, span.start),
        text: format!("{outer}    "),
    });
    let message = "this assignment is not indented below its production";
    Some(
        Diagnostic::new(Code::UnindentedAssignment, first, message)
            .label(production.keyword, ITS_PRODUCTION)
            .labels(others.iter().map(|&(span, _)| span), "this assignment is not indented either")
            .help("indent it further than `where`: line breaks have no meaning in PSL, so it belongs to the production above")
            .fix_all("Indent it", edits.collect()),
    )
}
