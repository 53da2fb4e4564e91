//! The contribution of each QKVL instruction to weights and biases, (72).

use std::{slice, sync::Arc};

use super::{bias::Bias, matrix::Matrix};
use crate::{
    qkvl::{Function, Source, Term},
    vocabulary::{ValueId, Vocabulary},
};

/// The form of a contribution.
///
/// |       | QKVL              | contribution                                                               |
/// |-------|-------------------|----------------------------------------------------------------------------|
/// | (72a) | `x: y`            | identity block from y to x                                                 |
/// | (72b) | `x: y@F`          | F as a matrix, from y to x: the positions' components shifted by one       |
/// | (72c) | `x: C`            | bias of x: the one-hot vector of C                                         |
/// | (72d) | `x != C`          | bias of x: ones minus that, its ones' complement                           |
/// | (72e) | `x != y`          | bias of x: ones; and minus the identity block from y to x                  |
/// |       | `x != y@F`        | bias of x: ones; and minus F from y to x                                   |
/// |       | `x in [C, D]`     | bias of x: the many-hot vector of the constants                            |
/// |       | `x not_in [C, D]` | bias of x: ones minus that                                                 |
///
/// In the paper, (72e) has the block 1 - I. A bias of ones is also correct for a null y, which every x differs from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// (72a).
    Identity,
    /// (72b).
    Shift(Function),
    /// (72c).
    OneHot,
    /// (72d).
    OnesComplement,
    /// (72e), with the function if there is one.
    OnesMinus(Option<Function>),
    /// `in`.
    ManyHot,
    /// `not_in`.
    ManyHotComplement,
}

impl Kind {
    /// The form of an instruction's contribution.
    pub const fn of(source: &Source) -> Self {
        match source {
            Source::Is(Term::Register(_, None)) => Self::Identity,
            Source::Is(Term::Register(_, Some(function))) => Self::Shift(*function),
            Source::Is(Term::Constant(_)) => Self::OneHot,
            Source::Not(Term::Register(_, function)) => Self::OnesMinus(*function),
            Source::Not(Term::Constant(_)) => Self::OnesComplement,
            Source::In(_) => Self::ManyHot,
            Source::NotIn(_) => Self::ManyHotComplement,
        }
    }
}

/// A bias, and the register read with its block, if there is one.
pub(super) type Contribution<'s, 't> = (Bias, Option<(&'s str, &'t Arc<Matrix>)>);

/// The distinct matrices, by function. Rows are the values read, columns the values written.
#[derive(Debug)]
pub(super) struct Table<'v> {
    vocabulary: &'v Vocabulary,
    identity: Signed,
    increment: Signed,
    decrement: Signed,
}

/// A matrix and its negative.
#[derive(Debug)]
struct Signed {
    plus: Arc<Matrix>,
    minus: Arc<Matrix>,
}

impl Signed {
    /// The matrix that maps each value to its image.
    fn new(images: &[Option<u32>]) -> Self {
        let scaled = |by: f32| Matrix::new(images.iter().map(|image| image.map(|column| (column, by))));
        Self { plus: Arc::new(scaled(1.0)), minus: Arc::new(scaled(-1.0)) }
    }
}

impl<'v> Table<'v> {
    pub(super) fn new(vocabulary: &'v Vocabulary) -> Self {
        let identity: Vec<_> = (0..vocabulary.len() as u32).map(Some).collect();
        let shift = |pairs: &mut dyn Iterator<Item = (ValueId, ValueId)>| {
            let mut images = vec![None; vocabulary.len()];
            for (from, to) in pairs {
                if let Some(image) = images.get_mut(from.0 as usize) {
                    *image = Some(to.0);
                }
            }
            Signed::new(&images)
        };
        let positions = || vocabulary.positions().iter().copied();
        Self {
            vocabulary,
            identity: Signed::new(&identity),
            increment: shift(&mut positions().zip(positions().skip(1))),
            decrement: shift(&mut positions().skip(1).zip(positions())),
        }
    }

    /// The bias of an instruction, and the register read with its block, if there is one.
    pub(super) fn contribution<'s>(&self, source: &'s Source) -> Contribution<'s, '_> {
        match source {
            Source::Is(term) => self.term(term),
            Source::Not(Term::Constant(value)) => (self.complement(slice::from_ref(value)), None),
            Source::Not(Term::Register(name, function)) => {
                (self.complement(&[]), Some((name, &self.matrix(*function).minus)))
            }
            Source::In(list) => (self.bias(list), None),
            Source::NotIn(list) => (self.complement(list), None),
        }
    }

    /// The bias of a term, and the register read with its block, if there is one.
    pub(super) fn term<'s>(&self, term: &'s Term) -> Contribution<'s, '_> {
        match term {
            Term::Register(name, function) => (self.bias(&[]), Some((name, &self.matrix(*function).plus))),
            Term::Constant(value) => (self.bias(slice::from_ref(value)), None),
        }
    }

    /// Ones for the constants, and zeros for all other values.
    pub(super) fn bias(&self, constants: &[String]) -> Bias {
        Bias::filled(self.vocabulary.len(), 0.0, self.components(constants), 1.0)
    }

    /// Zeros for the constants, and ones for all other values.
    fn complement(&self, constants: &[String]) -> Bias {
        Bias::filled(self.vocabulary.len(), 1.0, self.components(constants), 0.0)
    }

    fn components(&self, constants: &[String]) -> impl Iterator<Item = u32> {
        constants.iter().filter_map(|text| self.vocabulary.get(text)).map(|value| value.0)
    }

    fn matrix(&self, function: Option<Function>) -> &Signed {
        match function {
            None => &self.identity,
            Some(Function::PosIncrement) => &self.increment,
            Some(Function::PosDecrement) => &self.decrement,
        }
    }
}
