//! The codes of a layer, counted, and the likeness of its heads.

use std::collections::{BTreeMap, HashMap};

use super::pairs::Pair;

/// The codes of the pairs of a layer.
///
/// Heads with the same codes are a group, because they attend in the same pairs. In a layer of many heads there are few
/// groups, so that time and memory grow with the heads, and not with their pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// The distinct codes with their counts, in the order of their first pairs.
    pub code_counts: Vec<CodeCount>,
    /// By head: its group, or `None` if it never attends.
    groups: Vec<Option<usize>>,
    /// By group: the number of its heads.
    sizes: Vec<usize>,
    /// By group: the groups that attend together with it, ascending, each with the number of pairs in which both do.
    together: Vec<Vec<(usize, usize)>>,
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
        let mut code_counts: Vec<CodeCount> = Vec::new();
        let mut indices = HashMap::<Vec<usize>, usize>::new();
        for pair in pairs {
            let next = indices.len();
            let index = *indices.entry(pair.code.clone()).or_insert(next);
            visit(&pair, index);
            match code_counts.get_mut(index) {
                Some(code) => code.pairs += 1,
                None => code_counts.push(CodeCount { pairs: 1, first: pair }),
            }
        }
        let mut of_heads: Vec<Vec<usize>> = vec![Vec::new(); heads];
        for (index, code) in code_counts.iter().enumerate() {
            for head in &code.first.code {
                if let Some(of_head) = of_heads.get_mut(*head) {
                    of_head.push(index);
                }
            }
        }
        Self::grouped(code_counts, of_heads)
    }

    /// Groups heads, given the indices of the codes of each.
    fn grouped(code_counts: Vec<CodeCount>, of_heads: Vec<Vec<usize>>) -> Self {
        let mut known = HashMap::<Vec<usize>, usize>::new();
        let mut groups_of_codes: Vec<Vec<usize>> = vec![Vec::new(); code_counts.len()];
        let mut sizes: Vec<usize> = Vec::new();
        let group = |of_head: Vec<usize>| {
            if of_head.is_empty() {
                return None;
            }
            let next = known.len();
            let group = *known.entry(of_head).or_insert_with_key(|of_head| {
                for code in of_head {
                    if let Some(groups) = groups_of_codes.get_mut(*code) {
                        groups.push(next);
                    }
                }
                sizes.push(0);
                next
            });
            if let Some(size) = sizes.get_mut(group) {
                *size += 1;
            }
            Some(group)
        };
        let groups = of_heads.into_iter().map(group).collect();
        let mut together = vec![BTreeMap::<usize, usize>::new(); sizes.len()];
        for (code, groups) in code_counts.iter().zip(&groups_of_codes) {
            for group in groups {
                let Some(counts) = together.get_mut(*group) else { continue };
                for other in groups {
                    *counts.entry(*other).or_default() += code.pairs;
                }
            }
        }
        let together = together.into_iter().map(|counts| counts.into_iter().collect()).collect();
        Self { code_counts, groups, sizes, together }
    }

    /// The number of pairs.
    pub fn pairs(&self) -> usize {
        self.code_counts.iter().map(|code| code.pairs).sum()
    }

    /// The heads that attend, by their indices, ascending.
    pub fn attending(&self) -> impl Iterator<Item = usize> {
        self.groups.iter().enumerate().filter_map(|(head, group)| group.map(|_| head))
    }

    /// The mean code of each head: the mean of z over the pairs in which the head attends, with a component for each
    /// head of the layer. Its own is 1. `None` for a head that never attends.
    pub fn mean_codes(&self) -> Vec<Option<Vec<f64>>> {
        let of_head = |group: &Option<usize>| {
            let group = (*group)?;
            let pairs = self.together(group, group);
            let component = |other: &Option<usize>| match other {
                Some(other) => number(self.together(group, *other)) / number(pairs),
                None => 0.0,
            };
            Some(self.groups.iter().map(component).collect())
        };
        self.groups.iter().map(of_head).collect()
    }

    /// The cosine similarity of the mean codes of two heads. `None` if one of them never attends.
    pub fn similarity(&self, head: usize, other: usize) -> Option<f64> {
        let group = |head: usize| self.groups.get(head).copied().flatten();
        let (left, right) = (group(head)?, group(other)?);
        let squares = self.dot(left, left) * self.dot(right, right);
        (squares > 0.0).then(|| self.dot(left, right) / squares.sqrt())
    }

    /// The cosine similarities of the mean codes, by two heads. `None` if one of them never attends.
    pub fn similarities(&self) -> Vec<Vec<Option<f64>>> {
        let heads = 0..self.groups.len();
        heads.clone().map(|head| heads.clone().map(|other| self.similarity(head, other)).collect()).collect()
    }

    /// The number of pairs in which the heads of two groups attend.
    fn together(&self, group: usize, other: usize) -> usize {
        let counts = self.together.get(group).map_or(&[][..], Vec::as_slice);
        let found = counts.binary_search_by_key(&other, |(other, _)| *other).ok();
        found.and_then(|found| counts.get(found)).map_or(0, |(_, count)| *count)
    }

    /// The product of the mean codes of two groups, whose lengths do not matter.
    fn dot(&self, left: usize, right: usize) -> f64 {
        let counts = self.together.get(left).into_iter().flatten();
        let product = |(group, count): &(usize, usize)| {
            let heads = self.sizes.get(*group).copied().unwrap_or_default();
            number(heads) * number(*count) * number(self.together(right, *group))
        };
        counts.map(product).sum()
    }
}

#[allow(clippy::cast_precision_loss, reason = "a run has fewer pairs than f64 counts exactly")]
fn number(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
#[allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail by panic")]
mod tests {
    use psl_runtime::CellId;

    use super::*;

    fn pair(cell: usize, code: &[usize]) -> Pair {
        let cell = CellId::of_number(cell).expect("a cell");
        Pair { step: 0, pass: Vec::new(), cell, attends: CellId::new(0), code: code.to_vec() }
    }

    #[test]
    fn codes_are_counted_in_the_order_of_their_first_pairs() {
        let pairs = [pair(1, &[0, 2]), pair(2, &[0]), pair(3, &[0, 2])];
        let mut indices = Vec::new();
        let statistics = Statistics::new(3, pairs, |pair, index| indices.push((pair.cell.number(), index)));
        assert_eq!(indices, [(1, 0), (2, 1), (3, 0)]);
        let count = |pairs, first| CodeCount { pairs, first };
        assert_eq!(statistics.code_counts, [count(2, pair(1, &[0, 2])), count(1, pair(2, &[0]))]);
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
