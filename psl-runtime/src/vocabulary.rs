//! The values of a run: the strings that its registers can have.

use std::{
    iter,
    sync::{Arc, RwLock},
};

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smol_str::SmolStr;

/// The index of a value in a [`Vocabulary`]. In the DAT, the component of a register's block that represents the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(pub u32);

/// All values of one run, shared by all registers: the constants' values, `EOP`, the positions 0 to M and the prompt's
/// symbols. Their number is the paper's d, the length of one register's one-hot block (66).
#[derive(Clone, Debug)]
pub struct Vocabulary {
    /// The values before the prompt's. Runs of a program share them.
    shared: Arc<Shared>,
    own: Values,
}

/// Short texts, as most symbols are, need no allocation.
type Values = IndexSet<SmolStr, FxBuildHasher>;

#[derive(Debug, Default)]
struct Shared {
    values: Values,
    positions: Vec<ValueId>,
}

impl Vocabulary {
    /// The value of `eop` in the prompt's last cell.
    pub const EOP: &'static str = "EOP";
    /// The value of `parse` in every cell of the prompt.
    pub const PARSE: &'static str = "1";

    /// The vocabulary of a run on `symbols` with at most `max_new` symbols of continuation. `constants` are the values
    /// of the program's constants, possibly with duplicates.
    pub fn new(constants: &[&str], symbols: &[&str], max_new: usize) -> Self {
        Self::with_positions(constants, symbols, Self::last_position(symbols.len(), max_new))
    }

    /// The last position of such a run, M.
    pub fn last_position(symbols: usize, max_new: usize) -> usize {
        symbols.saturating_add(max_new).max(2).saturating_add(1)
    }

    /// The vocabulary with the positions 0 to `last`.
    pub fn with_positions(constants: &[&str], symbols: &[&str], last: usize) -> Self {
        let mut shared = Shared::default();
        let mut add = |text: &str| ValueId(shared.values.insert_full(text.into()).0 as u32);
        for constant in constants.iter().copied().chain(iter::once(Self::EOP)) {
            add(constant);
        }
        let positions = (0..=last).map(|position| add(&position.to_string())).collect();
        let mut vocabulary = Self { shared: Arc::new(Shared { positions, ..shared }), own: Values::default() };
        for symbol in symbols {
            vocabulary.add(symbol);
        }
        vocabulary
    }

    /// The vocabulary of these distinct values, in this order. `None` if they lack one of the positions 0 to
    /// `positions` - 1.
    pub fn from_values(values: Vec<String>, positions: usize) -> Option<Self> {
        let values: Values = values.into_iter().map(SmolStr::from).collect();
        let position =
            |number: usize| values.get_index_of(number.to_string().as_str()).map(|index| ValueId(index as u32));
        let positions = (0..positions).map(position).collect::<Option<_>>()?;
        Some(Self { shared: Arc::new(Shared { values, positions }), own: Values::default() })
    }

    /// Adds a value. Structured prompts have values that are not symbols.
    pub fn add(&mut self, text: &str) -> ValueId {
        let shared = self.shared.values.get_index_of(text);
        let own = || self.shared.values.len() + self.own.insert_full(text.into()).0;
        ValueId(shared.unwrap_or_else(own) as u32)
    }

    /// The number of values, d.
    pub fn len(&self) -> usize {
        self.shared.values.len() + self.own.len()
    }

    /// Whether the vocabulary has no values. Always false, because there are positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value with that text, or `None` if the vocabulary lacks it.
    pub fn get(&self, text: &str) -> Option<ValueId> {
        let shared = self.shared.values.get_index_of(text);
        let own = || Some(self.shared.values.len() + self.own.get_index_of(text)?);
        shared.or_else(own).map(|index| ValueId(index as u32))
    }

    /// The given values that it lacks, without duplicates.
    pub fn unknown<'t>(&self, values: &[&'t str]) -> Vec<&'t str> {
        let distinct: IndexSet<&str> = values.iter().copied().collect();
        distinct.into_iter().filter(|value| self.get(value).is_none()).collect()
    }

    /// The text of a value, or `None` if the vocabulary lacks it.
    pub fn text(&self, value: ValueId) -> Option<&str> {
        let index = value.0 as usize;
        let own = || self.own.get_index(index.checked_sub(self.shared.values.len())?);
        self.shared.values.get_index(index).or_else(own).map(SmolStr::as_str)
    }

    /// The text of a register's value, with `∅` for null.
    pub fn show(&self, held: Option<ValueId>) -> &str {
        held.and_then(|value| self.text(value)).unwrap_or("∅")
    }

    /// The texts of the values, in the order of their indices.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|index| self.text(ValueId(index as u32)).unwrap_or_default())
    }

    /// The positions of the run: entry k is the value `k`, from 0 to M = max(2, prompt length + max-new) + 1.
    pub fn positions(&self) -> &[ValueId] {
        &self.shared.positions
    }
}

/// The vocabularies of a program's runs before the prompt's values are added, by the last position.
///
/// Nothing waits for the lock: a process that Python forks has no thread that could release it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vocabularies {
    kept: Arc<RwLock<FxHashMap<usize, Vocabulary>>>,
}

impl Vocabularies {
    /// Vocabularies with more positions are made for each run.
    const LARGEST: usize = 4096;
    /// The number of vocabularies kept.
    const KEPT: usize = 256;

    /// The vocabulary of these constants with the positions 0 to `last`.
    pub(crate) fn with_positions<'c>(&self, last: usize, constants: impl FnOnce() -> Vec<&'c str>) -> Vocabulary {
        if let Some(vocabulary) = self.kept.try_read().ok().and_then(|kept| kept.get(&last).cloned()) {
            return vocabulary;
        }
        let vocabulary = Vocabulary::with_positions(&constants(), &[], last);
        if last <= Self::LARGEST
            && let Ok(mut kept) = self.kept.try_write()
            && kept.len() < Self::KEPT
        {
            kept.insert(last, vocabulary.clone());
        }
        vocabulary
    }
}
