//! Tests of one cell's reading against constants.

use super::{
    reading::{Reading, Shifts},
    value::{NULL, Value},
};
use crate::weights::Form;

/// A test of one reading.
#[derive(Clone, Debug)]
pub(super) struct ValueTest {
    reading: Reading,
    /// The first of the values, or [`NULL`] if there are none.
    first: Value,
    others: Vec<Value>,
    /// Whether the reading must be one of the values, rather than none of them.
    among: bool,
    /// Whether null passes.
    null: bool,
}

impl ValueTest {
    fn new(reading: Reading, values: &[Value], among: bool, null: bool) -> Self {
        let (first, others) = values.split_first().map_or((NULL, Vec::new()), |(first, rest)| (*first, rest.to_vec()));
        Self { reading, first, others, among, null }
    }

    /// The test against constants, or `None` if nothing can pass.
    pub(super) fn of_constants(reading: Reading, constants: &Form) -> Option<Self> {
        match constants {
            Form::OneOf(values) => Some(Self::new(reading, values, true, false)),
            Form::NoneOf(values) => Some(Self::new(reading, values, false, false)),
            Form::Nothing | Form::Register(..) | Form::Not(..) => None,
        }
    }

    pub(super) fn not_null(reading: Reading) -> Self {
        Self::new(reading, &[], false, false)
    }

    /// A test of a complement's register. The complement of null contains everything.
    pub(super) fn other(reading: Reading, values: &[Value]) -> Self {
        Self::new(reading, values, false, true)
    }

    #[inline]
    pub(super) fn holds(&self, shifts: &Shifts, state: &[Value]) -> bool {
        let value = shifts.read(self.reading, state);
        if value == NULL {
            self.null
        } else {
            (value == self.first || (!self.others.is_empty() && self.search_others(value))) == self.among
        }
    }

    /// Most tests have one value. This is not inlined to keep their code small.
    #[inline(never)]
    fn search_others(&self, value: Value) -> bool {
        self.others.contains(&value)
    }
}
