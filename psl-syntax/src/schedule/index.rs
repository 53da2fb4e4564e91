//! The earlier productions that may affect a production, or that it may affect, found by registers and guards.
//!
//! Invariant: a production that is not found affects nothing and is not affected. Either the two share no register that
//! one of them writes, or a guard of the one that writes has no value in common with one of the other, before and after
//! the write.
//!
//! So a section of productions that do not affect each other takes linear time, and others what their pairs take.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{
    dependence::{Dependences, Usage, Uses},
    guard::{Guards, Values},
    order::Order,
};
use crate::program::{Cell, RegisterId};

/// Productions by their layers, in program order.
pub(super) type ByLayer = BTreeMap<usize, Vec<usize>>;

/// The earlier productions.
pub(super) struct Index<'d> {
    /// `None` if every production may affect every other one.
    dependences: Option<&'d Dependences<'d>>,
    writers: FxHashMap<RegisterId, Guarded<'d>>,
    users: FxHashMap<(RegisterId, Usage), Guarded<'d>>,
    all: ByLayer,
}

/// Productions that use a register in one way, by one of their guards.
#[derive(Default)]
struct Guarded<'d> {
    unguarded: ByLayer,
    by_guard: FxHashMap<RegisterId, ByValue<'d>>,
}

/// Productions with a guard on the same register.
#[derive(Default)]
struct ByValue<'d> {
    all: ByLayer,
    by_value: FxHashMap<&'d str, ByLayer>,
}

impl<'d> Index<'d> {
    pub(super) fn new(dependences: Option<&'d Dependences<'d>>) -> Self {
        Self { dependences, writers: FxHashMap::default(), users: FxHashMap::default(), all: ByLayer::new() }
    }

    /// Adds a production that is after all those in the index.
    pub(super) fn add(&mut self, production: usize, layer: usize) {
        let Some(dependences) = self.dependences else { return insert(&mut self.all, production, layer) };
        let Some(uses) = dependences.uses(production) else { return };
        for write in &uses.writes {
            let guards = without_written(&uses.guards_on_updated, uses);
            self.writers.entry(write.register).or_default().add(production, layer, guards);
        }
        for &(register, usage) in &uses.usages {
            let guards = uses.guards_for(usage).iter();
            self.users.entry((register, usage)).or_default().add(production, layer, guards);
        }
    }

    /// The earlier productions that may affect a later one ([`Order::After`]), and those that it may affect
    /// ([`Order::NotBefore`]). A production can be in several places.
    pub(super) fn around(&self, later: usize) -> Vec<(&ByLayer, Order)> {
        let mut found = Vec::new();
        let Some(uses) = self.dependences.and_then(|dependences| dependences.uses(later)) else {
            return vec![(&self.all, Order::After), (&self.all, Order::NotBefore)];
        };
        for (register, usage) in &uses.usages {
            if let Some(writers) = self.writers.get(register) {
                let guards = uses.guards_for(*usage);
                writers.find(&mut found, Order::After, |register| guards.get(&register));
            }
        }
        for write in &uses.writes {
            for usage in [Usage::Reads(Cell::Source), Usage::Reads(Cell::Updated), Usage::Writes] {
                if let Some(users) = self.users.get(&(write.register, usage)) {
                    let guard = |register| uses.guards_on_updated.get(&register).filter(|_| !uses.writes_to(register));
                    users.find(&mut found, Order::NotBefore, guard);
                }
            }
        }
        found
    }
}

/// The guards that hold after the production's writes, too.
fn without_written<'u, 'p>(
    guards: &'u Guards<'p>,
    uses: &'u Uses<'p>,
) -> impl Iterator<Item = (&'u RegisterId, &'u Values<'p>)> {
    guards.iter().filter(|(register, _)| !uses.writes_to(**register))
}

impl<'d> Guarded<'d> {
    /// Adds a production by the guard with the fewest values.
    fn add<'u>(
        &mut self,
        production: usize,
        layer: usize,
        guards: impl Iterator<Item = (&'u RegisterId, &'u Values<'d>)>,
    ) where
        'd: 'u,
    {
        let listed = guards.filter_map(|(register, values)| match values {
            Values::Only(values) => Some((*register, values)),
            Values::AllBut(_) => None,
        });
        let Some((register, values)) = listed.min_by_key(|(register, values)| (values.len(), *register)) else {
            return insert(&mut self.unguarded, production, layer);
        };
        let guarded = self.by_guard.entry(register).or_default();
        insert(&mut guarded.all, production, layer);
        for value in values {
            insert(guarded.by_value.entry(value).or_default(), production, layer);
        }
    }

    /// Adds the places of the productions that the guards of another one do not exclude.
    fn find<'s, 'g>(
        &'s self,
        found: &mut Vec<(&'s ByLayer, Order)>,
        order: Order,
        guard: impl Fn(RegisterId) -> Option<&'g Values<'g>>,
    ) {
        found.push((&self.unguarded, order));
        for (register, guarded) in &self.by_guard {
            match guard(*register) {
                Some(Values::Only(values)) => {
                    let same = values.iter().filter_map(|value| guarded.by_value.get(*value));
                    found.extend(same.map(|places| (places, order)));
                }
                Some(Values::AllBut(_)) | None => found.push((&guarded.all, order)),
            }
        }
    }
}

fn insert(places: &mut ByLayer, production: usize, layer: usize) {
    places.entry(layer).or_default().push(production);
}
