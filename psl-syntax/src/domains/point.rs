//! The points of a program at which registers are read.

use crate::program::{Condition, Production, ProductionId, Program, Statement, Until};

/// A point at which registers are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramPoint {
    /// Before a layer.
    Layer(ProductionId),
    /// At the `until` of a block, by its index in the order of their ends.
    Until(usize),
}

/// Conditions that must hold together at one point.
pub(crate) struct Conjunction<'p> {
    pub(crate) point: ProgramPoint,
    /// Empty for `until NO_CHANGE`.
    pub(crate) conditions: &'p [Condition],
    /// The production of the conditions, or `None` for an `until`.
    pub(crate) production: Option<&'p Production>,
}

/// The conditions of each production and of each `until`, in program order.
pub(crate) fn conjunctions(program: &Program) -> Vec<Conjunction<'_>> {
    let mut walk = Walk { layers: 0, blocks: 0, found: Vec::with_capacity(program.statements.len()) };
    walk.statements(&program.statements);
    walk.found
}

struct Walk<'p> {
    layers: usize,
    blocks: usize,
    found: Vec<Conjunction<'p>>,
}

impl<'p> Walk<'p> {
    /// Recursion depth is the nesting of repeat blocks, which the parser limits.
    fn statements(&mut self, statements: &'p [Statement]) {
        for statement in statements {
            let (point, conditions, production) = match statement {
                Statement::Production(production) => {
                    let layer = ProductionId::new(self.layers);
                    self.layers += 1;
                    (ProgramPoint::Layer(layer), production.conditions.as_slice(), Some(production))
                }
                Statement::Repeat(repeat) => {
                    self.statements(&repeat.body);
                    self.blocks += 1;
                    let conditions = match &repeat.until {
                        Until::NoChange => &[],
                        Until::Conditions(conditions) => conditions.as_slice(),
                    };
                    (ProgramPoint::Until(self.blocks - 1), conditions, None)
                }
            };
            self.found.push(Conjunction { point, conditions, production });
        }
    }
}
