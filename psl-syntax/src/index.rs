//! Indices with types, and lists that only their own indices reach.

use std::{
    marker::PhantomData,
    ops::{Index, IndexMut},
    slice,
};

/// The type of an index.
pub trait Id: Copy {
    /// The id of an index, 0-based.
    fn of(index: usize) -> Self;
    /// The index, 0-based.
    fn at(self) -> usize;
}

/// Declares the type of an index: `id!(/// A node.\n pub NodeId);`.
macro_rules! id {
    ($(#[$attribute:meta])* $visibility:vis $name:ident) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility struct $name($visibility u32);

        impl $name {
            /// The id of an index, 0-based. An index that is too large for an id, which only a client can give, gets one that no
            /// item has.
            pub const fn new(index: usize) -> Self {
                Self(if index < u32::MAX as usize { index as u32 } else { u32::MAX })
            }

            /// The index, 0-based.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl $crate::index::Id for $name {
            fn of(index: usize) -> Self {
                Self::new(index)
            }

            fn at(self) -> usize {
                self.index()
            }
        }
    };
}

pub(crate) use id;

/// A list whose items are reached by the ids that it gave out. An id of another list is a bug, and panics. What comes from a
/// text, a file or a client is looked up with [`IndexVec::find`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexVec<I, T> {
    items: Vec<T>,
    ids: PhantomData<fn(I)>,
}

impl<I: Id, T> IndexVec<I, T> {
    /// Adds an item at the end, and returns its id.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::of(self.items.len() - 1)
    }

    /// The item with an id from elsewhere.
    pub fn find(&self, id: I) -> Option<&T> {
        self.items.get(id.at())
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The ids, ascending.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::of)
    }

    /// The items in the order of their ids.
    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.items.iter()
    }

    /// The items in the order of their ids.
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }

    /// The items in the order of their ids.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.items
    }
}

impl<'v, I: Id, T> IntoIterator for &'v IndexVec<I, T> {
    type Item = &'v T;
    type IntoIter = slice::Iter<'v, T>;

    fn into_iter(self) -> slice::Iter<'v, T> {
        self.iter()
    }
}

impl<I, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        Self { items: Vec::new(), ids: PhantomData }
    }
}

impl<I, T> From<Vec<T>> for IndexVec<I, T> {
    fn from(items: Vec<T>) -> Self {
        Self { items, ids: PhantomData }
    }
}

impl<I, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<A: IntoIterator<Item = T>>(items: A) -> Self {
        Vec::from_iter(items).into()
    }
}

impl<I: Id, T> Index<I> for IndexVec<I, T> {
    type Output = T;

    #[allow(clippy::indexing_slicing, reason = "an id that this list did not give out is a bug, and must be loud")]
    fn index(&self, id: I) -> &T {
        &self.items[id.at()]
    }
}

impl<I: Id, T> IndexMut<I> for IndexVec<I, T> {
    #[allow(clippy::indexing_slicing, reason = "an id that this list did not give out is a bug, and must be loud")]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.at()]
    }
}

#[cfg(test)]
mod tests {
    use super::IndexVec;

    id!(PlaceId);

    #[test]
    fn an_id_reaches_the_item_that_it_was_given_for() {
        let mut list = IndexVec::<PlaceId, char>::default();
        let (a, b) = (list.push('a'), list.push('b'));
        assert_eq!([list[a], list[b]], ['a', 'b']);
        assert_eq!(list.ids().map(PlaceId::index).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn an_index_of_a_client_is_looked_up() {
        let list = IndexVec::<PlaceId, char>::from(vec!['a']);
        let found = [0, 1, u32::MAX as usize, usize::MAX].map(|index| list.find(PlaceId::new(index)).copied());
        assert_eq!(found, [Some('a'), None, None, None]);
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn an_id_of_another_list_is_loud() {
        let mut other = IndexVec::<PlaceId, char>::from(vec!['a', 'b']);
        let id = other.push('c');
        _ = IndexVec::<PlaceId, char>::from(vec!['a'])[id];
    }
}
