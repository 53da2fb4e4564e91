//! The operands, conditions and assignments that a program could have.
//!
//! There are as many as the square of the number of registers, so all of these are iterators, and a text is only
//! written for what is tried.

use psl_syntax::program::{Cell, CellRegister, ConstantId, Function, Operand, RegisterId};

use crate::name_sorts::NameSorts;

/// A part of a production that a program could have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phrase {
    pub part: Part,
    /// Whether its registers and constants have to do with each other elsewhere in the program.
    pub fits: bool,
}

/// The content of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// `n`, `N`, `==`, `!=` or the name of a function.
    Word(&'static str),
    Register(RegisterId),
    Operand(Operand),
    Condition {
        left: CellRegister,
        negated: bool,
        right: Operand,
    },
    Assignment {
        target: RegisterId,
        source: Operand,
    },
}

/// The phrases with some functions, where `None` is none, and with `==`, `!=` or both.
#[derive(Clone, Copy, Debug)]
pub struct Kinds {
    pub functions: &'static [Option<Function>],
    pub negations: &'static [bool],
}

pub const UNMAPPED: &[Option<Function>] = &[None];
pub const MAPPED: &[Option<Function>] = &[Some(Function::PosIncrement), Some(Function::PosDecrement)];

impl Kinds {
    /// All phrases.
    pub const ALL: Self = Self {
        functions: &[None, Some(Function::PosIncrement), Some(Function::PosDecrement)],
        negations: &[false, true],
    };

    fn has_unmapped(self) -> bool {
        self.functions.contains(&None)
    }

    /// Without the registers that no function maps.
    fn mapped(self) -> &'static [Option<Function>] {
        if self.functions.iter().any(Option::is_some) { MAPPED } else { &[] }
    }
}

impl Phrase {
    /// Writes the phrase.
    pub fn text(self, names: &NameSorts) -> String {
        match self.part {
            Part::Word(word) => word.to_owned(),
            Part::Register(register) => names.name(register).to_owned(),
            Part::Operand(operand) => written(names, operand),
            Part::Condition { left, negated, right } => {
                let operator = if negated { "!=" } else { "==" };
                format!("{} {operator} {}", written(names, Operand::Register(left, None)), written(names, right))
            }
            Part::Assignment { target, source } => format!("{}[N] = {}", names.name(target), written(names, source)),
        }
    }

    /// The number of its names that the program does not use.
    pub fn newly_used(self, names: &NameSorts) -> usize {
        let is_unused = |register: RegisterId| names.is_unused(register);
        let (register, operand) = match self.part {
            Part::Word(_) => (None, None),
            Part::Register(register) => (Some(register), None),
            Part::Operand(operand) => (None, Some(operand)),
            Part::Condition { left, right, .. } => (Some(left.register), Some(right)),
            Part::Assignment { target, source } => (Some(target), Some(source)),
        };
        let is_new = |operand: Operand| match operand {
            Operand::Constant(constant) => names.is_idle(constant.0 as usize),
            Operand::Register(place, _) => is_unused(place.register),
        };
        usize::from(register.is_some_and(is_unused)) + usize::from(operand.is_some_and(is_new))
    }

    /// The register that an assignment sets.
    pub fn target(self) -> Option<RegisterId> {
        match self.part {
            Part::Assignment { target, .. } => Some(target),
            _ => None,
        }
    }

    /// Whether a condition mentions cell `n`.
    pub fn reads_source(self) -> bool {
        let is_source = |place: CellRegister| place.cell == Cell::Source;
        matches!(self.part, Part::Condition { left, right, .. } if is_source(left) || right.register().is_some_and(is_source))
    }
}

fn written(names: &NameSorts, operand: Operand) -> String {
    match operand {
        Operand::Constant(constant) => names.constants.get(constant.0 as usize).cloned().unwrap_or_default(),
        Operand::Register(CellRegister { register, cell }, function) => {
            let cell = if cell == Cell::Source { "n" } else { "N" };
            let function = function.map(|function| format!("@{}", function.as_str())).unwrap_or_default();
            format!("{}[{cell}]{function}", names.name(register))
        }
    }
}

