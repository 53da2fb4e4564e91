//! Tests of one cell's reading against constants.

use super::{
    reading::{Reading, Shifts},
    value::{NULL, Value},
    watches::Watches,
};
use crate::weights::Form;

/// A test of one reading.
#[derive(Clone, Debug)]
pub(super) struct ValueTest {
    pub(super) reading: Reading,
    /// The first of the values, or [`NULL`] if there are none.
    first: Value,
    others: Vec<Value>,
    /// Whether the reading must be one of the values, rather than none of them.
    pub(super) among: bool,
    /// Whether null passes.
    pub(super) null: bool,
    /// The columns of the values, or `None` for what a function makes of a register.
    pub(super) columns: Option<Vec<usize>>,
}

/// The tests of a cell, for the columns of bits.
#[derive(Clone, Debug, Default)]
pub(super) struct Tests {
    /// The columns of the values that registers must have.
    pub(super) columns: Box<[usize]>,
    /// The tests that are not of one value.
    pub(super) others: Box<[ValueTest]>,
}

impl Tests {
    pub(super) fn new(tests: &[ValueTest]) -> Self {
        let column = |test: &&ValueTest| match test.columns.as_deref() {
            Some([column]) if test.among => Some(*column),
            _ => None,
        };
        let others = tests.iter().filter(|test| column(test).is_none()).cloned().collect();
        Self { columns: tests.iter().filter_map(|test| column(&test)).collect(), others }
    }
}

impl ValueTest {
    fn new(reading: Reading, values: &[Value], among: bool, null: bool, watches: &mut Watches) -> Self {
        let (first, others) = values.split_first().map_or((NULL, Vec::new()), |(first, rest)| (*first, rest.to_vec()));
        let columns = values.iter().map(|value| watches.watch(reading.register, *value));
        let columns = reading.function.is_none().then(|| columns.collect());
        Self { reading, first, others, among, null, columns }
    }

    /// The test against constants, or `None` if nothing can pass.
    pub(super) fn of_constants(reading: Reading, constants: &Form, watches: &mut Watches) -> Option<Self> {
        match constants {
            Form::OneOf(values) => Some(Self::new(reading, values, true, false, watches)),
            Form::NoneOf(values) => Some(Self::new(reading, values, false, false, watches)),
            Form::Nothing | Form::Register(..) | Form::Not(..) => None,
        }
    }

    pub(super) fn not_null(reading: Reading) -> Self {
        Self::new(reading, &[], false, false, &mut Watches::default())
    }

    /// A test of a complement's register. The complement of null contains everything.
    pub(super) fn other(reading: Reading, values: &[Value], watches: &mut Watches) -> Self {
        Self::new(reading, values, false, true, watches)
    }

    #[inline]
    pub(super) fn holds(&self, shifts: &Shifts, state: &[Value]) -> bool {
        self.passes(shifts.read(self.reading, state))
    }

    /// Whether a value of the reading passes.
    #[inline]
    pub(super) fn passes(&self, value: Value) -> bool {
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
