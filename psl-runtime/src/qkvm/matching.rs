//! Matches queries with keys.

use super::attributes::{Filling, Held, Lookup, Reading, Shifts};
use crate::qkvl::Slots;

/// Query and key, slot by slot, grouped by which of the two is the same for every cell.
#[derive(Debug, Default)]
pub(super) struct Matching {
    /// Whether some slot never matches.
    pub(super) never: bool,
    /// Slots whose query varies: the key, then the query.
    pub(super) queries: Vec<(Filling, Filling)>,
    /// Slots whose key varies: the query, then the key.
    pub(super) keys: Vec<(Filling, Filling)>,
    /// Slots whose query and key both vary.
    pub(super) compared: Vec<Compared>,
}

/// A slot in which query and key are a register's value, or one of them is its complement.
#[derive(Debug)]
pub(super) struct Compared {
    pub(super) query: Reading,
    pub(super) key: Reading,
    pub(super) sign: Sign,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sign {
    Same,
    /// The query is a complement.
    NotQuery,
    /// The key is a complement.
    NotKey,
}

/// The query in each compared slot, as its [`code`], and its relation to the key.
pub(super) type Query = Vec<(u32, Sign)>;

/// A value as a number to compare: 0 for null, otherwise its index plus one.
pub(super) fn code(held: Held) -> u32 {
    held.map_or(0, |value| value.0 + 1)
}

impl Matching {
    /// Groups the slots of query and key. A slot that only one of them has matches nothing.
    pub(super) fn new(lookup: &Lookup<'_>, q: &Slots, k: &Slots) -> Self {
        let nothing = || Filling::Is(Reading::Nothing);
        let fill = |slots: &Slots, name: &String| slots.get(name).map_or_else(nothing, |it| lookup.filling(it));
        let mut matching = Self::default();
        for name in q.keys().chain(k.keys().filter(|name| !q.contains_key(*name))) {
            let (query, key) = (fill(q, name), fill(k, name));
            match (query.is_fixed(), key.is_fixed()) {
                (true, true) => matching.never |= !query.fixed().matches(key.fixed()),
                (false, true) => matching.queries.push((key, query)),
                (true, false) => matching.keys.push((query, key)),
                (false, false) => match (query, key) {
                    (Filling::Is(query), Filling::Is(key)) => {
                        matching.compared.push(Compared { query, key, sign: Sign::Same });
                    }
                    (Filling::Not(query), Filling::Is(key)) => {
                        matching.compared.push(Compared { query, key, sign: Sign::NotQuery });
                    }
                    (Filling::Is(query), Filling::Not(key)) => {
                        matching.compared.push(Compared { query, key, sign: Sign::NotKey });
                    }
                    // Two requirements never match.
                    _ => matching.never = true,
                },
            }
        }
        matching
    }

    /// Writes the query of a cell. Returns `false` if it matches no key.
    pub(super) fn query(&self, shifts: &Shifts<'_>, cell: &[Held], query: &mut Query) -> bool {
        query.clear();
        query.extend(self.compared.iter().map(|slot| (code(shifts.read(slot.query, cell)), slot.sign)));
        // A key differs from the complement of a null query, but a null query matches nothing.
        let is_some = |(value, sign): &(u32, Sign)| *value != 0 || *sign == Sign::NotQuery;
        let matches = self.queries.iter().all(|(key, query)| shifts.fill(query, cell).matches(key.fixed()));
        matches && !self.never && query.iter().all(is_some)
    }
}
