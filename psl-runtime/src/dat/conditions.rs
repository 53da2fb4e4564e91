//! The conditions for a match: tests of the query cell, tests of the key cell, and comparisons of the two.

use psl_syntax::program::Function;

use super::{
    reading::{Reading, Shifts},
    value::{NULL, Value},
    value_test::{Tests, ValueTest},
    watches::Watches,
};
use crate::weights::{Form, Slot};

/// Conditions, all of which must hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Conditions {
    /// Tests of the updated cell.
    pub(super) query_tests: Vec<ValueTest>,
    /// Tests of the cell attended to.
    pub(super) key_tests: Vec<ValueTest>,
    /// `query_tests` and `key_tests`, each for many cells at once.
    pub(super) of_queries: Tests,
    pub(super) of_keys: Tests,
    /// Readings of the two cells that must be equal and not null.
    pub(super) equal: Vec<Pair>,
    /// Readings that must differ. Null differs from everything.
    pub(super) differ: Vec<Pair>,
    /// Whether some condition never holds.
    never: bool,
    /// The distance to the right from the updated cell to the cell attended to, if the first of the equal pairs fixes
    /// it by their positions.
    offset: Option<isize>,
}

/// A reading of the updated cell, and one of the cell attended to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) query: Reading,
    pub(super) key: Reading,
}

impl Conditions {
    pub(super) fn new(slots: &[Slot], position: Option<usize>, watches: &mut Watches) -> Self {
        let mut conditions = Self::default();
        for slot in slots {
            conditions.add(slot, position, watches);
        }
        conditions.of_queries = Tests::new(&conditions.query_tests);
        conditions.of_keys = Tests::new(&conditions.key_tests);
        conditions
    }

    fn add(&mut self, Slot { query, key, .. }: &Slot, position: Option<usize>, watches: &mut Watches) {
        let reading = |register: &usize, function: &Option<Function>| Reading::new(*register, *function);
        let pair = |register, function, of_key, function_of_key| Pair {
            query: reading(register, function),
            key: reading(of_key, function_of_key),
        };
        match (query, key) {
            (Form::Register(register, function), Form::Register(of_key, function_of_key)) => {
                let pair = pair(register, function, of_key, function_of_key);
                if self.offset.is_none() && Some(*register) == position && Some(*of_key) == position {
                    self.offset = Some(distance(*function) - distance(*function_of_key));
                    self.equal.insert(0, pair);
                } else {
                    self.equal.push(pair);
                }
            }
            (Form::Register(register, function), Form::Not(of_key, function_of_key)) => {
                let pair = pair(register, function, of_key, function_of_key);
                self.query_tests.push(ValueTest::not_null(pair.query));
                self.differ.push(pair);
            }
            (Form::Not(register, function), Form::Register(of_key, function_of_key)) => {
                let pair = pair(register, function, of_key, function_of_key);
                self.key_tests.push(ValueTest::not_null(pair.key));
                self.differ.push(pair);
            }
            (Form::Register(register, function), constants) => {
                self.query_tests.extend(ValueTest::of_constants(reading(register, function), constants, watches));
            }
            (constants, Form::Register(register, function)) => {
                self.key_tests.extend(ValueTest::of_constants(reading(register, function), constants, watches));
            }
            (Form::OneOf(one), Form::Not(register, function)) => {
                self.key_tests.push(ValueTest::other(reading(register, function), one, watches));
            }
            (Form::Not(register, function), Form::OneOf(one)) => {
                self.query_tests.push(ValueTest::other(reading(register, function), one, watches));
            }
            (Form::OneOf(list), Form::OneOf(others)) => self.never |= !list.iter().any(|value| others.contains(value)),
            (Form::OneOf(one), Form::NoneOf(list)) | (Form::NoneOf(list), Form::OneOf(one)) => {
                self.never |= one.iter().all(|value| list.contains(value));
            }
            // `Nothing` matches nothing, and no program has two complements.
            (Form::Nothing | Form::Not(..) | Form::NoneOf(_), _) | (_, Form::Nothing) => self.never = true,
        }
        self.never |= matches!(query, Form::Nothing) || matches!(key, Form::Nothing);
    }

    pub(super) fn can_hold(&self) -> bool {
        !self.never
    }

    /// The distance to the right of the only cell that can match, if positions are indices. At most 1 in either
    /// direction.
    pub(super) fn offset(&self) -> Option<isize> {
        self.offset.filter(|offset| offset.abs() <= 1)
    }

    /// Whether the distance between the cells is all that is compared.
    pub(super) fn only_offset(&self) -> bool {
        self.offset.is_some() && self.equal.len() == 1 && self.differ.is_empty()
    }

    /// Whether the updated cell passes its tests. Otherwise, it matches no cell.
    #[inline]
    pub(super) fn query_tests_pass(&self, shifts: &Shifts, state: &[Value]) -> bool {
        self.query_tests.iter().all(|test| test.holds(shifts, state))
    }

    /// Whether the cell attended to passes its tests. `read` reads that cell.
    #[inline]
    pub(super) fn key_tests_pass(&self, read: impl Fn(Reading) -> Value) -> bool {
        self.key_tests.iter().all(|test| test.passes(read(test.reading)))
    }

    /// Whether all comparisons hold, but those that a fixed distance decides.
    #[inline]
    pub(super) fn pairs_hold(
        &self,
        at_offset: bool,
        query: impl Fn(Reading) -> Value,
        key: impl Fn(Reading) -> Value,
    ) -> bool {
        let readings = |pair: &Pair| (query(pair.query), key(pair.key));
        let equal = self.equal.iter().skip(usize::from(at_offset)).map(readings);
        equal.into_iter().all(|(query, key)| query == key && query != NULL)
            && self.differ.iter().map(readings).all(|(query, key)| query != key || query == NULL)
    }

    /// The registers of the updated cell that are read.
    pub(super) fn query_registers(&self) -> impl Iterator<Item = usize> {
        let pairs = self.equal.iter().chain(&self.differ).map(|pair| pair.query.register);
        self.query_tests.iter().map(|test| test.reading.register).chain(pairs)
    }

    /// The registers of the cell attended to that are read.
    pub(super) fn key_registers(&self) -> impl Iterator<Item = usize> {
        let pairs = self.equal.iter().chain(&self.differ).map(|pair| pair.key.register);
        self.key_tests.iter().map(|test| test.reading.register).chain(pairs)
    }
}

fn distance(function: Option<Function>) -> isize {
    match function {
        None => 0,
        Some(Function::PosIncrement) => 1,
        Some(Function::PosDecrement) => -1,
    }
}
