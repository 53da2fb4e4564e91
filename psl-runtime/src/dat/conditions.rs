//! The conditions for a match: tests of the query cell, tests of the key cell, and comparisons of the two.

use psl_syntax::program::Function;

use super::{
    reading::{Reading, Shifts},
    value::{NULL, Value},
    value_test::ValueTest,
};
use crate::weights::{Form, Slot};

/// Conditions, all of which must hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Conditions {
    /// Tests of the updated cell.
    query_tests: Vec<ValueTest>,
    /// Tests of the cell attended to.
    key_tests: Vec<ValueTest>,
    /// Readings of the two cells that must be equal and not null.
    equal: Vec<Pair>,
    /// Readings that must differ. Null differs from everything.
    differ: Vec<Pair>,
    /// Whether some condition never holds.
    never: bool,
    /// The distance to the right from the updated cell to the cell attended to, if the first of the equal pairs fixes it by
    /// their positions.
    offset: Option<isize>,
}

#[derive(Clone, Copy, Debug)]
struct Pair {
    query: Reading,
    key: Reading,
}

impl Conditions {
    pub(super) fn new(slots: &[Slot], position: Option<usize>) -> Self {
        let mut conditions = Self::default();
        for slot in slots {
            conditions.add(slot, position);
        }
        conditions
    }

    fn add(&mut self, Slot { query, key, .. }: &Slot, position: Option<usize>) {
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
                self.query_tests.extend(ValueTest::of_constants(reading(register, function), constants));
            }
            (constants, Form::Register(register, function)) => {
                self.key_tests.extend(ValueTest::of_constants(reading(register, function), constants));
            }
            (Form::OneOf(one), Form::Not(register, function)) => {
                self.key_tests.push(ValueTest::other(reading(register, function), one));
            }
            (Form::Not(register, function), Form::OneOf(one)) => {
                self.query_tests.push(ValueTest::other(reading(register, function), one));
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

    /// The distance to the right of the only cell that can match, if positions are indices. At most 1 in either direction.
    pub(super) fn offset(&self) -> Option<isize> {
        self.offset.filter(|offset| offset.abs() <= 1)
    }

    /// The number of readings in [`Conditions::row`] that must be equal, and the number that must differ.
    pub(super) fn sizes(&self) -> (usize, usize) {
        (self.equal.len(), self.differ.len())
    }

    /// Whether the updated cell matches the other, at the distance [`Conditions::offset`].
    #[inline]
    pub(super) fn match_at_offset(&self, shifts: &Shifts, updated: &[Value], other: &[Value]) -> bool {
        let readings = |pair: &Pair| (shifts.read(pair.query, updated), shifts.read(pair.key, other));
        self.query_tests_pass(shifts, updated)
            && self.key_tests.iter().all(|test| test.holds(shifts, other))
            && self
                .equal
                .iter()
                .skip(usize::from(self.offset.is_some()))
                .map(readings)
                .all(|(query, key)| query == key && query != NULL)
            && self.differ.iter().map(readings).all(|(query, key)| query != key || query == NULL)
    }

    /// Whether the updated cell passes its tests. Otherwise, it matches no cell.
    #[inline]
    pub(super) fn query_tests_pass(&self, shifts: &Shifts, state: &[Value]) -> bool {
        self.query_tests.iter().all(|test| test.holds(shifts, state))
    }

    /// Writes the readings of the updated cell: those that must be equal, then those that must differ. Returns `false` if it
    /// can match no cell.
    pub(super) fn query(&self, shifts: &Shifts, state: &[Value], row: &mut Vec<Value>) -> bool {
        row.clear();
        self.query_tests_pass(shifts, state) && self.read(|pair| shifts.read(pair.query, state), row)
    }

    /// Appends the same readings of the cell attended to. Returns `false` if it can match no cell, possibly after appending
    /// some.
    pub(super) fn key(&self, shifts: &Shifts, state: &[Value], rows: &mut Vec<Value>) -> bool {
        self.key_tests.iter().all(|test| test.holds(shifts, state))
            && self.read(|pair| shifts.read(pair.key, state), rows)
    }

    fn read(&self, read: impl Fn(&Pair) -> Value, row: &mut Vec<Value>) -> bool {
        for pair in &self.equal {
            let value = read(pair);
            if value == NULL {
                return false;
            }
            row.push(value);
        }
        row.extend(self.differ.iter().map(read));
        true
    }

    /// Whether the row of a query matches the row of a key.
    pub(super) fn rows_match(&self, query: &[Value], key: &[Value]) -> bool {
        let mut pairs = query.iter().zip(key);
        pairs.by_ref().take(self.equal.len()).all(|(query, key)| query == key)
            && pairs.take(self.differ.len()).all(|(query, key)| query != key || *query == NULL)
    }
}

fn distance(function: Option<Function>) -> isize {
    match function {
        None => 0,
        Some(Function::PosIncrement) => 1,
        Some(Function::PosDecrement) => -1,
    }
}
