//! The source of a model: the program as tables, with the bounds of its runs.

use super::tables::{Domains, TableBlock, domains, tables};
use crate::{
    input::Registers,
    vocabulary::{ValueId, Vocabulary},
    weights::Weights,
};

/// The bounds of the runs that a model completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The longest prompt, in symbols.
    pub prompt: usize,
    /// The longest continuation, in symbols.
    pub new: usize,
    /// The passes of each repeat block, with the last one, which changes nothing.
    pub passes: usize,
}

impl Bounds {
    /// The largest number of cells.
    pub const fn cells(self) -> usize {
        self.prompt + self.new
    }
}

/// The source of a model.
pub struct Source<'a> {
    pub registers: &'a Registers,
    pub vocabulary: &'a Vocabulary,
    pub domains: Domains,
    pub blocks: Vec<TableBlock>,
    /// For each layer, whether a cell may attend to a cell on its right.
    pub looks_ahead: &'a [bool],
    /// The symbols of prompts.
    pub symbols: Vec<ValueId>,
    pub bounds: Bounds,
}

impl<'a> Source<'a> {
    /// Reads the weights of a program for plain prompts of some symbols.
    pub fn new(
        weights: &Weights,
        registers: &'a Registers,
        vocabulary: &'a Vocabulary,
        looks_ahead: &'a [bool],
        symbols: Vec<ValueId>,
        bounds: Bounds,
    ) -> Self {
        let roles = registers.roles;
        let positions = vocabulary.positions().get(1..=bounds.cells()).unwrap_or_default();
        let of_prompt = [
            (roles.symbol, symbols.clone()),
            (roles.position, positions.to_vec()),
            (roles.parse, vocabulary.get(Vocabulary::PARSE).into_iter().collect()),
            (roles.eop, vocabulary.get(Vocabulary::EOP).into_iter().collect()),
        ];
        let mut start: Domains = vec![Vec::new(); registers.len()];
        for (role, values) in of_prompt {
            let held = role.and_then(|register| start.get_mut(register.0 as usize));
            if let Some(held) = held {
                held.extend(&values);
            }
        }
        let domains = domains(weights, &start);
        let blocks = tables(weights, &domains);
        Self { registers, vocabulary, domains, blocks, looks_ahead, symbols, bounds }
    }

    /// The largest position.
    pub fn last_position(&self) -> usize {
        self.vocabulary.positions().len().saturating_sub(1)
    }
}
