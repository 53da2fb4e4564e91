//! Attention under construction: conditions, what wins among matches, and what is read.
//!
//! A cell's score is the same for all matches but for its place, and the next best is at least [`STEP`] below. The
//! start of the sequence is between matches and others: it is read if nothing matches.

use indexmap::IndexSet;

use super::{
    layout::{Kind, Layout},
    model::Linear,
};

/// The distance of the scores of neighbors, in nats: e^-32 is below the precision of f32.
pub const STEP: f64 = 32.0;

/// The side of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Query,
    Key,
}

/// The weight of matches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weighting {
    /// The rightmost match.
    Rightmost,
    /// The leftmost match.
    Leftmost,
    /// All matches alike, with the distance of others.
    Uniform(f64),
}

/// An entry of a matrix: row, column and value.
type Entry = (usize, usize, f64);

/// Components of a condition's side, with their values.
pub type Weighted = Vec<(usize, f64)>;

/// Attention by conditions. It takes as many heads as its values need.
#[derive(Debug)]
pub struct Attention {
    /// The component of the start.
    start: usize,
    /// The component of the place in the sequence.
    time: usize,
    weighting: Weighting,
    query: Vec<Entry>,
    query_bias: Vec<(usize, f64)>,
    key: Vec<Entry>,
    key_bias: Vec<(usize, f64)>,
    dimensions: usize,
    /// The dimension of all conditions that read N alone, and of all that read n alone.
    of_query: Option<usize>,
    of_key: Option<usize>,
    conditions: usize,
    /// The least distance of a condition that does not hold from one that does.
    gap: f64,
    /// The component that each value goes to.
    slots: IndexSet<usize>,
    /// Row, slot and factor.
    values: Vec<Entry>,
    value_bias: Vec<(usize, f64)>,
}

/// The dimensions that the place and the distance of the start take.
const OWN: usize = 2;

impl Attention {
    pub fn new(layout: &Layout, weighting: Weighting) -> Self {
        Self {
            start: layout.kind(Kind::Start),
            time: layout.time,
            weighting,
            query: Vec::new(),
            query_bias: Vec::new(),
            key: Vec::new(),
            key_bias: Vec::new(),
            dimensions: 0,
            of_query: None,
            of_key: None,
            conditions: 0,
            gap: 1.0,
            slots: IndexSet::new(),
            values: Vec::new(),
            value_bias: Vec::new(),
        }
    }

    /// The number of dimensions of a head that it needs.
    pub const fn dimensions(&self) -> usize {
        self.dimensions + OWN
    }

    const fn dimension(&mut self) -> usize {
        self.dimensions += 1;
        self.dimensions - 1
    }

    /// Adds a condition that one side alone decides: the components of a value that holds add up to 1, and others to at
    /// most 1 - `gap`. `null` has the components that the start counts as having.
    pub fn one_sided(&mut self, side: Side, components: &[(usize, f64)], gap: f64, null: &[usize]) {
        self.conditions += 1;
        self.gap = self.gap.min(gap);
        match side {
            Side::Query => {
                let dimension = self.query_only();
                self.query.extend(components.iter().map(|(component, value)| (*component, dimension, *value)));
            }
            Side::Key => {
                let dimension = self.key_only();
                self.keys(components, dimension, null);
            }
        }
    }

    /// Adds a condition that holds for every cell, or for none.
    pub fn constant(&mut self, holds: bool) {
        self.one_sided(Side::Query, &[], 1.0, &[]);
        if let (true, Some(dimension)) = (holds, self.of_query) {
            self.query_bias.push((dimension, 1.0));
        }
    }

    /// Adds a condition that compares parts: each part that is equal adds its share. Components come with the part's
    /// value.
    pub fn compare(
        &mut self,
        query: &[Vec<(usize, usize)>],
        key: &[Vec<(usize, usize)>],
        parts: &[usize],
        null: &[usize],
    ) {
        self.conditions += 1;
        let share = 1.0 / (parts.len() as f64).sqrt();
        self.gap = self.gap.min(1.0 / parts.len() as f64);
        for ((query, key), part) in query.iter().zip(key).zip(parts) {
            let first = self.dimensions;
            self.dimensions += part;
            self.query.extend(query.iter().map(|(component, value)| (*component, first + value, share)));
            for (component, value) in key {
                self.keys(&[(*component, share)], first + value, null);
            }
        }
    }

    /// Adds entries of keys. The start, whose registers are null, gets what null gets, with the other sign.
    fn keys(&mut self, components: &[(usize, f64)], dimension: usize, null: &[usize]) {
        for (component, value) in components {
            self.key.push((*component, dimension, *value));
            if null.contains(component) {
                self.key.push((self.start, dimension, -value));
            }
        }
    }

    fn query_only(&mut self) -> usize {
        if let Some(dimension) = self.of_query {
            return dimension;
        }
        let dimension = self.dimension();
        self.key_bias.push((dimension, 1.0));
        self.key.push((self.start, dimension, -1.0));
        *self.of_query.insert(dimension)
    }

    fn key_only(&mut self) -> usize {
        if let Some(dimension) = self.of_key {
            return dimension;
        }
        let dimension = self.dimension();
        self.query_bias.push((dimension, 1.0));
        *self.of_key.insert(dimension)
    }

