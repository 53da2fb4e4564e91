//! Resolved productions of an earlier text.
//!
//! Invariant: a resolved production without errors, except for its label and `causal_attn`, depends only on its code,
//! on the names of registers and constants, and on the register with the position.

use std::{iter::Peekable, slice, vec};

use crate::{
    incremental::relex::Unchanged,
    names::{Access, Names, Reference},
    program::{Production, Program},
    span::Span,
};

/// The productions of an earlier text, which are looked up in text order.
pub struct Known<'e> {
    productions: Peekable<vec::IntoIter<&'e Production>>,
    references: slice::Iter<'e, Reference>,
    unchanged: Unchanged,
}

impl<'e> Known<'e> {
    /// The productions of a program that declares the same names, with its names and the code that is the same since.
    pub fn new(program: &'e Program, names: &'e Names, unchanged: Unchanged) -> Self {
        Self {
            productions: program.productions().into_iter().peekable(),
            references: names.references.iter(),
            unchanged,
        }
    }

    /// The production at a span without its label, and the uses of names in it, if it has no errors and its code is the
    /// same.
    pub fn production(&mut self, span: Span) -> Option<(Production, impl Iterator<Item = Reference> + use<'e>)> {
        let shift = self.unchanged.shift_of(span)?;
        let earlier = span.shifted(0_u32.wrapping_sub(shift));
        while self.productions.next_if(|known| known.span.start < earlier.start).is_some() {}
        let known = self.productions.next_if(|known| known.span == earlier && known.sound)?;
        let rest = self.references.as_slice();
        let before = rest.iter().take_while(|reference| reference.span.start < earlier.start).count();
        let rest = rest.get(before..).unwrap_or_default();
        let inside = rest.iter().take_while(|reference| reference.span.start < earlier.end).count();
        let (inside, after) = rest.split_at_checked(inside)?;
        self.references = after.iter();
        let moved = move |reference: &Reference| Reference { span: reference.span.shifted(shift), ..*reference };
        // A directive may be inside.
        let of_code = inside.iter().filter(|reference| reference.access != Access::Directive);
        Some((known.shifted(shift), of_code.map(moved)))
    }
}
