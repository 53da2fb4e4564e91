//! The productions and blocks of a tree.

use psl_syntax::{
    Span, Tree,
    tree::{Production, Repeat, Statement},
};

/// The productions in program order.
pub fn productions(tree: &Tree) -> Vec<&Production> {
    let mut found = Vec::new();
    collect(&tree.statements, &mut found);
    found
}

/// The index of the production around a span. The productions are in program order.
pub fn around(productions: &[&Production], span: Span) -> Option<usize> {
    let index = productions.partition_point(|it| it.span.start <= span.start).checked_sub(1)?;
    productions.get(index).filter(|it| span.end <= it.span.end).map(|_| index)
}

/// The repeat blocks, each before those inside it. Recursion depth is the nesting of repeat blocks, which the parser
/// limits.
pub fn repeats(tree: &Tree) -> Vec<&Repeat> {
    fn of_body(body: &[Statement]) -> Vec<&Repeat> {
        let blocks = body.iter().filter_map(|statement| match statement {
            Statement::Repeat(repeat) => Some(repeat),
            Statement::CausalAttn(_) | Statement::Production(_) => None,
        });
        blocks.flat_map(|repeat| [vec![repeat], of_body(&repeat.body)].concat()).collect()
    }
    of_body(&tree.statements)
}

/// Recursion depth is the nesting of repeat blocks, which the parser limits.
fn collect<'t>(statements: &'t [Statement], found: &mut Vec<&'t Production>) {
    for statement in statements {
        match statement {
            Statement::CausalAttn(_) => {}
            Statement::Production(production) => found.push(production),
            Statement::Repeat(repeat) => collect(&repeat.body, found),
        }
    }
}