    /// Adds a condition between one-hot components of the query and of the key.
    pub fn condition(&mut self, holds: &[Vec<bool>], query: &[usize], key: &[usize], null: &[usize]) {
        self.conditions += 1;
        let columns: Vec<Vec<bool>> =
            (0..key.len()).map(|key| holds.iter().map(|row| row.get(key) == Some(&true)).collect()).collect();
        let (rows, of_columns) = (patterns(holds), patterns(&columns));
        let coded = pattern_bits(holds, &columns, &rows, &of_columns);
        let one_hot = |class: usize| vec![(class, 1.0)];
        if let Some(bits) = coded {
            self.gap = self.gap.min(2.0 / bits as f64);
        }
        let vector = |class: usize| coded.map_or_else(|| one_hot(class), |bits| binary(class, bits));
        let first = self.dimensions;
        self.dimensions += coded.unwrap_or(rows.len());
        for (component, row) in query.iter().zip(holds) {
            let Some(class) = rows.get_index_of(row) else { continue };
            self.query.extend(vector(class).into_iter().map(|(offset, part)| (*component, first + offset, part)));
        }
        for (index, component) in key.iter().enumerate() {
            // The patterns of the query that hold here. With codes, it is one.
            let holding = rows.iter().enumerate().filter(|(_, row)| row.get(index) == Some(&true));
            for (class, _) in holding {
                for (offset, part) in vector(class) {
                    self.keys(&[(*component, part)], first + offset, null);
                }
            }
        }
    }

    /// Adds a value: what `row` has goes to `component`, times a factor.
    pub fn read(&mut self, row: usize, component: usize, factor: f64) {
        let (slot, _) = self.slots.insert_full(component);
        self.values.push((row, slot, factor));
    }

    /// Adds a constant value. The start does not have it.
    pub fn read_constant(&mut self, component: usize) {
        let (slot, _) = self.slots.insert_full(component);
        self.value_bias.push((slot, 1.0));
        self.values.push((self.start, slot, -1.0));
    }

    /// The number of heads of `size` dimensions that it takes.
    pub fn heads(&self, size: usize) -> usize {
        self.slots.len().div_ceil(size)
    }

    /// Writes the heads from `first` on. `length` is the number of places in a sequence.
    pub fn write(&self, first: usize, size: usize, length: usize, c_attn: &mut Linear, c_proj: &mut Linear) {
        let width = c_attn.weight.rows;
        let range = if matches!(self.weighting, Weighting::Uniform(_)) { 0.0 } else { STEP * length as f64 };
        let scale = match self.weighting {
            Weighting::Uniform(distance) => distance,
            Weighting::Rightmost | Weighting::Leftmost => 2.0 * (range + STEP) / self.gap,
        };
        let root = (size as f64).sqrt();
        let matches = scale * self.conditions as f64;
        // Query and key have an equal share of each scale, so that neither is too large for half precision.
        let [of_conditions, of_place, of_matches] = [scale, range, matches].map(|scale| (scale * root).sqrt());
        for head in first..first + self.heads(size) {
            let (query, key) = (head * size, width + head * size);
            for (row, dimension, value) in &self.query {
                c_attn.weight.add(*row, query + dimension, value * of_conditions);
            }
            for (dimension, value) in &self.query_bias {
                c_attn.add_bias(query + dimension, value * of_conditions);
            }
            for (row, dimension, value) in &self.key {
                c_attn.weight.add(*row, key + dimension, value * of_conditions);
            }
            for (dimension, value) in &self.key_bias {
                c_attn.add_bias(key + dimension, value * of_conditions);
            }
            let (place, distance) = (self.dimensions, self.dimensions + 1);
            c_attn.add_bias(query + place, of_place);
            let sign = if self.weighting == Weighting::Leftmost { -1.0 } else { 1.0 };
            c_attn.weight.add(self.time, key + place, sign * of_place);
            // A match has the score 0 but for its place, the start half of what a condition lacks.
            c_attn.add_bias(query + distance, of_matches);
            c_attn.add_bias(key + distance, -of_matches);
            let start = (matches - scale * self.gap / 2.0) * root;
            c_attn.weight.add(self.start, key + distance, if of_matches > 0.0 { start / of_matches } else { 0.0 });
        }
        let column = |slot: usize| first * size + slot;
        for (row, slot, factor) in &self.values {
            c_attn.weight.add(*row, 2 * width + column(*slot), *factor);
        }
        for (slot, value) in &self.value_bias {
            c_attn.add_bias(2 * width + column(*slot), *value);
        }
        for (slot, component) in self.slots.iter().enumerate() {
            c_proj.weight.add(column(slot), *component, 1.0);
        }
    }
}

/// The different rows, without those that never hold.
fn patterns(rows: &[Vec<bool>]) -> IndexSet<&Vec<bool>> {
    rows.iter().filter(|row| row.contains(&true)).collect()
}

/// The number of bits that tell the patterns apart, if each value of the query holds for one pattern of the key, and
/// bits are fewer than patterns.
fn pattern_bits(
    holds: &[Vec<bool>],
    columns: &[Vec<bool>],
    rows: &IndexSet<&Vec<bool>>,
    of_columns: &IndexSet<&Vec<bool>>,
) -> Option<usize> {
    let has_one_pattern = |row: &Vec<bool>| {
        let held = row.iter().zip(columns).filter(|(holds, _)| **holds).map(|(_, column)| column);
        held.collect::<IndexSet<_>>().len() <= 1
    };
    let paired = rows.len() == of_columns.len() && holds.iter().all(has_one_pattern);
    let count = rows.len().max(2);
    let bits = count.ilog2() as usize + usize::from(!count.is_power_of_two());
    (paired && count > bits + 1).then_some(bits)
}

/// A class as signs of equal size, whose squares add up to 1.
fn binary(class: usize, bits: usize) -> Weighted {
    let part = 1.0 / (bits as f64).sqrt();
    (0..bits).map(|bit| (bit, if class >> bit & 1 == 1 { part } else { -part })).collect()
}
