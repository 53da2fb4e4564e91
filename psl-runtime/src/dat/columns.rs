//! The cells of a forward step by the values that tests name: a column of bits for each value of a register.

use psl_syntax::index::{at, at_mut};

use super::{
    bits::{below, place},
    reading::Shifts,
    value::{NULL, Value},
    value_test::{Tests, ValueTest},
    watches::Watches,
};

/// The columns of a step's cells.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// The number of words in a column.
    pub(super) words: usize,
    cells: usize,
    bits: Vec<u64>,
    /// By register: the cells in which it is not null.
    held: Vec<u64>,
}

impl Columns {
    /// Takes the cells of a step.
    pub(super) fn enter(&mut self, watches: &Watches, states: &[Value], width: usize) {
        self.cells = states.len() / width.max(1);
        self.words = self.cells.div_ceil(64);
        for (bits, columns) in [(&mut self.bits, watches.len()), (&mut self.held, width)] {
            bits.clear();
            bits.resize(columns * self.words, 0);
        }
        for (cell, state) in states.chunks_exact(width.max(1)).enumerate() {
            for (register, value) in state.iter().enumerate().filter(|(_, value)| **value != NULL) {
                self.set(watches, register, cell, NULL, *value);
            }
        }
    }

    /// Replaces a register's value by a watched one in those of a word's cells that have another. Returns these.
    #[inline]
    pub(super) fn fill(&mut self, watches: &Watches, register: usize, word: usize, cells: u64, value: Value) -> u64 {
        let Some(column) = watches.find(register, value) else { return 0 };
        let filled = cells & !at(&self.bits, column * self.words + word);
        if filled == 0 {
            return 0;
        }
        for other in watches.of_register.get(register).into_iter().flatten() {
            *at_mut(&mut self.bits, other * self.words + word) &= !filled;
        }
        *at_mut(&mut self.held, register * self.words + word) |= filled;
        *at_mut(&mut self.bits, column * self.words + word) |= filled;
        filled
    }

    /// Replaces a register's value. The new one is not null.
    #[inline]
    pub(super) fn set(&mut self, watches: &Watches, register: usize, cell: usize, old: Value, new: Value) {
        let (word, bit) = place(cell);
        if old == NULL {
            *at_mut(&mut self.held, register * self.words + word) |= bit;
        } else if let Some(column) = watches.find(register, old) {
            *at_mut(&mut self.bits, column * self.words + word) &= !bit;
        }
        if let Some(column) = watches.find(register, new) {
            *at_mut(&mut self.bits, column * self.words + word) |= bit;
        }
    }

    /// The cells in a word that pass all tests.
    #[inline]
    pub(super) fn passing(&self, tests: &Tests, word: usize, shifts: &Shifts, states: &[Value]) -> u64 {
        let mut passing = below(word, self.cells);
        for column in &*tests.columns {
            passing &= at(&self.bits, column * self.words + word);
        }
        for test in &*tests.others {
            if passing == 0 {
                break;
            }
            passing &= self.word(test, word, shifts, states);
        }
        passing
    }

    #[inline]
    fn word(&self, test: &ValueTest, word: usize, shifts: &Shifts, states: &[Value]) -> u64 {
        let Some(columns) = &test.columns else { return self.word_by_cell(test, word, shifts, states) };
        let named = columns.iter().map(|column| at(&self.bits, column * self.words + word));
        let named = named.fold(0, |all, bits| all | bits);
        if test.among {
            named
        } else if test.null {
            !named
        } else {
            !named & at(&self.held, test.reading.register * self.words + word)
        }
    }

    #[cold]
    fn word_by_cell(&self, test: &ValueTest, word: usize, shifts: &Shifts, states: &[Value]) -> u64 {
        let width = states.len() / self.cells.max(1);
        let cells = states.chunks_exact(width.max(1)).skip(64 * word).take(64).enumerate();
        cells.filter(|(_, state)| test.holds(shifts, state)).fold(0, |bits, (cell, _)| bits | 1 << cell)
    }
}
