//! The pairs of a list's entries, by their numbers.

/// The number of pairs of a list's entries, or the largest number if there are more.
pub fn triangle(entries: usize) -> usize {
    let entries = entries as u64;
    usize::try_from(entries.saturating_mul(entries.saturating_sub(1)) / 2).unwrap_or(usize::MAX)
}

/// The pair with a number, as indices with the smaller first. The pairs of the first few entries come before the
/// others.
pub fn pair(number: usize) -> (usize, usize) {
    let larger = (number as u64).saturating_mul(8).saturating_add(1).isqrt().div_ceil(2) as usize;
    (number.saturating_sub(triangle(larger)), larger)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{pair, triangle};

    #[test]
    fn pairs_of_the_first_entries_come_first() {
        let pairs: Vec<(usize, usize)> = (0..6).map(pair).collect();
        assert_eq!(pairs, [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)]);
    }

    #[test]
    fn each_pair_has_a_number() {
        let entries = 1_000;
        let pairs: BTreeSet<(usize, usize)> = (0..triangle(entries)).map(pair).collect();
        assert_eq!(pairs.len(), triangle(entries));
        assert!(pairs.iter().all(|(one, other)| one < other && *other < entries));
    }
}
