//! The values that the tests of a program name, each of which has a column of bits.

use rustc_hash::FxHashMap;

use super::value::Value;

/// The number of entries of a table that is not made.
const LARGE: usize = 1 << 20;

/// The values of registers that tests name.
#[derive(Clone, Debug, Default)]
pub(super) struct Watches {
    columns: FxHashMap<(usize, Value), usize>,
    /// A faster `columns`, by register and value: the column and one, or 0. Empty if the table would be large.
    table: Vec<u32>,
    /// The number of values in the table.
    values: usize,
    /// The columns of each register.
    pub(super) of_register: Vec<Vec<usize>>,
}

impl Watches {
    /// The column of a value.
    pub(super) fn watch(&mut self, register: usize, value: Value) -> usize {
        let next = self.columns.len();
        *self.columns.entry((register, value)).or_insert(next)
    }

    /// Makes the table. All values are known.
    pub(super) fn finish(&mut self, registers: usize) {
        self.values = self.columns.keys().map(|(_, value)| *value as usize + 1).max().unwrap_or_default();
        let size = registers * self.values;
        self.table = if size <= LARGE { vec![0; size] } else { Vec::new() };
        self.of_register = vec![Vec::new(); registers];
        for ((register, value), column) in &self.columns {
            self.of_register.get_mut(*register).into_iter().for_each(|columns| columns.push(*column));
            if let Some(slot) = self.table.get_mut(register * self.values + *value as usize) {
                *slot = *column as u32 + 1;
            }
        }
    }

    /// The number of columns.
    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }

    /// The column of a value that some test names.
    #[inline]
    pub(super) fn find(&self, register: usize, value: Value) -> Option<usize> {
        if value as usize >= self.values {
            return None;
        }
        match self.table.get(register * self.values + value as usize) {
            Some(column) => (*column as usize).checked_sub(1),
            None => self.columns.get(&(register, value)).copied(),
        }
    }
}
