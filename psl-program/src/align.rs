//! The items of two lists that belong together, such as the layers of two versions of a program.

use std::{hash::Hash, ops::Range};

use imara_diff::{Algorithm, Diff, InternedInput, Interner};

/// The indices of two items that belong together, or of an item that only one list has.
pub type Pair = (Option<usize>, Option<usize>);

/// Pairs the items of two lists, in the order of both. Each item is a list of keys. Items with the same first key are
/// paired first, then those between them with the same second key, and so on. If both sides have the same number of
/// items left, these replace each other and are paired too.
pub fn align<K: Eq + Hash>(left: &[Vec<K>], right: &[Vec<K>]) -> Vec<Pair> {
    let mut alignment = Alignment { left, right, pairs: Vec::new() };
    alignment.add(0, 0..left.len(), 0..right.len());
    alignment.pairs
}

struct Alignment<'i, K> {
    left: &'i [Vec<K>],
    right: &'i [Vec<K>],
    pairs: Vec<Pair>,
}

impl<K: Eq + Hash> Alignment<'_, K> {
    /// Pairs the items of two ranges by their keys from a level on.
    fn add(&mut self, level: usize, mut left: Range<usize>, mut right: Range<usize>) {
        let (of_left, of_right) = (keys(self.left, &left, level), keys(self.right, &right, level));
        if of_left.is_empty() || of_right.is_empty() {
            return self.add_rest(left, right);
        }
        let interner = Interner::new(of_left.len() + of_right.len());
        let mut input = InternedInput { before: Vec::new(), after: Vec::new(), interner };
        input.update_before(of_left.into_iter());
        input.update_after(of_right.into_iter());
        let (first_left, first_right) = (left.start, right.start);
        for hunk in Diff::compute(Algorithm::MyersMinimal, &input).hunks() {
            let within = |first: usize, hunk: Range<u32>| first + hunk.start as usize..first + hunk.end as usize;
            let (hunk_left, hunk_right) = (within(first_left, hunk.before), within(first_right, hunk.after));
            self.add_same(left.start..hunk_left.start, right.start..hunk_right.start);
            (left.start, right.start) = (hunk_left.end, hunk_right.end);
            self.add(level + 1, hunk_left, hunk_right);
        }
        self.add_same(left, right);
    }

    fn add_rest(&mut self, left: Range<usize>, right: Range<usize>) {
        if left.len() == right.len() {
            return self.add_same(left, right);
        }
        self.pairs.extend(left.map(|index| (Some(index), None)));
        self.pairs.extend(right.map(|index| (None, Some(index))));
    }

    fn add_same(&mut self, left: Range<usize>, right: Range<usize>) {
        self.pairs.extend(left.zip(right).map(|(left, right)| (Some(left), Some(right))));
    }
}

/// The keys of a level, or none if the items lack them.
fn keys<'i, K>(items: &'i [Vec<K>], range: &Range<usize>, level: usize) -> Vec<&'i K> {
    items.get(range.clone()).unwrap_or_default().iter().filter_map(|keys| keys.get(level)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs items written as words with their keys, such as `a:1`, and shows the pairs.
    fn aligned(left: &str, right: &str) -> String {
        let [left, right] = [left, right].map(|text| {
            let keys = |item: &str| item.split(':').map(str::to_owned).collect();
            text.split_whitespace().map(keys).collect::<Vec<Vec<String>>>()
        });
        let show = |index: Option<usize>| index.map_or("-".to_owned(), |index| (index + 1).to_string());
        let pairs = align(&left, &right).into_iter().map(|(left, right)| format!("{}={}", show(left), show(right)));
        pairs.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn an_item_is_deleted_or_inserted() {
        assert_eq!(aligned("a b c", "a b c"), "1=1 2=2 3=3");
        assert_eq!(aligned("a b c", "a c"), "1=1 2=- 3=2");
        assert_eq!(aligned("a c", "a b c"), "1=1 -=2 2=3");
        assert_eq!(aligned("", "a"), "-=1");
        assert_eq!(aligned("a b", "x y z a b"), "-=1 -=2 -=3 1=4 2=5");
    }

    #[test]
    fn an_item_that_takes_the_place_of_another_is_its_pair() {
        assert_eq!(aligned("a b c", "a x c"), "1=1 2=2 3=3");
        assert_eq!(aligned("a b c d", "a x d"), "1=1 2=- 3=- -=2 4=3");
    }

    #[test]
    fn later_keys_pair_what_the_first_keys_leave() {
        assert_eq!(aligned("a:1 b:2 c:3 d:4", "a:1 x:2 d:4"), "1=1 2=2 3=- 4=3");
        // The second key counts before the position does.
        assert_eq!(aligned("a:1 b:2", "x:2 y:3"), "1=- 2=1 -=2");
    }
}
