//! Schedules: productions that do not affect each other as the heads of one layer (90a).
//!
//! All heads of a layer read the layer's input. A schedule has the effect of the program if two things hold of every
//! production A and each later production B:
//!
//! - B is in a layer after A's, or running A first does not affect B.
//! - B is in A's layer or after it, or neither affects the other.
//!
//! [`Dependences`] decides whether running one production first affects another: whether the other, in some cell,
//! attends to a different cell, assigns a different value, or assigns to a register that the first assigned to.
//!
//! # Why a schedule has the effect of the program
//!
//! The heads of a layer have the effect of running them one after another in program order: none affects a later one,
//! so each finds what it finds in the layer's input, and no two assign to one register of a cell. What is left is an
//! order of the productions. Each pair that it reverses does not affect each other in either order, and swapping two
//! such neighbors changes nothing; neighbors that are out of order can be swapped until the order is that of the
//! program.
//!
//! Repeat blocks are barriers. The end of a pass and the end of a block depend on all registers, so productions stay
//! within their block and on their side of an inner one. A *section* is a sequence of productions without a barrier.
//!
//! This also holds for generated cells. They read earlier cells in the layers and passes of these, and an earlier cell
//! changed in a layer only if the production's guards held there.
//!
//! # Optimality
//!
//! Take a chain of productions, each of which needs a later layer than the one before it, or the same at the earliest.
//! It needs one layer, and one more for each later layer. Without a limit on heads, each production is in the first
//! layer that the two rules allow, so some chain needs as many layers as the section has. With at most K heads, list
//! scheduling fills layer after layer, the start of the longest chain first. It needs at most 2 - 1/K times the fewest
//! layers (Graham 1969): while a layer has room, every chain of the remaining productions gets shorter, and the other
//! layers are full.

mod dependence;
mod guard;
mod index;
mod order;
mod section;
mod words;

use std::{mem, num::NonZeroUsize, ops::Range};

use index::Index;
use section::Section;

use crate::program::{Production, ProductionId, Program, Repeat, Statement};

pub use dependence::{Dependence, Dependences, Usage};
pub use order::Order;
pub use words::uses;

/// The layers and heads of a program. Productions are given by their indices in the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// By layer: its heads, in program order.
    pub layers: Vec<Vec<usize>>,
    /// A lower bound on the number of layers. Equal to that number if heads are not limited.
    pub fewest: usize,
    /// By production: the earlier one that decides its layer if heads are not limited. `None` if it can be in the first
    /// layer of its section.
    pub waits: Vec<Option<Wait>>,
    /// Productions that need as many layers as there are if heads are not limited, in program order. Each waits for the
    /// one before it, or the edge of a repeat block separates the two.
    pub critical_path: Vec<usize>,
}

/// A production that a later one waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The earlier production.
    pub earlier: usize,
    /// Whether the later one may share its layer.
    pub order: Order,
    /// The reasons: for [`Order::After`], the uses that the later production makes of what the earlier one writes; for
    /// [`Order::NotBefore`], the reverse.
    pub reasons: Vec<Dependence>,
}

/// Schedules a program without errors, with at most `max_heads` heads in a layer.
pub fn schedule(program: &Program, max_heads: Option<NonZeroUsize>) -> Schedule {
    let dependences = Dependences::new(program);
    let index = || Index::new(Some(&dependences));
    with_reasons(program, max_heads, &dependences, &index, &|first, second| dependences.affects(first, second))
}

/// Schedules a program by a rule of one's own: whether running one production first affects another. Productions are
/// given by their indices. If it is weaker than that of [`Dependences`], the schedule may change the effect of the
/// program.
pub fn schedule_by(
    program: &Program,
    max_heads: Option<NonZeroUsize>,
    affects: &dyn Fn(usize, usize) -> bool,
) -> Schedule {
    with_reasons(program, max_heads, &Dependences::new(program), &|| Index::new(None), affects)
}

/// Schedules a program by a rule, with the dependences as the reasons of waits. `index` returns an empty index for the
/// rule.
fn with_reasons<'d>(
    program: &Program,
    max_heads: Option<NonZeroUsize>,
    dependences: &Dependences<'_>,
    index: &dyn Fn() -> Index<'d>,
    affects: &dyn Fn(usize, usize) -> bool,
) -> Schedule {
    let mut schedule = Schedule::default();
    for productions in sections(&program.statements) {
        let section = Section::new(productions.clone(), index(), affects);
        let waits = productions.zip(section.waits()).map(|(later, wait)| {
            let (earlier, order) = wait?;
            let (first, second) = if order == Order::After { (earlier, later) } else { (later, earlier) };
            Some(Wait { earlier, order, reasons: dependences.between(first, second) })
        });
        schedule.waits.extend(waits);
        schedule.critical_path.extend(section.critical_path());
        schedule.fewest += section.fewest(max_heads);
        schedule.layers.extend(match max_heads {
            None => section.layers,
            Some(max_heads) => section.layers_of(max_heads, index(), affects),
        });
    }
    schedule
}

/// The sequences of productions without a barrier, as ranges of their indices, in program order.
fn sections(statements: &[Statement]) -> Vec<Range<usize>> {
    fn visit(statements: &[Statement], next: &mut usize, sections: &mut Vec<Range<usize>>) {
        let mut start = *next;
        for statement in statements {
            match statement {
                Statement::Production(_) => *next += 1,
                Statement::Repeat(repeat) => {
                    sections.push(start..*next);
                    visit(&repeat.body, next, sections);
                    start = *next;
                }
            }
        }
        sections.push(start..*next);
    }
    let mut found = Vec::new();
    visit(statements, &mut 0, &mut found);
    found.retain(|section| !section.is_empty());
    found
}

impl Schedule {
    /// The number of layers.
    pub fn depth(&self) -> usize {
        self.layers.len()
    }

    /// The largest number of heads in a layer.
    pub fn width(&self) -> usize {
        self.layers.iter().map(Vec::len).max().unwrap_or_default()
    }

    /// The program that it schedules, with the productions in the order of the schedule. Those that share a layer say
    /// so.
    #[must_use]
    pub fn apply(&self, program: &Program) -> Program {
        let productions = program.productions();
        let heads = |layer: &Vec<usize>| {
            let productions = layer.iter().filter_map(|index| productions.find(ProductionId::new(*index)));
            (0..).zip(productions).map(|(head, it)| Production { shares_layer: head > 0, ..(*it).clone() }).collect()
        };
        let mut layers = self.layers.iter().map(heads);
        Program { statements: apply(&program.statements, &mut layers), ..program.clone() }
    }
}

/// Replaces each section by its layers.
fn apply(statements: &[Statement], layers: &mut impl Iterator<Item = Vec<Production>>) -> Vec<Statement> {
    let mut applied = Vec::with_capacity(statements.len());
    let mut section = 0;
    for statement in statements {
        match statement {
            Statement::Production(_) => section += 1,
            Statement::Repeat(repeat) => {
                extend(&mut applied, mem::take(&mut section), layers);
                applied.push(Statement::Repeat(Repeat { body: apply(&repeat.body, layers), ..repeat.clone() }));
            }
        }
    }
    extend(&mut applied, section, layers);
    applied
}

/// Adds the layers of a section of that many productions.
fn extend(statements: &mut Vec<Statement>, section: usize, layers: &mut impl Iterator<Item = Vec<Production>>) {
    let end = statements.len() + section;
    while statements.len() < end {
        let Some(heads) = layers.next() else { break };
        statements.extend(heads.into_iter().map(Statement::Production));
    }
}
