//! The ways in which symbols can be equal to each other and to met ones.

/// A place of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A free symbol, by the index of the first place that has it.
    Free(usize),
    /// A met symbol, by its index.
    Met(usize),
}

/// The number of patterns of `places` places and `met` symbols with at most this many equalities. A place is an
/// equality if it is a met symbol or has the symbol of an earlier place.
pub fn count(places: usize, met: usize, equalities: usize) -> u64 {
    // Entry k is the number of patterns with k free symbols: one more place joins one of them, is met, or is new.
    let mut with_free: Vec<u64> = vec![1];
    for _ in 0..places {
        let grown = with_free.iter().enumerate().map(|(free, count)| count.saturating_mul((free + met) as u64));
        let mut next: Vec<u64> = grown.chain([0]).collect();
        for (slot, count) in next.iter_mut().skip(1).zip(&with_free) {
            *slot = slot.saturating_add(*count);
        }
        with_free = next;
    }
    with_free.iter().rev().take(equalities.saturating_add(1)).fold(0, |sum: u64, count| sum.saturating_add(*count))
}

/// The patterns with exactly this many equalities.
pub struct Patterns {
    places: usize,
    met: usize,
    equalities: usize,
    /// For each place: 0 for a new free symbol, then the met ones, then the free ones before it. `None` at the start
    /// and after the end.
    codes: Option<Vec<usize>>,
}

impl Patterns {
    /// The patterns of this many places, with this many met symbols.
    pub fn new(places: usize, met: usize, equalities: usize) -> Self {
        let codes = first(Vec::with_capacity(places), 0, places, met, equalities);
        Self { places, met, equalities, codes }
    }

    /// The next codes: those with the longest common start.
    fn advance(&mut self) {
        let Some(codes) = self.codes.take() else { return };
        for place in (0..self.places).rev() {
            let (start, code) = (codes.get(..place).unwrap_or_default(), codes.get(place).copied().unwrap_or_default());
            let used = start.iter().filter(|code| **code != 0).count();
            let free = place - used;
            if code < self.met + free && used < self.equalities {
                let start = [start, &[code + 1]].concat();
                self.codes = first(start, used + 1, self.places, self.met, self.equalities);
                if self.codes.is_some() {
                    return;
                }
            }
        }
    }
}

/// The first codes with this start, which has `used` equalities: as many new symbols as possible come first.
fn first(mut start: Vec<usize>, used: usize, places: usize, met: usize, equalities: usize) -> Option<Vec<usize>> {
    let (rest, needed) = (places - start.len(), equalities.checked_sub(used)?);
    let new = rest.checked_sub(needed)?;
    // An equality needs a symbol to be equal to.
    let some = met > 0 || new > 0 || start.len() > used;
    if needed > 0 && !some {
        return None;
    }
    start.resize(start.len() + new, 0);
    start.resize(places, 1);
    Some(start)
}

impl Iterator for Patterns {
    type Item = Vec<Slot>;

    fn next(&mut self) -> Option<Self::Item> {
        let codes = self.codes.clone()?;
        self.advance();
        let mut firsts = Vec::new();
        let slots = codes.into_iter().enumerate().map(|(place, code)| match code {
            0 => {
                firsts.push(place);
                Slot::Free(place)
            }
            code if code <= self.met => Slot::Met(code - 1),
            code => Slot::Free(firsts.get(code - self.met - 1).copied().unwrap_or(place)),
        });
        Some(slots.collect())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn all_patterns_are_counted_once() {
        // N(v, m) for all patterns: Bell numbers without met symbols.
        assert_eq!([4, 6, 7].map(|places| count(places, 0, places)), [15, 203, 877]);
        assert_eq!([4, 6, 7].map(|places| count(places, 2, places)), [151, 3_263, 17_007]);
        assert_eq!(count(4, 8, 4), 7_087);
        assert_eq!(count(200, 8, 200), u64::MAX);
        for (places, met) in (0..6).flat_map(|places| (0..4).map(move |met| (places, met))) {
            let mut seen = HashSet::new();
            for equalities in 0..=places {
                let found: Vec<Vec<Slot>> = Patterns::new(places, met, equalities).collect();
                for pattern in &found {
                    let new = (0..places).filter(|place| pattern[*place] == Slot::Free(*place)).count();
                    assert_eq!(places - new, equalities, "{pattern:?}");
                    let first = |slot: &Slot| matches!(slot, Slot::Free(first) if pattern[*first] != *slot);
                    assert!(!pattern.iter().any(first), "{pattern:?}");
                    assert!(seen.insert(format!("{pattern:?}")));
                }
                assert_eq!(count(places, met, equalities), seen.len() as u64, "{places} {met} {equalities}");
            }
        }
    }
}
