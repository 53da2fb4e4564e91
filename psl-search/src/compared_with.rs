//! The other side of a register in a comparison or an assignment.

use psl_syntax::{Tree, program::RegisterId, tree::Operand};

use crate::name_sorts::NameSorts;

/// The other side of a register in a comparison or an assignment, by the numbers of registers and constants.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ComparedWith {
    Register(RegisterId),
    Constants(Vec<usize>),
    Unknown,
}

impl ComparedWith {
    /// A single operand.
    pub fn operand(tree: &Tree, names: &NameSorts, operand: &Operand) -> Self {
        match operand {
            Operand::Register(place) => Self::Register(names.register(tree.str(place.register))),
            Operand::Constant(_) => Self::list(tree, names, std::slice::from_ref(operand)),
            Operand::Hole(_) => Self::Unknown,
        }
    }

    /// The constants of a list.
    pub fn list(tree: &Tree, names: &NameSorts, list: &[Operand]) -> Self {
        let constant = |operand: &Operand| match operand {
            Operand::Constant(name) => names.constant(&tree.name(*name)),
            Operand::Register(_) | Operand::Hole(_) => None,
        };
        Self::Constants(list.iter().filter_map(constant).collect())
    }

    /// Whether a register has to do with it elsewhere in the program.
    pub fn fits(&self, names: &NameSorts, register: RegisterId) -> bool {
        match self {
            Self::Register(other) => names.alike(register, *other),
            Self::Constants(constants) => constants.iter().all(|constant| names.fits(register, *constant)),
            Self::Unknown => true,
        }
    }
}
