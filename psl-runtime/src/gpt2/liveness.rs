//! The registers that a generated cell takes from the one before it.

use super::tables::{Causal, ConditionTable, Domains, LayerTable};

/// Facts about the registers of generated cells before the first layer.
pub struct Known<'a> {
    pub domains: &'a Domains,
    pub position: Option<usize>,
    /// The registers that hold the same value in all generated cells, by the index of that value.
    pub constant: &'a [Option<usize>],
    /// The registers that hold a value in every cell.
    pub never_null: &'a [bool],
}

/// The registers whose value of the cell before can matter: some cell reads them before a layer that always fires has
/// set them. `inherited` are those that the cell before can have set, and `output` is read at the end.
pub fn live(layers: &[&LayerTable], inherited: &[bool], output: Option<usize>, known: &Known<'_>) -> Vec<bool> {
    let mut stale = inherited.to_vec();
    let mut live = vec![false; inherited.len()];
    let mut read = |register: usize, stale: &[bool]| {
        if let (Some(true), Some(live)) = (stale.get(register), live.get_mut(register)) {
            *live = true;
        }
    };
    for layer in layers {
        let of_conditions = layer.conditions.iter().flat_map(|condition| [condition.query, condition.key]);
        let of_writes = layer.writes.iter().map(|write| write.source);
        of_conditions.chain(of_writes).flatten().for_each(|register| read(register, &stale));
        if !known.always_fires(layer) {
            continue;
        }
        for write in &layer.writes {
            let is_certain = match write.source {
                None => write.to.first().is_some_and(Option::is_some),
                Some(source) => {
                    let length = known.domains.get(source).map_or(0, Vec::len);
                    let holds = known.never_null.get(source) == Some(&true);
                    holds && write.to.iter().take(length).all(Option::is_some)
                }
            };
            if let (true, Some(stale)) = (is_certain, stale.get_mut(write.target)) {
                *stale = false;
            }
        }
    }
    if let Some(output) = output {
        read(output, &stale);
    }
    live
}

/// A cell that a generated cell can always see.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Itself,
    Previous,
}

impl Known<'_> {
    /// Whether a layer fires in every generated cell, since its conditions hold for the cell itself, or for the one
    /// before.
    fn always_fires(&self, layer: &LayerTable) -> bool {
        let seen = [Seen::Itself, Seen::Previous].into_iter();
        seen.filter(|seen| *seen == Seen::Itself || layer.causal != Causal::Reverse)
            .any(|seen| layer.conditions.iter().all(|condition| self.always_holds(condition, seen)))
    }

    fn always_holds(&self, condition: &ConditionTable, seen: Seen) -> bool {
        let at = |query: usize, key: usize| condition.holds.get(query).and_then(|row| row.get(key)) == Some(&true);
        match (condition.query, condition.key) {
            (None, None) => at(0, 0),
            (Some(query), None) => self.values(query).into_iter().all(|query| at(query, 0)),
            (None, Some(key)) if seen == Seen::Itself => self.values(key).into_iter().all(|key| at(0, key)),
            (Some(query), Some(key)) if query == key && self.never_null.get(query) == Some(&true) => match seen {
                Seen::Itself => self.values(query).into_iter().all(|value| at(value, value)),
                // Positions are first in their domain, and a generated cell is not the first cell.
                Seen::Previous => {
                    self.position == Some(query)
                        && self.values(query).into_iter().skip(1).all(|value| at(value, value - 1))
                }
            },
            _ => false,
        }
    }

    /// The values that a register can hold in a generated cell, by their index, with null.
    fn values(&self, register: usize) -> Vec<usize> {
        let length = self.domains.get(register).map_or(0, Vec::len);
        match self.constant.get(register).copied().flatten() {
            Some(index) => vec![index],
            None if self.never_null.get(register) == Some(&true) => (0..length).collect(),
            None => (0..=length).collect(),
        }
    }
}
