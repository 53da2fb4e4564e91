//! Spans of a text.
//!
//! Invariant: spans are byte offsets into the given text, always on character boundaries. Lines and columns are only
//! computed for display and for editors.

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

    /// The smallest span that contains both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// The span shifted by a number of bytes. Offsets wrap around, so that the opposite shift restores the span.
    #[must_use]
    pub const fn shifted(self, by: u32) -> Self {
        Self::new(self.start.wrapping_add(by), self.end.wrapping_add(by))
    }

    /// The span as a range of `usize`.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The part of `text` that the span covers, or an empty string if the span is outside of it.
    pub fn of(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }

    /// Whether a cursor at `offset` touches it, including at its end.
    pub fn touches(self, offset: u32) -> bool {
        self.start <= offset && offset <= self.end
    }

    /// Whether the span covers no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self::new(range.start as u32, range.end as u32)
    }
}
