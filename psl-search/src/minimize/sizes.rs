//! The number of parts of a program.

use psl_syntax::{
    Checked,
    tree::{Comparison, Condition},
};

use crate::productions::{productions, repeats};

/// The numbers of parts of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The productions.
    pub productions: usize,
    /// The conditions, those of repeat blocks included.
    pub conditions: usize,
    /// The assignments.
    pub assignments: usize,
    /// The entries of lists in conditions.
    pub entries: usize,
    /// The registers.
    pub registers: usize,
    /// The constants.
    pub constants: usize,
}

impl Sizes {
    pub(super) fn of(checked: &Checked) -> Self {
        let (productions, repeats) = (productions(&checked.tree), repeats(&checked.tree));
        let of_productions = productions.iter().flat_map(|production| &production.conditions);
        let conditions: Vec<&Condition> =
            of_productions.chain(repeats.iter().flat_map(|repeat| &repeat.until)).collect();
        let entries = conditions.iter().map(|condition| match &condition.comparison {
            Comparison::Membership { list, .. } => list.len(),
            Comparison::Equality { .. } => 0,
        });
        let program = &checked.analysis.program;
        Self {
            productions: productions.len(),
            conditions: conditions.len(),
            assignments: productions.iter().map(|production| production.assignments.len()).sum(),
            entries: entries.sum(),
            registers: program.registers.len(),
            constants: program.constants.len(),
        }
    }

    /// The parts by their names in the plural, each with its number.
    pub fn named(&self) -> [(&'static str, usize); 6] {
        let Self { productions, conditions, assignments, entries, registers, constants } = *self;
        [
            ("productions", productions),
            ("conditions", conditions),
            ("assignments", assignments),
            ("list entries", entries),
            ("registers", registers),
            ("constants", constants),
        ]
    }
}
