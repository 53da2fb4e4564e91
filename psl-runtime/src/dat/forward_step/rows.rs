//! The rows of cells at a layer.

use crate::dat::{
    conditions::Conditions,
    reading::{Assigned, Shifts},
    value::{NULL, Value},
};

/// The rows of the cells that may be attended to: the readings of their keys, then their values.
#[derive(Default)]
pub(super) struct Rows {
    /// The number of values in a row.
    pub(super) len: usize,
    pub(super) values: Vec<Value>,
    /// Whether the cell can be attended to.
    pub(super) present: Vec<bool>,
}

impl Rows {
    pub(super) fn fill<'s>(
        &mut self,
        conditions: &Conditions,
        value: &[(usize, Assigned)],
        shifts: &Shifts,
        states: impl IntoIterator<Item = &'s [Value]>,
    ) {
        let (equal, differ) = conditions.sizes();
        self.len = equal + differ + value.len();
        self.values.clear();
        self.present.clear();
        for state in states {
            let present = conditions.key(shifts, state, &mut self.values);
            if present {
                for (_, source) in value {
                    self.values.push(source.of(shifts, state));
                }
            } else {
                self.values.resize((self.present.len() + 1) * self.len, NULL);
            }
            self.present.push(present);
        }
    }

    pub(super) fn get(&self, cell: u32) -> &[Value] {
        self.part(cell, 0, self.len)
    }

    pub(super) fn part(&self, cell: u32, from: usize, to: usize) -> &[Value] {
        let start = cell as usize * self.len;
        self.values.get(start + from..start + to).unwrap_or_default()
    }
}
