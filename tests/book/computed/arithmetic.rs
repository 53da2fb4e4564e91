//! Vectors and affine maps. Vectors are rows.

use psl_runtime::{Weights, weights::Affine};

pub type Vector = Vec<f64>;

/// An affine map with all its entries.
pub struct Map {
    /// The rows of the matrix.
    pub matrix: Vec<Vector>,
    pub bias: Vector,
}

impl Map {
    /// A map of these weights.
    pub fn new(map: &Affine, weights: &Weights) -> Self {
        let d = weights.dimension;
        let size = d * weights.registers.len();
        let (mut matrix, mut bias) = (vec![vec![0.0; size]; size], vec![0.0; size]);
        for (of_target, target) in map.bias.iter().zip(&map.targets) {
            for (component, entry) in of_target.other_than(0.0) {
                bias[target * d + component as usize] = f64::from(entry);
            }
        }
        for block in &map.weights {
            for row in 0..d {
                for &(column, entry) in block.matrix.row(row) {
                    let column = map.targets[block.target] * d + column as usize;
                    matrix[block.source * d + row][column] = f64::from(entry);
                }
            }
        }
        Self { matrix, bias }
    }

    pub fn apply(&self, vector: &[f64]) -> Vector {
        sum(&self.bias, 1.0, &times(vector, &self.matrix))
    }

    /// Returns the map between vectors in an orthonormal basis, given by its rows.
    pub fn in_basis(&self, basis: &[Vector]) -> Self {
        let images: Vec<Vector> = self.matrix.iter().map(|row| times(row, basis)).collect();
        let columns = (0..basis.len()).map(|column| basis.iter().map(|row| row[column]).collect::<Vector>());
        Self { matrix: columns.map(|column| times(&column, &images)).collect(), bias: times(&self.bias, basis) }
    }
}

pub fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

/// Computes left + factor right.
pub fn sum(left: &[f64], factor: f64, right: &[f64]) -> Vector {
    left.iter().zip(right).map(|(left, right)| left + factor * right).collect()
}

/// A vector times a matrix, given by its rows.
pub fn times(vector: &[f64], rows: &[Vector]) -> Vector {
    vector.iter().zip(rows).fold(vec![0.0; rows[0].len()], |total, (factor, row)| sum(&total, *factor, row))
}

/// The index of the largest component, or `None` for the zero vector.
pub fn largest(vector: &[f64]) -> Option<usize> {
    let nonzero = (0..vector.len()).filter(|&index| vector[index] > 0.5);
    nonzero.max_by(|&left, &right| vector[left].total_cmp(&vector[right]))
}
