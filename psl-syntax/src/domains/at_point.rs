//! The possible values of each register at one point of a program that is being edited.

use super::{
    domain::{Domain, Wide},
    values::Values,
};
use crate::{
    index::IndexVec,
    program::{ConstantId, RegisterId},
};

/// The possible values of each register at one point.
#[derive(Clone, Debug)]
pub struct DomainsAtPoint {
    pub(super) values: Values,
    pub(super) domains: IndexVec<RegisterId, Domain>,
}

impl DomainsAtPoint {
    /// The constants that a register can hold, or `None` if it can hold any symbol or no known constant.
    pub fn constants(&self, register: RegisterId) -> Option<Vec<ConstantId>> {
        let domain = &self.domains[register];
        if domain.wide == Some(Wide::Symbols) {
            return None;
        }
        // The last two belong to the machine.
        let declared = self.values.of_constant.len().saturating_sub(2);
        let constants = self.values.of_constant.ids().take(declared);
        let held: Vec<_> = constants.filter(|id| domain.holds(&self.values, self.values.of(*id))).collect();
        (!held.is_empty()).then_some(held)
    }

    /// Whether a register can hold any value.
    pub fn has_value(&self, register: RegisterId) -> bool {
        !self.domains[register].is_empty()
    }

    /// Whether two registers can hold the same value.
    pub fn can_be_equal(&self, one: RegisterId, other: RegisterId) -> bool {
        !self.domains[one].meet(&self.values, &self.domains[other]).is_empty()
    }

    /// Whether a register can hold every symbol.
    pub fn is_any(&self, register: RegisterId) -> bool {
        self.domains[register].is_any()
    }

    /// The possible values of a register as text, such as "XQ, XA or null".
    pub fn in_words(&self, register: RegisterId) -> Option<String> {
        let domain = &self.domains[register];
        Some(self.values.in_words_or_null(domain))
    }
}
