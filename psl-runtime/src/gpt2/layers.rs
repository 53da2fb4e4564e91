//! The blocks of the program's layers.

use psl_syntax::index::at;

use super::{
    attention::{Attention, Side, Weighting},
    block::BlockBuilder,
    encodings::{Numbers, ValueEncoding, pair_shift, write_shift},
    ends::End,
    layout::{Block, Kind, Layout},
    source::Source,
    tables::{Causal, ConditionTable, LayerTable, WriteTable},
};
use crate::vocabulary::ValueId;

/// The parts of a plan that the blocks of layers depend on.
pub struct Layers<'a> {
    pub source: &'a Source<'a>,
    pub layout: &'a Layout,
    pub encodings: &'a [ValueEncoding],
    pub numbers: &'a Numbers,
    /// The number of copies of the prompt beside the first.
    pub copies: usize,
    pub position: Option<usize>,
}

/// Components of parts, each with the value of the part that it stands for.
type Parts = Vec<Vec<(usize, usize)>>;

impl Layers<'_> {
    /// The block of a layer.
    pub fn layer(&self, table: &LayerTable) -> BlockBuilder {
        let weighting = if table.rightmost { Weighting::Rightmost } else { Weighting::Leftmost };
        let mut attention = Attention::new(self.layout, weighting);
        for condition in &table.conditions {
            self.condition(&mut attention, condition);
        }
        self.same_copy(&mut attention, self.source.looks_ahead.get(table.number - 1) == Some(&true));
        if let (Causal::Reverse, Some(position)) = (table.causal, self.position) {
            let components = self.one_hot(position);
            let length = components.len();
            let row = |query: usize| (0..length).map(|key| query <= key && key + 1 < length).collect();
            attention.condition(&(0..length).map(row).collect::<Vec<_>>(), &components, &components, &[]);
        }
        let mut block = BlockBuilder::default();
        let mut place = self.layout.write.start;
        for write in &table.writes {
            place = self.write(&mut attention, &mut block, write, place);
        }
        block.attentions.push(attention);
        block
    }

    /// Adds the condition that cells attend to cells of the same copy, or of the one before if they look ahead.
    /// Generated cells belong to the last copy. Other tokens take no part.
    fn same_copy(&self, attention: &mut Attention, looks_ahead: bool) {
        let count = self.copies + 2;
        let of_generated = count - 1;
        let holds = |query: usize, key: usize| match (query == of_generated, key == of_generated) {
            (true, _) => key >= self.copies,
            (false, _) => key + usize::from(looks_ahead) == query,
        };
        let row = |query: usize| (0..count).map(|key| holds(query, key)).collect();
        let components: Vec<usize> = (0..count).map(|copy| self.layout.copy(copy)).collect();
        attention.condition(&(0..count).map(row).collect::<Vec<_>>(), &components, &components, &[]);
    }

    /// Adds a write to the components from `place` on. Returns the component after them.
    fn write(
        &self,
        attention: &mut Attention,
        block: &mut BlockBuilder,
        table: &WriteTable,
        mut place: usize,
    ) -> usize {
        let layout = self.layout;
        let (parts, encoding) = (at(&layout.registers, table.target), at(self.encodings, table.target));
        let domain = self.domain(table.target);
        let index = |value| domain.iter().position(|other| *other == value);
        let to: Vec<Option<usize>> = table.to.iter().map(|value| value.and_then(index)).collect();
        let by = table.source.map_or(0, |source| write_shift(self.domain(source), &table.to, self.numbers));
        let leaves = table.source.is_some_and(|source| {
            let values = self.domain(source).iter().zip(&table.to);
            values.into_iter().any(|(value, to)| {
                to.is_none() && self.numbers.of(*value).cast_signed() + by == self.numbers.beyond().cast_signed()
            })
        });
        let mut beyond = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let none = place + part.length - 1;
            let of = |index: usize| {
                let offset = encoding.of.get(index).and_then(|parts| parts.get(number));
                offset.map_or(none, |offset| place + offset)
            };
            match table.source {
                None => {
                    attention.read_constant(to.first().copied().flatten().map_or(none, of));
                    attention.read(layout.kind(Kind::Start), none, 1.0);
                }
                Some(source) if self.is_one_hot(source) => {
                    for (component, to) in self.one_hot(source).into_iter().zip(&to) {
                        attention.read(component, to.map_or(none, of), 1.0);
                    }
                }
                Some(source) => {
                    let read = at(at(&layout.registers, source), number);
                    let length = part.length - 1;
                    beyond.extend(leaves.then(|| place + self.numbers.beyond() % length));
                    for offset in 0..length {
                        attention.read(read.start + offset, place + moved(offset, by, length), 1.0);
                    }
                    attention.read(read.last(), none, 1.0);
                }
            }
            block.overwrite(*part, place);
            place = none + 1;
        }
        if !beyond.is_empty() {
            self.check_range(block, &beyond);
        }
        place
    }

    /// Adds neurons that end the continuation if a value leaves the range of positions at its end. `components` have
    /// that value. Copies of the prompt before the last lack what later layers read ahead, and their values do not
    /// matter.
    fn check_range(&self, block: &mut BlockBuilder, components: &[usize]) {
        let layout = self.layout;
        let end = [(layout.end(End::OutOfPositions), 1.0), (layout.no_end(), -1.0)];
        let gates = [layout.copy(self.copies), layout.generated(), layout.no_end()];
        let all = components.iter().chain(&gates);
        let input: Vec<_> = all.map(|component| (*component, 4.0)).collect();
        block.step(&input, 1.5 - 4.0 * (components.len() + 2) as f64, &end);
    }

    fn domain(&self, register: usize) -> &[ValueId] {
        at(&self.source.domains, register)
    }

    fn is_one_hot(&self, register: usize) -> bool {
        at(self.encodings, register).is_one_hot()
    }

    /// The components of the values of a register with one part, and of null.
    fn one_hot(&self, register: usize) -> Vec<usize> {
        at(at(&self.layout.registers, register), 0).range().collect()
    }

    fn condition(&self, attention: &mut Attention, table: &ConditionTable) {
        match (table.query, table.key) {
            (Some(register), None) => {
                let holds: Vec<bool> = table.holds.iter().map(|row| row.first() == Some(&true)).collect();
                self.one_sided(attention, Side::Query, register, &holds);
            }
            (None, Some(register)) => {
                let holds = table.holds.first().map(Vec::as_slice).unwrap_or_default();
                self.one_sided(attention, Side::Key, register, holds);
            }
            (Some(query), Some(key)) => self.two_sided(attention, table, query, key),
            (None, None) => attention.constant(table.holds.iter().flatten().any(|holds| *holds)),
        }
    }

    fn one_sided(&self, attention: &mut Attention, side: Side, register: usize, holds: &[bool]) {
        let null = self.layout.null(register);
        if self.is_one_hot(register) {
            let components = self.one_hot(register).into_iter().zip(holds).filter(|(_, holds)| **holds);
            let components: Vec<_> = components.map(|(component, _)| (component, 1.0)).collect();
            return attention.one_sided(side, &components, 1.0, &null);
        }
        let encoding =
            holds.iter().position(|holds| *holds).and_then(|index| self.encodings.get(register)?.of.get(index));
        let components = self.layout.value(register, encoding.map(Vec::as_slice).unwrap_or_default());
        let share = 1.0 / null.len() as f64;
        let components: Vec<_> = components.into_iter().map(|component| (component, share)).collect();
        attention.one_sided(side, &components, share, &null);
    }

    fn two_sided(&self, attention: &mut Attention, table: &ConditionTable, query: usize, key: usize) {
        let (of_query, of_key) = (self.is_one_hot(query), self.is_one_hot(key));
        let null = self.layout.null(key);
        if of_query && of_key {
            return attention.condition(&table.holds, &self.one_hot(query), &self.one_hot(key), &null);
        }
        let encoding = at(self.encodings, if of_key { query } else { key });
        let (queries, keys) = match (of_query, of_key) {
            (false, false) => {
                let by = pair_shift(table, query, key, &self.source.domains, self.numbers).unwrap_or_default();
                (self.own_parts(query, by, encoding), self.own_parts(key, 0, encoding))
            }
            (true, _) => {
                let matches = |index: usize| table.holds.get(index)?.iter().position(|holds| *holds);
                (self.matching_parts(query, encoding, &matches), self.own_parts(key, 0, encoding))
            }
            (false, true) => {
                let matches = |index: usize| table.holds.iter().position(|row| row.get(index) == Some(&true));
                (self.own_parts(query, 0, encoding), self.matching_parts(key, encoding, &matches))
            }
        };
        attention.compare(&queries, &keys, &encoding.parts, &null);
    }

    /// The components of a register with the value of each part that they stand for, shifted.
    fn own_parts(&self, register: usize, by: isize, encoding: &ValueEncoding) -> Parts {
        let blocks = self.layout.registers.get(register).into_iter().flatten();
        let shifted = |(block, &length): (&Block, &usize)| {
            (0..length).map(|offset| (block.start + offset, moved(offset, by, length))).collect()
        };
        blocks.zip(&encoding.parts).map(shifted).collect()
    }

    /// The components of a one-hot register with the value of each part of the other side that they match.
    fn matching_parts(
        &self,
        register: usize,
        encoding: &ValueEncoding,
        matches: &dyn Fn(usize) -> Option<usize>,
    ) -> Parts {
        let of_part = |part: usize| {
            let value = |index: usize| encoding.of.get(matches(index)?)?.get(part).copied();
            let components = self.one_hot(register).into_iter().enumerate();
            components.filter_map(|(index, component)| Some((component, value(index)?))).collect()
        };
        (0..encoding.parts.len()).map(of_part).collect()
    }
}

/// An offset in a part of an encoding, shifted.
const fn moved(offset: usize, by: isize, length: usize) -> usize {
    (offset.cast_signed() + by).rem_euclid(length.cast_signed()).cast_unsigned()
}
