//! Places in a text.
//!
//! Invariant: spans are byte offsets into the text as it was given, always on character boundaries. Lines and columns
//! exist only where something is shown to a person or an editor.

use std::ops::Range;

/// A half-open range of bytes, `start..end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset just past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// The span so many bytes further on; one before offset 0 is as far before the end of the offsets that there are, so that to
    /// shift by the opposite leads back.
    #[must_use]
    pub const fn shifted(self, by: u32) -> Self {
        Self::new(self.start.wrapping_add(by), self.end.wrapping_add(by))
    }

    /// As the standard library's range of `usize`.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The bytes that it covers of `text`; empty where it lies outside.
    pub fn of(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }

    /// Whether a cursor at `offset` touches it, at its end too.
    pub fn touches(self, offset: u32) -> bool {
        self.start <= offset && offset <= self.end
    }

    /// Whether it covers no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self::new(range.start as u32, range.end as u32)
    }
}
