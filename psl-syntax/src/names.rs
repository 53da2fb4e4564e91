//! The declarations, reads and writes of each name.

use crate::{
    program::{ConstantId, RegisterId},
    span::Span,
};

/// The thing that a name refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// A register, by its long or its short name.
    Register(RegisterId),
    /// A constant, by its name.
    Constant(ConstantId),
}

/// The kind of a use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Declares it.
    Declaration,
    /// Declares its short name.
    ShortName,
    /// Gives it a role or watches it.
    Mention,
    /// Names it in `//@ input` or `//@ answer`.
    Directive,
    /// Reads it.
    Read,
    /// Writes it.
    Write,
}

/// A use of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The name, including quotes.
    pub span: Span,
    /// The thing it refers to.
    pub symbol: Symbol,
    /// The kind of use.
    pub access: Access,
}

/// All uses of names, in text order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Sorted by span, without overlaps.
    pub references: Vec<Reference>,
}

impl Names {
    /// The use of a name that a cursor at `offset` touches, if there is one.
    pub fn at(&self, offset: u32) -> Option<Reference> {
        let after = self.references.partition_point(|reference| reference.span.start <= offset);
        let reference = self.references.get(after.checked_sub(1)?)?;
        reference.span.touches(offset).then_some(*reference)
    }

    /// The uses of names that start inside `span`.
    pub fn within(&self, span: Span) -> &[Reference] {
        let start = self.references.partition_point(|reference| reference.span.start < span.start);
        let end = self.references.partition_point(|reference| reference.span.start < span.end);
        self.references.get(start..end).unwrap_or_default()
    }

    /// The last use of a name that starts inside `span`, if there is one.
    pub fn last_in(&self, span: Span) -> Option<Reference> {
        self.within(span).last().copied()
    }
}