/// The right sides of a comparison with a register, or of an assignment to it, and whether they fit.
pub fn sources<'w>(
    names: &'w NameSorts,
    register: RegisterId,
    cells: &'static [Cell],
    kinds: Kinds,
) -> impl Iterator<Item = (Operand, bool)> + use<'w> {
    constants(names, register, kinds).chain(reads(names, register, cells, kinds.functions))
}

/// The constants on the right of a register.
fn constants(names: &NameSorts, register: RegisterId, kinds: Kinds) -> impl Iterator<Item = (Operand, bool)> + use<'_> {
    let count = if kinds.has_unmapped() { names.constants.len() } else { 0 };
    let operand = |constant: usize| Operand::Constant(ConstantId(constant as u32));
    (0..count).map(move |constant| (operand(constant), names.fits(register, constant)))
}

/// The registers of cells, with each function, on the right of a register.
fn reads<'w>(
    names: &'w NameSorts,
    register: RegisterId,
    cells: &'static [Cell],
    functions: &'static [Option<Function>],
) -> impl Iterator<Item = (Operand, bool)> + use<'w> {
    let count = if functions.is_empty() { 0 } else { names.registers.len() };
    cells.iter().flat_map(move |cell| {
        names.register_ids().take(count).flat_map(move |other| {
            let alike = names.alike(register, other);
            functions.iter().map(move |function| {
                let fits = alike && (function.is_none() || names.holds_positions(other));
                (Operand::Register(CellRegister { register: other, cell: *cell }, *function), fits)
            })
        })
    })
}

/// The comparisons of a register with a constant, and of one register with another in the other cell or of cell N.
pub fn conditions(names: &NameSorts, kinds: Kinds) -> impl Iterator<Item = Phrase> + use<'_> {
    let count = names.registers.len();
    let with_both = move |left: CellRegister, (right, fits): (Operand, bool)| {
        let condition = move |negated: &bool| Part::Condition { left, negated: *negated, right };
        kinds.negations.iter().map(move |negated| Phrase { part: condition(negated), fits })
    };
    let between_cells = names.register_ids().flat_map(move |register| {
        let left = move |cell: Cell| CellRegister { register, cell };
        let of_source = sources(names, register, &[Cell::Updated], kinds);
        // Without a function, both orders mean the same.
        let of_updated = constants(names, register, kinds);
        let of_updated = of_updated.chain(reads(names, register, &[Cell::Source], kinds.mapped()));
        let of_source = of_source.flat_map(move |source| with_both(left(Cell::Source), source));
        of_source.chain(of_updated.flat_map(move |source| with_both(left(Cell::Updated), source)))
    });
    let of_one_cell = names.register_ids().take(if kinds.has_unmapped() { count } else { 0 }).flat_map(move |one| {
        let of = |register: RegisterId| CellRegister { register, cell: Cell::Updated };
        let right = move |other: RegisterId| (Operand::Register(of(other), None), names.alike(one, other));
        names.register_ids().skip(one.index() + 1).flat_map(move |other| with_both(of(one), right(other)))
    });
    between_cells.chain(of_one_cell)
}

/// The assignments of constants and registers to any register, without those that change nothing.
pub fn assignments(names: &NameSorts, kinds: Kinds) -> impl Iterator<Item = Phrase> + use<'_> {
    names.register_ids().flat_map(move |register| assignments_to(names, register, kinds))
}

/// The assignments to a register.
pub fn assignments_to(names: &NameSorts, target: RegisterId, kinds: Kinds) -> impl Iterator<Item = Phrase> + use<'_> {
    let itself = Operand::Register(CellRegister { register: target, cell: Cell::Updated }, None);
    let sources = sources(names, target, &[Cell::Source, Cell::Updated], kinds);
    let sources = sources.filter(move |(source, _)| *source != itself);
    sources.map(move |(source, fits)| Phrase { part: Part::Assignment { target, source }, fits })
}
