//! The codes of a layer, counted, and the likeness of its heads.

use std::collections::HashMap;

use super::pairs::Pair;

/// The codes of the pairs of a layer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// The distinct codes in the order of their first pairs.
    pub codes: Vec<CodeCount>,
    /// By two heads: the number of pairs in which both attend. For a head and itself, all of its pairs.
    pub together: Vec<Vec<usize>>,
}

/// A code with its pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeCount {
    /// The number of pairs.
    pub pairs: usize,
    /// The first pair, with the code.
    pub first: Pair,
}

impl Statistics {
    /// Counts pairs of a layer with that many heads. Calls `visit` with each pair and the index of its code.
    pub fn new(heads: usize, pairs: impl IntoIterator<Item = Pair>, mut visit: impl FnMut(&Pair, usize)) -> Self {
        let mut statistics = Self { codes: Vec::new(), together: vec![vec![0; heads]; heads] };
        let mut indices = HashMap::<Vec<usize>, usize>::new();
        for pair in pairs {
            let next = indices.len();
            let index = *indices.entry(pair.code.clone()).or_insert(next);
            visit(&pair, index);
            match statistics.codes.get_mut(index) {
                Some(code) => code.pairs += 1,
                None => statistics.codes.push(CodeCount { pairs: 1, first: pair }),
            }
        }
        for CodeCount { pairs, first } in &statistics.codes {
            for &head in &first.code {
                let counts = statistics.together.get_mut(head).map_or(&mut [][..], Vec::as_mut_slice);
                for &other in &first.code {
                    if let Some(count) = counts.get_mut(other) {
                        *count += pairs;
                    }
                }
            }
        }
        statistics
    }

    /// The number of pairs.
    pub fn pairs(&self) -> usize {
        self.codes.iter().map(|code| code.pairs).sum()
    }

    /// The mean code of each head: the mean of z over the pairs in which the head attends, with a component for each head of the
    /// layer. Its own is 1. `None` for a head that never attends.
    pub fn mean_codes(&self) -> Vec<Option<Vec<f64>>> {
        let of_head = |(head, counts): (usize, &Vec<usize>)| {
            let pairs = counts.get(head).copied().filter(|pairs| *pairs > 0)?;
            Some(counts.iter().map(|count| number(*count) / number(pairs)).collect())
        };
        self.together.iter().enumerate().map(of_head).collect()
    }

    /// The cosine similarities of the mean codes, by two heads. `None` if one of them never attends.
    pub fn similarities(&self) -> Vec<Vec<Option<f64>>> {
        let of_head = |left: &Vec<usize>| self.together.iter().map(|right| cosine(left, right)).collect();
        self.together.iter().map(of_head).collect()
    }
}

/// The cosine of the angle between two vectors, whose lengths do not matter.
fn cosine(left: &[usize], right: &[usize]) -> Option<f64> {
    let dot = |left: &[usize], right: &[usize]| -> f64 {
        left.iter().zip(right).map(|(left, right)| number(*left) * number(*right)).sum()
    };
    let squares = dot(left, left) * dot(right, right);
    (squares > 0.0).then(|| dot(left, right) / squares.sqrt())
}

#[allow(clippy::cast_precision_loss, reason = "a run has fewer pairs than f64 counts exactly")]
fn number(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
#[allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail by panic")]
mod tests {
    use super::*;

    fn pair(cell: usize, code: &[usize]) -> Pair {
        Pair { step: 0, pass: Vec::new(), cell, attends: 1, code: code.to_vec() }
    }

    #[test]
    fn codes_are_counted_in_the_order_of_their_first_pairs() {
        let pairs = [pair(1, &[0, 2]), pair(2, &[0]), pair(3, &[0, 2])];
        let mut indices = Vec::new();
        let statistics = Statistics::new(3, pairs, |pair, index| indices.push((pair.cell, index)));
        assert_eq!(indices, [(1, 0), (2, 1), (3, 0)]);
        let count = |pairs, first| CodeCount { pairs, first };
        assert_eq!(statistics.codes, [count(2, pair(1, &[0, 2])), count(1, pair(2, &[0]))]);
        assert_eq!(statistics.pairs(), 3);
    }

    #[test]
    fn a_mean_code_is_over_the_pairs_of_its_head() {
        let pairs = [pair(1, &[0, 2]), pair(2, &[0]), pair(3, &[0, 2]), pair(4, &[0])];
        let statistics = Statistics::new(3, pairs, |_, _| {});
        let mean_codes = statistics.mean_codes();
        assert_eq!(mean_codes, [Some(vec![1.0, 0.0, 0.5]), None, Some(vec![1.0, 0.0, 1.0])]);
        let similarity = 1.5 / (1.25_f64.sqrt() * 2.0_f64.sqrt());
        let found = statistics.similarities();
        assert_eq!((found[0][0], found[2][2], found[0][1], found[1][1]), (Some(1.0), Some(1.0), None, None));
        assert!((found[0][2].expect("both attend") - similarity).abs() < 1e-12);
        assert_eq!(found[0][2], found[2][0]);
    }

    #[test]
    fn heads_that_never_attend_together_have_similarity_0_and_those_that_always_do_1() {
        let pairs = [pair(1, &[0, 1]), pair(2, &[2]), pair(3, &[0, 1])];
        let found = Statistics::new(3, pairs, |_, _| {}).similarities();
        assert_eq!((found[0][1], found[0][2]), (Some(1.0), Some(0.0)));
    }
}
