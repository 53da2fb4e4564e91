//! Puts the heads of each layer into an order in which they can be layers of their own, as productions of a text are.

use std::ops::Range;

use psl_syntax::{
    program::{Production, Program, Repeat, Statement},
    schedule::Dependences,
};

use super::error::{DecompileError, refuse};

/// The program with a layer for each head. It runs like the given one, unless heads of a layer set a register to
/// different values.
///
/// Refuses a layer with heads that need the same input and would change it for each other in any order.
pub(super) fn one_head_each(program: &Program) -> Result<Program, DecompileError> {
    let mut order = Order { dependences: Dependences::new(program), layers: 0, heads: 0 };
    let statements = order.statements(&program.statements)?;
    Ok(Program { statements, ..program.clone() })
}

struct Order<'p> {
    dependences: Dependences<'p>,
    /// The number of layers so far.
    layers: usize,
    /// The number of their heads.
    heads: usize,
}

impl Order<'_> {
    fn statements(&mut self, statements: &[Statement]) -> Result<Vec<Statement>, DecompileError> {
        let shares = |it: &Statement| matches!(it, Statement::Production(production) if production.shares_layer);
        let mut ordered = Vec::with_capacity(statements.len());
        for layer in statements.chunk_by(|one, next| matches!(one, Statement::Production(_)) && shares(next)) {
            if let [Statement::Repeat(repeat)] = layer {
                let body = self.statements(&repeat.body)?;
                ordered.push(Statement::Repeat(Repeat { body, ..repeat.clone() }));
                continue;
            }
            self.layers += 1;
            let order = self.in_order(self.heads..self.heads + layer.len())?;
            let heads = order.into_iter().filter_map(|index| match layer.get(index - self.heads)? {
                Statement::Production(production) => Some(production),
                Statement::Repeat(_) => None,
            });
            ordered.extend(heads.map(|head| Statement::Production(Production { shares_layer: false, ..head.clone() })));
            self.heads += layer.len();
        }
        Ok(ordered)
    }

    /// The heads of a layer in an order in which none affects a later one: the first that can be next comes next.
    fn in_order(&self, heads: Range<usize>) -> Result<Vec<usize>, DecompileError> {
        let mut left: Vec<usize> = heads.clone().collect();
        let mut ordered = Vec::with_capacity(left.len());
        while let Some(&first) = left.first() {
            let affected = |head: usize| {
                left.iter().copied().find(|other| *other != head && self.dependences.affects(head, *other))
            };
            let Some(next) = left.iter().position(|head| affected(*head).is_none()) else {
                let (head, other) = (first, affected(first).unwrap_or(first));
                let [head, other] = [head, other].map(|index| index - heads.start + 1);
                let cause = format!(
                    "in a text, each production is a layer; head {head} sets what head {other} reads or sets, and cannot \
                     come after it either"
                );
                return refuse(format!("layer {}", self.layers), cause, "run it as it is, or compile without --heads");
            };
            ordered.push(left.remove(next));
        }
        Ok(ordered)
    }
}
