//! Readings of a cell: a register's value, the position next to it, or a constant.

use psl_syntax::program::Function;

use super::value::{NULL, Value};
use crate::vocabulary::ValueId;

/// A register's value, or the position next to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) register: usize,
    pub(super) function: Option<Function>,
}

impl Reading {
    pub(super) fn new(register: usize, function: Option<Function>) -> Self {
        Self { register, function }
    }
}

/// The next and the previous position of each position.
#[derive(Debug, Default)]
pub(super) struct Shifts {
    positions: Vec<ValueId>,
    /// Indexed by value.
    next: Vec<Value>,
    /// Indexed by value.
    previous: Vec<Value>,
}

impl Shifts {
    /// Takes the positions of a run, which are often those of the last one.
    pub(super) fn of(mut self, positions: &[ValueId]) -> Self {
        if self.positions == positions {
            return self;
        }
        let Self { positions: own, next, previous } = &mut self;
        own.clear();
        own.extend_from_slice(positions);
        let values = positions.iter().max().map_or(0, |value| value.0 as usize + 1);
        for shifts in [&mut *next, &mut *previous] {
            shifts.clear();
            shifts.resize(values, NULL);
        }
        for (low, high) in positions.iter().zip(positions.iter().skip(1)) {
            if let (Some(next), Some(previous)) = (next.get_mut(low.0 as usize), previous.get_mut(high.0 as usize)) {
                *next = high.0;
                *previous = low.0;
            }
        }
        self
    }

    pub(super) fn position(&self, place: usize) -> Value {
        self.positions.get(place).map_or(NULL, |value| value.0)
    }

    #[inline]
    pub(super) fn read(&self, reading: Reading, state: &[Value]) -> Value {
        self.shifted(reading.function, state.get(reading.register).copied().unwrap_or(NULL))
    }

    /// The value that a function makes of one.
    #[inline]
    pub(super) fn shifted(&self, function: Option<Function>, value: Value) -> Value {
        let shifts = match function {
            None => return value,
            Some(Function::PosIncrement) => &self.next,
            Some(Function::PosDecrement) => &self.previous,
        };
        shifts.get(value as usize).copied().unwrap_or(NULL)
    }
}

/// The new value of a register.
#[derive(Clone, Copy, Debug)]
pub(super) enum Assigned {
    Register(Reading),
    Constant(Value),
}

impl Assigned {
    /// The reading of the cell attended to, or `None` for a constant.
    #[inline]
    pub(super) fn reading(&self) -> Option<Reading> {
        match self {
            Self::Register(reading) => Some(*reading),
            Self::Constant(_) => None,
        }
    }
}
