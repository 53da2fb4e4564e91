//! Sets of cells as bits, 64 to a word.

use std::slice;

/// A set of cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Bits {
    words: Vec<u64>,
}

/// The word of a cell, and its bit there.
#[inline]
pub(super) fn place(cell: usize) -> (usize, u64) {
    (cell / 64, 1 << (cell % 64))
}

/// The bits of a word whose cells are before `cells`.
#[inline]
pub(super) fn below(word: usize, cells: usize) -> u64 {
    match cells.saturating_sub(64 * word) {
        0 => 0,
        count @ 1..64 => (1 << count) - 1,
        _ => u64::MAX,
    }
}

/// The cells of a word, in ascending order.
#[inline]
pub(super) fn cells(word: usize, bits: u64) -> Cells<'static> {
    Cells { first: 64 * word, bits, later: [].iter() }
}

/// Cells in ascending order.
pub(super) struct Cells<'b> {
    /// The first cell of the current word.
    first: usize,
    /// The cells left in the word.
    bits: u64,
    later: slice::Iter<'b, u64>,
}

impl Iterator for Cells<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.bits == 0 {
            self.bits = *self.later.next()?;
            self.first += 64;
        }
        let bit = self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        Some(self.first + bit)
    }
}

/// The lowest or the highest cell of a word that has one.
#[inline]
pub(super) fn end(word: usize, bits: u64, highest: bool) -> usize {
    64 * word + if highest { bits.checked_ilog2().unwrap_or_default() } else { bits.trailing_zeros() } as usize
}

impl Bits {
    /// Makes it empty, with that many words.
    #[inline]
    pub(super) fn reset(&mut self, words: usize) {
        match self.words.as_mut_slice() {
            [only] if words == 1 => *only = 0,
            _ => {
                self.words.clear();
                self.words.resize(words, 0);
            }
        }
    }

    #[inline]
    pub(super) fn words(&self) -> usize {
        self.words.len()
    }

    #[inline]
    pub(super) fn insert(&mut self, cell: usize) {
        let (word, bit) = place(cell);
        if let Some(word) = self.words.get_mut(word) {
            *word |= bit;
        }
    }

    #[inline]
    pub(super) fn contains(&self, cell: usize) -> bool {
        let (word, bit) = place(cell);
        self.word(word) & bit != 0
    }

    #[inline]
    pub(super) fn word(&self, word: usize) -> u64 {
        self.words.get(word).copied().unwrap_or_default()
    }

    #[inline]
    pub(super) fn set_word(&mut self, word: usize, bits: u64) {
        if let Some(word) = self.words.get_mut(word) {
            *word = bits;
        }
    }

    /// Makes it equal to another set.
    pub(super) fn copy(&mut self, other: &Self) {
        self.words.clear();
        self.words.extend_from_slice(&other.words);
    }

    /// Adds the cells of another set.
    #[inline]
    pub(super) fn extend(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, more)| *word |= more);
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// A word of the set moved to the right by a distance of at most 1 in either direction.
    #[inline]
    pub(super) fn moved_word(&self, word: usize, distance: isize) -> u64 {
        match distance {
            1 => self.word(word) << 1 | word.checked_sub(1).map_or(0, |before| self.word(before) >> 63),
            -1 => self.word(word) >> 1 | self.word(word + 1) << 63,
            _ => self.word(word),
        }
    }

    /// The cells, in ascending order.
    #[inline]
    pub(super) fn iter(&self) -> Cells<'_> {
        let mut later = self.words.iter();
        Cells { first: 0, bits: later.next().copied().unwrap_or_default(), later }
    }

    pub(super) fn first(&self) -> Option<usize> {
        let (word, bits) = self.words.iter().enumerate().find(|(_, bits)| **bits != 0)?;
        Some(end(word, *bits, false))
    }

    pub(super) fn last(&self) -> Option<usize> {
        let (word, bits) = self.words.iter().enumerate().rfind(|(_, bits)| **bits != 0)?;
        Some(end(word, *bits, true))
    }

    /// The first cell that is not before another.
    pub(super) fn first_from(&self, cell: usize) -> Option<usize> {
        let start = cell / 64;
        let bits = |word: usize| self.word(word) & if word == start { !below(word, cell) } else { u64::MAX };
        let word = (start..self.words.len()).find(|word| bits(*word) != 0)?;
        Some(end(word, bits(word), false))
    }

    /// The last cell that is not after another.
    pub(super) fn last_to(&self, cell: usize) -> Option<usize> {
        let bits = |word: usize| self.word(word) & below(word, cell + 1);
        let word = (0..=cell / 64).rfind(|word| bits(*word) != 0)?;
        Some(end(word, bits(word), true))
    }
}
