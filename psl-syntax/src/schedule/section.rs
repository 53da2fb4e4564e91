//! The layers of a section: productions without a barrier between them.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap, VecDeque},
    mem,
    num::NonZeroUsize,
    ops::Range,
};

use super::{index::Index, order::Order};

/// The order of two productions by a rule, or `None` if they can have any layers.
fn order(earlier: usize, later: usize, affects: &dyn Fn(usize, usize) -> bool) -> Option<Order> {
    if affects(earlier, later) { Some(Order::After) } else { affects(later, earlier).then_some(Order::NotBefore) }
}

/// The productions of a section in the first layer that each can have.
pub(super) struct Section {
    productions: Range<usize>,
    /// By production: its layer, from 0, and the production that it waits for.
    places: Vec<(usize, Option<(usize, Order)>)>,
    /// The layers, with any number of heads.
    pub(super) layers: Vec<Vec<usize>>,
}

/// The first layer that a production can have, given the layers of the earlier ones, and the one that it waits for.
fn first_place(
    later: usize,
    earlier: &Index<'_>,
    affects: &dyn Fn(usize, usize) -> bool,
) -> (usize, Option<(usize, Order)>) {
    // Of productions that need the same layer, those that affect it come first, then the first one.
    let mut best: Option<(usize, bool, Reverse<usize>)> = None;
    for (places, order) in earlier.around(later) {
        let is_after = order == Order::After;
        let needs = |other: usize| if is_after { affects(other, later) } else { affects(later, other) };
        for (layer, heads) in places.iter().rev() {
            let needed = layer + usize::from(is_after);
            if needed == 0 || best.is_some_and(|(best, ..)| best > needed) {
                break;
            }
            if let Some(head) = heads.iter().find(|head| needs(**head)) {
                best = best.max(Some((needed, is_after, Reverse(*head))));
                break;
            }
        }
    }
    best.map_or((0, None), |(needed, is_after, Reverse(head))| {
        (needed, Some((head, if is_after { Order::After } else { Order::NotBefore })))
    })
}

impl Section {
    /// Schedules productions. `index` is empty.
    pub(super) fn new(productions: Range<usize>, mut index: Index<'_>, affects: &dyn Fn(usize, usize) -> bool) -> Self {
        let mut places: Vec<(usize, Option<(usize, Order)>)> = Vec::with_capacity(productions.len());
        let mut layers: Vec<Vec<usize>> = Vec::new();
        for later in productions.clone() {
            let place = first_place(later, &index, affects);
            index.add(later, place.0);
            if place.0 == layers.len() {
                layers.push(Vec::new());
            }
            if let Some(heads) = layers.get_mut(place.0) {
                heads.push(later);
            }
            places.push(place);
        }
        Self { productions, places, layers }
    }

    /// A lower bound on the number of layers.
    pub(super) fn fewest(&self, max_heads: Option<NonZeroUsize>) -> usize {
        let by_heads = max_heads.map_or(1, |max_heads| self.productions.len().div_ceil(max_heads.get()));
        self.layers.len().max(by_heads)
    }

    /// By production: the earlier one that it waits for.
    pub(super) fn waits(&self) -> impl Iterator<Item = Option<(usize, Order)>> {
        self.places.iter().map(|(_, waits_for)| *waits_for)
    }

    /// A chain of productions that needs as many layers.
    pub(super) fn critical_path(&self) -> VecDeque<usize> {
        let mut path = VecDeque::new();
        let mut next = self.layers.last().and_then(|heads| heads.first()).copied();
        while let Some(production) = next {
            path.push_front(production);
            let waits_for = self.places.get(production - self.productions.start).and_then(|(_, waits_for)| *waits_for);
            next = waits_for.map(|(earlier, _)| earlier);
        }
        path
    }

    /// The layers by list scheduling, with at most `max_heads` heads each. `index` is empty.
    pub(super) fn layers_of(
        &self,
        max_heads: NonZeroUsize,
        index: Index<'_>,
        affects: &dyn Fn(usize, usize) -> bool,
    ) -> Vec<Vec<usize>> {
        let mut waiting: Vec<Waiting> = self.waiting(index, affects);
        let start = self.productions.start;
        let rank = |waiting: &[Waiting], place: usize| (waiting.get(place).map(|it| it.followed_by), Reverse(place));
        let ready = (0..waiting.len()).filter(|place| waiting.get(*place).is_some_and(|it| it.unplaced == 0));
        let mut ready: BinaryHeap<_> = ready.map(|place| rank(&waiting, place)).collect();
        let mut layers: Vec<Vec<usize>> = Vec::new();
        while !ready.is_empty() {
            let (mut heads, mut ready_later) = (Vec::new(), Vec::new());
            while heads.len() < max_heads.get()
                && let Some((_, Reverse(place))) = ready.pop()
            {
                heads.push(start + place);
                for (later, order) in waiting.get_mut(place).map(|it| mem::take(&mut it.later)).unwrap_or_default() {
                    let Some(it) = waiting.get_mut(later) else { continue };
                    it.unplaced -= 1;
                    it.first_layer = it.first_layer.max(layers.len() + usize::from(order == Order::After));
                    let (is_ready, is_later) = (it.unplaced == 0, it.first_layer > layers.len());
                    if is_ready && is_later {
                        ready_later.push(rank(&waiting, later));
                    } else if is_ready {
                        ready.push(rank(&waiting, later));
                    }
                }
            }
            heads.sort_unstable();
            layers.push(heads);
            ready.extend(ready_later);
        }
        layers
    }

    fn waiting(&self, mut index: Index<'_>, affects: &dyn Fn(usize, usize) -> bool) -> Vec<Waiting> {
        let mut waiting: Vec<Waiting> = self.productions.clone().map(|_| Waiting::default()).collect();
        let start = self.productions.start;
        for later in self.productions.clone() {
            let around = index.around(later);
            let earlier: BTreeSet<usize> =
                around.into_iter().flat_map(|(places, _)| places.values().flatten()).copied().collect();
            let orders = earlier.into_iter().filter_map(|earlier| Some((earlier, order(earlier, later, affects)?)));
            let orders: Vec<(usize, Order)> = orders.collect();
            index.add(later, 0);
            if let Some(it) = waiting.get_mut(later - start) {
                it.unplaced = orders.len();
            }
            for (earlier, order) in orders {
                if let Some(it) = waiting.get_mut(earlier - start) {
                    it.later.push((later - start, order));
                }
            }
        }
        for place in (0..waiting.len()).rev() {
            let needed = |(later, order): &(usize, Order)| {
                waiting.get(*later).map(|it| it.followed_by + usize::from(*order == Order::After))
            };
            let later = waiting.get(place).map_or(&[][..], |it| &it.later);
            let followed_by = later.iter().filter_map(needed).max().unwrap_or_default();
            if let Some(it) = waiting.get_mut(place) {
                it.followed_by = followed_by;
            }
        }
        waiting
    }
}

/// A production in list scheduling.
#[derive(Default)]
struct Waiting {
    /// The productions that wait for it, by their places in the section.
    later: Vec<(usize, Order)>,
    /// The number of layers that they need after its own.
    followed_by: usize,
    /// The number of productions without a layer that it waits for.
    unplaced: usize,
    /// The first layer that it can have, as far as is known.
    first_layer: usize,
}
