//! Sparse matrices.

use std::iter;

/// A sparse matrix, stored row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    /// The end of each row's entries.
    ends: Vec<u32>,
    /// Columns and values.
    entries: Vec<(u32, f32)>,
}

impl Matrix {
    /// The matrix with these rows, each a list of columns and values.
    pub fn new<R: IntoIterator<Item = (u32, f32)>>(rows: impl IntoIterator<Item = R>) -> Self {
        let mut matrix = Self::default();
        for row in rows {
            matrix.push(row);
        }
        matrix
    }

    /// Adds a row at the bottom.
    pub fn push(&mut self, row: impl IntoIterator<Item = (u32, f32)>) {
        self.entries.extend(row);
        self.ends.push(self.entries.len() as u32);
    }

    /// Keeps the first `rows` rows.
    pub fn truncate(&mut self, rows: usize) {
        self.ends.truncate(rows);
        self.entries.truncate(self.ends.last().map_or(0, |&end| end as usize));
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.ends.len()
    }

    /// The number of nonzero entries.
    pub fn nonzero(&self) -> usize {
        self.entries.len()
    }

    /// The columns and values of a row.
    pub fn row(&self, row: usize) -> &[(u32, f32)] {
        let end_of = |row: usize| self.ends.get(row).map(|&end| end as usize);
        let start = row.checked_sub(1).and_then(end_of).unwrap_or_default();
        end_of(row).and_then(|end| self.entries.get(start..end)).unwrap_or_default()
    }

    /// The rows, columns and values of all entries.
    pub fn entries(&self) -> impl Iterator<Item = (u32, u32, f32)> {
        (0..self.rows()).flat_map(|row| self.row(row).iter().map(move |&(column, value)| (row as u32, column, value)))
    }

    /// Adds `input` times the matrix to `output`.
    pub fn multiply_add(&self, input: &[f32], output: &mut [f32]) {
        for (row, component) in nonzero(input) {
            for &(column, weight) in self.row(row as usize) {
                if let Some(sum) = output.get_mut(column as usize) {
                    *sum += component * weight;
                }
            }
        }
    }
}

/// The nonzero components of a vector, with their indices. Most vectors are one-hot, so runs of zeros are skipped.
pub(crate) fn nonzero(vector: &[f32]) -> impl Iterator<Item = (u32, f32)> {
    const RUN: usize = 16;
    let mut next = 0;
    iter::from_fn(move || {
        while vector.get(next..next + RUN).is_some_and(is_zero) {
            next += RUN;
        }
        let zeros = vector.get(next..)?.iter().position(|component| *component != 0.0)?;
        let at = next + zeros;
        next = at + 1;
        Some((at as u32, *vector.get(at)?))
    })
}

// Without short circuits, the compiler vectorizes the comparisons.
#[allow(clippy::needless_bitwise_bool)]
fn is_zero(run: &[f32]) -> bool {
    !run.iter().fold(false, |any, component| any | (*component != 0.0))
}
