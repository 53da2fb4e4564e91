//! Normal forms of programs: two programs with the same normal form continue every prompt in the same way.
//!
//! Each step of the way to the normal form keeps all continuations:
//!
//! - A production that never fires is left out, and so are conditions and list entries that decide nothing (see
//!   [`psl_syntax::domains`]).
//! - Conditions are written in one of their forms: a register that equals another one or a constant represents it, also
//!   where its value is assigned.
//! - Masks and sides that decide nothing are left out: those of a production that can only attend to one cell.
//! - Assignments that change nothing, and those to registers that nothing reads, are left out. The output is read, and
//!   in a block that runs until nothing changes, everything is.
//! - Of the orders of productions that do not affect each other, the first one is taken.

mod claims;
mod layer;
mod liveness;
mod part;

use std::{iter, mem};

use psl_syntax::{
    Checked,
    program::{Repeat, Statement, Until},
};

use self::{
    layer::{Layer, Reader},
    liveness::{live, without_dead},
    part::{End, Part},
};

/// The normal form of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalForm {
    parts: Vec<Part>,
}

impl NormalForm {
    /// The normal form of a program without errors.
    pub fn new(checked: &Checked) -> Self {
        let program = &checked.analysis.program;
        let mut reader = Reader::new(checked);
        let parts = parts(&mut reader, &program.statements);
        let live = live(&parts, program.roles.output.into_iter().chain(program.answer));
        Self { parts: in_order(without_dead(parts, &live)) }
    }
}

/// Recursion depth is the nesting of repeat blocks, which the parser limits.
fn parts(reader: &mut Reader<'_>, statements: &[Statement]) -> Vec<Part> {
    let mut found = Vec::new();
    for statement in statements {
        match statement {
            Statement::Production(production) => found.extend(reader.layer(production).map(Part::Layer)),
            Statement::Repeat(Repeat { body, until, .. }) => {
                let body = parts(reader, body);
                let end = match until {
                    Until::NoChange => End::NoChange,
                    Until::Conditions(conditions) => reader.until(conditions).map_or(End::Never, End::Claims),
                };
                found.push(Part::Block { body, end });
            }
        }
    }
    found
}

/// The first order of layers that do not affect each other, in each sequence without blocks.
fn in_order(parts: Vec<Part>) -> Vec<Part> {
    let mut found = Vec::with_capacity(parts.len());
    let mut section: Vec<Layer> = Vec::new();
    for part in parts {
        match part {
            Part::Layer(layer) => section.push(layer),
            Part::Block { body, end } => {
                found.extend(sorted(mem::take(&mut section)).map(Part::Layer));
                found.push(Part::Block { body: in_order(body), end });
            }
        }
    }
    found.extend(sorted(section).map(Part::Layer));
    found
}

fn sorted(mut section: Vec<Layer>) -> impl Iterator<Item = Layer> {
    iter::from_fn(move || {
        let is_first = |index: &usize| {
            let (before, rest) = section.split_at(*index);
            rest.first().is_some_and(|layer| before.iter().all(|other| !other.affects(layer) && !layer.affects(other)))
        };
        let first =
            (0..section.len()).filter(is_first).min_by(|one, other| section.get(*one).cmp(&section.get(*other)));
        first.map(|index| section.remove(index))
    })
}
