//! Indices with types, and lists that only their own indices reach.

use std::{
    marker::PhantomData,
    ops::{Index, IndexMut},
    slice::{self, SliceIndex},
    vec,
};

/// The type of an index.
pub trait Id: Copy {
    /// The id of an index, 0-based.
    fn of(index: usize) -> Self;
    /// The index, 0-based.
    fn at(self) -> usize;
}

/// The item at an index of a list, or the part in a range, which must exist: to lack it is a bug, and panics. What may
/// be missing is looked up with `get`.
#[track_caller]
#[inline]
#[allow(clippy::indexing_slicing, reason = "an item that the list lacks is a bug, and must be loud")]
pub fn at<T, I: SliceIndex<[T]>>(list: &[T], index: I) -> &I::Output {
    &list[index]
}

/// The item or the part that [`at`] returns, to be changed.
#[track_caller]
#[inline]
#[allow(clippy::indexing_slicing, reason = "an item that the list lacks is a bug, and must be loud")]
pub fn at_mut<T, I: SliceIndex<[T]>>(list: &mut [T], index: I) -> &mut I::Output {
    &mut list[index]
}

/// Declares the type of an index: `id!(/// A node.\n pub NodeId);`.
#[macro_export]
macro_rules! id {
    ($(#[$attribute:meta])* $visibility:vis $name:ident) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility struct $name($visibility u32);

        impl $name {
            /// The id of an index, 0-based. An index that is too large for an id, which only a client can give, gets
            /// one that no item has.
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

/// Declares the type of an index that people see as a number: 1, 2 and so on.
#[macro_export]
macro_rules! numbered_id {
    ($(#[$attribute:meta])* $visibility:vis $name:ident) => {
        $crate::index::id! {
            $(#[$attribute])*
            #[derive(Default)]
            $visibility $name
        }

        impl $name {
            /// The number that people see.
            pub const fn number(self) -> usize {
                self.index() + 1
            }

            /// The id of a number, or `None` for 0.
            pub fn of_number(number: usize) -> Option<Self> {
                number.checked_sub(1).map(Self::new)
            }

            /// The next id.
            #[must_use]
            pub const fn next(self) -> Self {
                Self::new(self.index() + 1)
            }

            /// The id before, or `None` for the first one.
            pub fn before(self) -> Option<Self> {
                self.index().checked_sub(1).map(Self::new)
            }

            /// The first ids, ascending.
            pub fn first(count: usize) -> impl ExactSizeIterator<Item = Self> + DoubleEndedIterator + Clone {
                (0..count).map(Self::new)
            }

            /// The ids of a range, ascending.
            pub fn each(
                range: std::ops::Range<Self>,
            ) -> impl ExactSizeIterator<Item = Self> + DoubleEndedIterator + Clone {
                (range.start.index()..range.end.index()).map(Self::new)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.number(), out)
            }
        }
    };
}

pub use id;
pub use numbered_id;

/// A list whose items are reached by the ids that it gave out. An id of another list is a bug, and panics. What comes
/// from a text, a file or a client is looked up with [`IndexVec::find`].
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

    /// Drops items at the end, or adds new ones there, until there are `len`.
    pub fn resize_with(&mut self, len: usize, new: impl FnMut() -> T) {
        self.items.resize_with(len, new);
    }

    /// Drops the items from an id on.
    pub fn truncate(&mut self, end: I) {
        self.items.truncate(end.at());
    }

    /// The item with an id from elsewhere.
    pub fn find(&self, id: I) -> Option<&T> {
        self.items.get(id.at())
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether the list has no items.
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

impl<I, T> IntoIterator for IndexVec<I, T> {
    type Item = T;
    type IntoIter = vec::IntoIter<T>;

    fn into_iter(self) -> vec::IntoIter<T> {
        self.items.into_iter()
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
