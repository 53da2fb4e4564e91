//! Queries, keys and values as symbolic structures.

use rustc_hash::FxHashMap;

use crate::{
    qkvl::{Function, Source, Term},
    vocabulary::{ValueId, Vocabulary},
};

/// The value of a register.
pub(super) type Held = Option<ValueId>;

/// The contents of a slot, as a function of the cell.
#[derive(Debug)]
pub(super) enum Filling {
    Is(Reading),
    Not(Reading),
    In(Vec<ValueId>),
    NotIn(Vec<ValueId>),
}

impl Filling {
    /// Whether the contents are the same for every cell.
    pub(super) fn is_fixed(&self) -> bool {
        match self {
            Self::Is(reading) | Self::Not(reading) => !matches!(reading, Reading::Register(..)),
            Self::In(_) | Self::NotIn(_) => true,
        }
    }

    /// The contents, if they are the same for every cell.
    pub(super) fn fixed(&self) -> Filler<'_> {
        let held = |reading: &Reading| match reading {
            Reading::Constant(value) => Some(*value),
            Reading::Register(..) | Reading::Nothing => None,
        };
        match self {
            Self::Is(reading) => held(reading).map_or(Filler::Null, Filler::Value),
            Self::Not(reading) => Filler::Other(held(reading)),
            Self::In(list) => Filler::OneOf(list),
            Self::NotIn(list) => Filler::NoneOf(list),
        }
    }
}

/// The source of a value in a cell.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reading {
    Register(usize, Option<Function>),
    Constant(ValueId),
    Nothing,
}

/// The contents of a slot: a value, or a requirement on the value in the other attribute.
#[derive(Clone, Copy, Debug)]
pub(super) enum Filler<'l> {
    Null,
    Value(ValueId),
    /// The complement of a value. The complement of null contains everything.
    Other(Held),
    OneOf(&'l [ValueId]),
    NoneOf(&'l [ValueId]),
}

impl Filler<'_> {
    /// Whether the slot matches. One of the two must be a value: two requirements never match.
    pub(super) fn matches(self, other: Self) -> bool {
        match (self, other) {
            (Self::Value(value), requirement) | (requirement, Self::Value(value)) => match requirement {
                Self::Null => false,
                Self::Value(other) => other == value,
                Self::Other(excluded) => excluded != Some(value),
                Self::OneOf(list) => list.contains(&value),
                Self::NoneOf(list) => !list.contains(&value),
            },
            _ => false,
        }
    }
}

/// Looks up registers and values by name.
#[derive(Debug)]
pub(super) struct Lookup<'p> {
    registers: FxHashMap<String, usize>,
    vocabulary: &'p Vocabulary,
}

impl<'p> Lookup<'p> {
    pub(super) fn new(registers: &[String], vocabulary: &'p Vocabulary) -> Self {
        let registers = registers.iter().enumerate().map(|(index, name)| (name.clone(), index)).collect();
        Self { registers, vocabulary }
    }

    pub(super) fn register(&self, name: &str) -> Option<usize> {
        self.registers.get(name).copied()
    }

    pub(super) fn reading(&self, term: &Term) -> Reading {
        match term {
            Term::Register(name, function) => {
                self.register(name).map_or(Reading::Nothing, |register| Reading::Register(register, *function))
            }
            Term::Constant(text) => self.vocabulary.get(text).map_or(Reading::Nothing, Reading::Constant),
        }
    }

    pub(super) fn filling(&self, source: &Source) -> Filling {
        let values = |list: &[String]| list.iter().filter_map(|text| self.vocabulary.get(text)).collect();
        match source {
            Source::Is(term) => Filling::Is(self.reading(term)),
            Source::Not(term) => Filling::Not(self.reading(term)),
            Source::In(list) => Filling::In(values(list)),
            Source::NotIn(list) => Filling::NotIn(values(list)),
        }
    }
}

/// The positions in order, and the index of each value among them.
#[derive(Debug)]
pub(super) struct Shifts<'p> {
    positions: &'p [ValueId],
    place: FxHashMap<ValueId, usize>,
}

impl<'p> Shifts<'p> {
    pub(super) fn new(vocabulary: &'p Vocabulary) -> Self {
        let positions = vocabulary.positions();
        let place = positions.iter().enumerate().map(|(place, &value)| (value, place)).collect();
        Self { positions, place }
    }

    pub(super) fn position(&self, place: usize) -> Held {
        self.positions.get(place).copied()
    }

    fn shift(&self, value: ValueId, function: Function) -> Held {
        let place = *self.place.get(&value)?;
        match function {
            Function::PosIncrement => self.position(place + 1),
            Function::PosDecrement => self.position(place.checked_sub(1)?),
        }
    }

    /// The value of a reading in a cell.
    pub(super) fn read(&self, reading: Reading, cell: &[Held]) -> Held {
        match reading {
            Reading::Register(register, None) => *cell.get(register)?,
            Reading::Register(register, Some(function)) => self.shift((*cell.get(register)?)?, function),
            Reading::Constant(value) => Some(value),
            Reading::Nothing => None,
        }
    }

    /// The contents of a slot for a cell.
    pub(super) fn fill<'l>(&self, filling: &'l Filling, cell: &[Held]) -> Filler<'l> {
        match filling {
            Filling::Is(reading) => self.read(*reading, cell).map_or(Filler::Null, Filler::Value),
            Filling::Not(reading) => Filler::Other(self.read(*reading, cell)),
            Filling::In(list) => Filler::OneOf(list),
            Filling::NotIn(list) => Filler::NoneOf(list),
        }
    }
}
