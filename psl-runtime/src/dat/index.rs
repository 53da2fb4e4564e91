//! The cells that a layer can attend to, by the value of a reading.

use psl_syntax::index::at_mut;

use super::{
    bits::{end, place},
    value::Value,
};

const NONE: u32 = u32::MAX;

/// For each value its cells, in the order in which they are selected.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// By value.
    lists: Vec<List>,
    chunks: Vec<Chunk>,
    /// The values that have cells.
    used: Vec<Value>,
}

/// The first and the last chunk of a value.
#[derive(Clone, Copy, Debug)]
struct List {
    head: u32,
    tail: u32,
}

/// The cells of a value in one word.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    word: u32,
    next: u32,
    bits: u64,
}

/// A place in the list of a value. It only moves on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor {
    chunk: u32,
}

impl Index {
    pub(super) fn clear(&mut self) {
        for value in self.used.drain(..) {
            if let Some(list) = self.lists.get_mut(value as usize) {
                *list = List { head: NONE, tail: NONE };
            }
        }
        self.chunks.clear();
    }

    /// Adds a cell, beyond all others of its value in one direction. With `newer_first`, it is selected before them.
    #[inline]
    pub(super) fn insert(&mut self, value: Value, cell: usize, newer_first: bool) {
        let value = value as usize;
        if self.lists.len() <= value {
            self.lists.resize(value + 1, List { head: NONE, tail: NONE });
        }
        let Self { lists, chunks, used } = self;
        let list = at_mut(lists, value);
        let (word, bit) = place(cell);
        let newest = if newer_first { list.head } else { list.tail };
        if let Some(chunk) = chunks.get_mut(newest as usize).filter(|chunk| chunk.word as usize == word) {
            chunk.bits |= bit;
            return;
        }
        let number = chunks.len() as u32;
        let next = if newer_first { list.head } else { NONE };
        chunks.push(Chunk { word: word as u32, next, bits: bit });
        if newest == NONE {
            used.push(value as Value);
            *list = List { head: number, tail: number };
        } else if newer_first {
            list.head = number;
        } else {
            at_mut(chunks, list.tail as usize).next = number;
            list.tail = number;
        }
    }

    #[inline]
    pub(super) fn cursor(&self, value: Value) -> Cursor {
        Cursor { chunk: self.lists.get(value as usize).map_or(NONE, |list| list.head) }
    }

    /// The next word with cells of the value, and their bits.
    #[inline]
    pub(super) fn next(&self, cursor: &mut Cursor) -> Option<(usize, u64)> {
        let chunk = self.chunks.get(cursor.chunk as usize)?;
        cursor.chunk = chunk.next;
        Some((chunk.word as usize, chunk.bits))
    }

    /// The cells of the value in a word. Words must come in the order of the list.
    #[inline]
    pub(super) fn at(&self, cursor: &mut Cursor, word: usize, descending: bool) -> u64 {
        while let Some(chunk) = self.chunks.get(cursor.chunk as usize) {
            let at = chunk.word as usize;
            if at == word {
                return chunk.bits;
            }
            if (at > word) != descending {
                break;
            }
            cursor.chunk = chunk.next;
        }
        0
    }
}

/// Indexes of the same cells by several readings, for conditions that compare them.
#[derive(Clone, Debug, Default)]
pub(super) struct Indexes {
    indexes: Vec<Index>,
    cursors: Vec<Cursor>,
}

impl Indexes {
    /// Empties as many indexes as there are readings.
    pub(super) fn reset(&mut self, readings: usize) {
        if self.indexes.len() < readings {
            self.indexes.resize_with(readings, Index::default);
        }
        self.indexes.iter_mut().take(readings).for_each(Index::clear);
    }

    pub(super) fn insert(&mut self, reading: usize, value: Value, cell: usize, newer_first: bool) {
        if let Some(index) = self.indexes.get_mut(reading) {
            index.insert(value, cell, newer_first);
        }
    }

    /// The first cell that has the values of the `equal` first readings, and not those of the others. `values` are
    /// those of all readings; one of the others can be missing. Returns the number of words searched, too.
    pub(super) fn find(
        &mut self,
        values: impl Iterator<Item = Option<Value>>,
        equal: usize,
        descending: bool,
    ) -> (Option<usize>, usize) {
        let Self { indexes, cursors } = self;
        cursors.clear();
        let none = Cursor { chunk: NONE };
        cursors
            .extend(indexes.iter().zip(values).map(|(index, value)| value.map_or(none, |value| index.cursor(value))));
        let Some((index, (cursor, others))) = indexes.first().zip(cursors.split_first_mut()) else { return (None, 0) };
        let mut words = 0;
        while let Some((word, mut bits)) = index.next(cursor) {
            words += 1;
            for (number, (index, cursor)) in (1..).zip(indexes.iter().skip(1).zip(&mut *others)) {
                let found = index.at(cursor, word, descending);
                bits &= if number < equal { found } else { !found };
            }
            if bits != 0 {
                return (Some(end(word, bits, descending)), words);
            }
        }
        (None, words)
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

    use super::Indexes;

    #[test]
    fn the_first_cell_with_the_values_is_found() {
        let mut random = ChaCha8Rng::seed_from_u64(0);
        let mut indexes = Indexes::default();
        for case in 0..2_000 {
            let (cells, readings) = (random.random_range(1..200), random.random_range(1..4));
            let equal = random.random_range(1..=readings);
            let (descending, backwards) = (case % 2 == 0, case % 3 == 0);
            let mut value = || random.random_range(0..3_u32);
            let rows: Vec<Vec<u32>> = (0..cells).map(|_| (0..readings).map(|_| value()).collect()).collect();
            indexes.reset(readings);
            let order: Vec<usize> = if backwards { (0..cells).rev().collect() } else { (0..cells).collect() };
            for cell in order {
                for (reading, value) in rows[cell].iter().enumerate() {
                    indexes.insert(reading, *value, cell, descending != backwards);
                }
            }
            let query: Vec<u32> = (0..readings).map(|_| value()).collect();
            let fits = |cell: &usize| (0..readings).all(|at| (rows[*cell][at] == query[at]) == (at < equal));
            let expected = if descending { (0..cells).rev().find(fits) } else { (0..cells).find(fits) };
            let (found, words) = indexes.find(query.iter().copied().map(Some), equal, descending);
            assert_eq!(found, expected, "{query:?} in {rows:?}");
            assert!(words <= cells.div_ceil(64));
        }
    }
}
