//! The strings that a program mentions.

use rustc_hash::FxHashMap;

use crate::{
    index::{IndexVec, id},
    program::{ConstantId, EOP, PARSING, Program},
};

id! {
    /// Index of a value in [`Values`]. Constants with the same value share it.
    pub ValueId
}

/// The strings that a program mentions.
#[derive(Clone, Debug, Default)]
pub struct Values {
    pub(super) values: IndexVec<ValueId, Value>,
    pub(super) of_constant: IndexVec<ConstantId, ValueId>,
}

#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) text: String,
    /// The name in the program.
    name: String,
    /// The position, if the value is one.
    position: Option<u64>,
}

impl Values {
    pub(crate) fn new(program: &Program) -> Self {
        let mut known = Self::default();
        let mut ids: FxHashMap<&str, ValueId> = FxHashMap::default();
        let machine = [(PARSING, PARSING), (EOP, EOP)];
        let declared = program.constants.iter().map(|constant| (constant.name.as_str(), constant.value.as_str()));
        for (name, value) in declared.chain(machine) {
            let new = || Value { text: value.to_owned(), name: name.to_owned(), position: position(value) };
            let id = *ids.entry(value).or_insert_with(|| known.values.push(new()));
            known.of_constant.push(id);
        }
        known
    }

    pub(crate) fn of(&self, constant: ConstantId) -> ValueId {
        self.of_constant[constant]
    }

    /// The value `1`, which the machine writes to the parse register.
    pub(crate) fn parsing(&self) -> ValueId {
        self.nth_last(2)
    }

    /// The value `EOP`, which the machine writes to the eop register.
    pub(crate) fn eop(&self) -> ValueId {
        self.nth_last(1)
    }

    fn nth_last(&self, back: usize) -> ValueId {
        self.of_constant[ConstantId::new(self.of_constant.len() - back)]
    }

    pub(crate) fn name(&self, id: ValueId) -> &str {
        &self.values[id].name
    }

    pub(crate) fn position(&self, id: ValueId) -> Option<u64> {
        self.values[id].position
    }
}

/// The position that a string represents, or `None` if it is not a canonical decimal, without leading zeros.
pub(super) fn position(value: &str) -> Option<u64> {
    let canonical = value == "0" || !value.starts_with('0');
    (canonical && value.bytes().all(|byte| byte.is_ascii_digit())).then(|| value.parse().ok()).flatten()
}
