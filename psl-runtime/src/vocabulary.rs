//! The strings that registers of one run can hold.

use std::iter;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// Index of a value in a [`Vocabulary`]; in the DAT, the component of a register's block that stands for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(pub u32);

/// All values of one run, shared by all registers: the constants' values, `EOP`, the positions 0 to M and the prompt's
/// symbols. Its size is the paper's d, the length of one register's one-hot block (66).
#[derive(Clone, Debug)]
pub struct Vocabulary {
    values: IndexSet<String, FxBuildHasher>,
    positions: Vec<ValueId>,
}

impl Vocabulary {
    /// The value in `eop` of the prompt's last cell.
    pub const EOP: &'static str = "EOP";
    /// The value in `parse` of every cell of the prompt.
    pub const PARSE: &'static str = "1";

    /// The vocabulary of a run on `symbols` with at most `max_new` symbols of continuation. `constants` are the values of
    /// the program's constants; doubles are harmless.
    pub fn new(constants: &[&str], symbols: &[&str], max_new: usize) -> Self {
        Self::with_positions(constants, symbols, Self::last_position(symbols.len(), max_new))
    }

    /// M, the last position of such a run.
    pub fn last_position(symbols: usize, max_new: usize) -> usize {
        symbols.saturating_add(max_new).max(2).saturating_add(1)
    }

    /// The vocabulary with the positions 0 to `last`.
    pub fn with_positions(constants: &[&str], symbols: &[&str], last: usize) -> Self {
        let mut vocabulary = Self { values: IndexSet::default(), positions: Vec::new() };
        for constant in constants.iter().copied().chain(iter::once(Self::EOP)) {
            vocabulary.add(constant);
        }
        for position in 0..=last {
            let value = vocabulary.add(&position.to_string());
            vocabulary.positions.push(value);
        }
        for symbol in symbols {
            vocabulary.add(symbol);
        }
        vocabulary
    }

    /// The vocabulary of these values, each listed once, in this order; among them are the positions from 0 on, so many. None
    /// where a position is missing.
    pub fn from_values(values: Vec<String>, positions: usize) -> Option<Self> {
        let values: IndexSet<String, FxBuildHasher> = values.into_iter().collect();
        let position = |number: usize| values.get_index_of(&number.to_string()).map(|index| ValueId(index as u32));
        let positions = (0..positions).map(position).collect::<Option<_>>()?;
        Some(Self { values, positions })
    }

    /// Adds what a structured prompt holds besides symbols.
    pub fn add(&mut self, text: &str) -> ValueId {
        let index = self.values.get_index_of(text).unwrap_or_else(|| self.values.insert_full(text.to_owned()).0);
        ValueId(index as u32)
    }

    /// The number of values, d.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is no value; never, since there are positions.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value with that spelling.
    pub fn get(&self, text: &str) -> Option<ValueId> {
        self.values.get_index_of(text).map(|index| ValueId(index as u32))
    }

    /// The spelling of a value.
    pub fn text(&self, value: ValueId) -> Option<&str> {
        self.values.get_index(value.0 as usize).map(String::as_str)
    }

    /// The spelling of what a register holds, null as `∅`.
    pub fn show(&self, held: Option<ValueId>) -> &str {
        held.and_then(|value| self.text(value)).unwrap_or("∅")
    }

    /// The spellings, in the order of their indices.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.values.iter().map(String::as_str)
    }

    /// The positions of the run: entry k is the numeral of k, from 0 to M = max(2, prompt length + max-new) + 1.
    pub fn positions(&self) -> &[ValueId] {
        &self.positions
    }
}
