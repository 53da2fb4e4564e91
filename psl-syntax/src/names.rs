//! Where each name is declared, read and written.

use crate::{
    program::{ConstantId, RegisterId},
    span::Span,
};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// A register.
    Register(RegisterId),
    /// A constant.
    Constant(ConstantId),
}

/// What is done with it at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// It is declared.
    Declaration,
    /// Its short name is declared.
    ShortName,
    /// It is given a role or watched.
    Mention,
    /// Structured prompts may set it.
    Input,
    /// It is read.
    Read,
    /// It is written.
    Write,
}

/// One use of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The name, quotes included.
    pub span: Span,
    /// What it stands for.
    pub symbol: Symbol,
    /// What is done with it.
    pub access: Access,
}

/// All uses of names, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Sorted by span; no two overlap.
    pub references: Vec<Reference>,
}

impl Names {
    /// The use of a name that a cursor at `offset` touches.
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

    /// The last use of a name that starts inside `span`.
    pub fn last_in(&self, span: Span) -> Option<Reference> {
        self.within(span).last().copied()
    }
}
