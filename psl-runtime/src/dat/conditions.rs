//! When a cell matches another: what query and key ask of one cell each, and of the two together.

use super::reading::{Reading, Shifts};
use super::value::{NULL, Value};
use super::value_test::ValueTest;
use crate::weights::{Form, Slot};
use psl_syntax::program::Function;

/// Conditions, all of which must hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Conditions {
    /// What the updated cell must hold.
    query_tests: Vec<ValueTest>,
    /// What the attended cell must hold.
    key_tests: Vec<ValueTest>,
    /// Readings of the two cells that must be the same, and not null.
    equal: Vec<Pair>,
    /// Readings that must not be the same; nulls differ from everything.
    differ: Vec<Pair>,
    /// Whether some condition cannot hold.
    never: bool,
    /// How far to the right of the updated cell the attended one must be, where the first of the equal pairs says that by
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
            // Nothing matches nothing; two complements are no condition of a program.
            (Form::Nothing | Form::Not(..) | Form::NoneOf(_), _) | (_, Form::Nothing) => self.never = true,
        }
        self.never |= matches!(query, Form::Nothing) || matches!(key, Form::Nothing);
    }

    pub(super) fn can_hold(&self) -> bool {
        !self.never
    }

    /// How far to the right the only cell is that can match, where positions are places; no more than one.
    pub(super) fn offset(&self) -> Option<isize> {
        self.offset.filter(|offset| offset.abs() <= 1)
    }

    /// How many readings [`Conditions::row`] gives that must be equal, and that must differ.
    pub(super) fn sizes(&self) -> (usize, usize) {
        (self.equal.len(), self.differ.len())
    }

    /// Whether the updated cell matches the other, whose distance from it is [`Conditions::offset`].
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

    /// Whether the updated cell alone does not rule a match out.
    #[inline]
    pub(super) fn query_tests_pass(&self, shifts: &Shifts, state: &[Value]) -> bool {
        self.query_tests.iter().all(|test| test.holds(shifts, state))
    }

    /// Gives what the updated cell brings: the readings that must be equal, then those that must differ. False where it can
    /// match no cell.
    pub(super) fn query(&self, shifts: &Shifts, state: &[Value], row: &mut Vec<Value>) -> bool {
        row.clear();
        self.query_tests_pass(shifts, state) && self.read(|pair| shifts.read(pair.query, state), row)
    }

    /// Adds the same for the cell that may be attended to; some of it where that is false.
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

    /// Whether two rows, of a query and of a key, match.
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
