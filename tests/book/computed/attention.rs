//! One layer and the vectors of its cells (70).

use super::arithmetic::{Map, Vector, dot, sum, times};

pub struct Attention {
    /// The vectors of the cells before the layer.
    pub i: Vec<Vector>,
    pub q: Map,
    pub k: Map,
    pub v: Map,
    /// The number of conditions.
    pub m: f64,
}

impl Attention {
    /// The dot products of a cell's query with the keys of all cells.
    pub fn dot_products(&self, i: &[f64]) -> Vector {
        let query = self.q.apply(i);
        self.i.iter().map(|n| dot(&query, &self.k.apply(n))).collect()
    }

    /// The leftmost cell with the dot product m, 0-based.
    pub fn attends(&self, dot_products: &[f64]) -> Option<usize> {
        dot_products.iter().position(|product| (product - self.m).abs() < 1e-9)
    }

    /// The cell that the last cell attends to, and the last cell's i + 2 v.
    pub fn last(&self) -> (usize, Vector) {
        let last = self.i.last().expect("a cell");
        let cell = self.attends(&self.dot_products(last)).expect("a match");
        (cell, sum(last, 2.0, &self.v.apply(&self.i[cell])))
    }

    /// Returns the layer with vectors in an orthonormal basis, given by its rows.
    pub fn in_basis(&self, basis: &[Vector]) -> Self {
        let [q, k, v] = [&self.q, &self.k, &self.v].map(|map| map.in_basis(basis));
        Self { i: self.i.iter().map(|i| times(i, basis)).collect(), q, k, v, m: self.m }
    }
}
