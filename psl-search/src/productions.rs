//! The productions of a tree.

use psl_syntax::{
    Tree,
    tree::{Production, Statement},
};

/// The productions in program order.
pub fn productions(tree: &Tree) -> Vec<&Production> {
    let mut found = Vec::new();
    collect(&tree.statements, &mut found);
    found
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
