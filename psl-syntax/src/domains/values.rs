//! The strings that a program mentions.

use rustc_hash::FxHashMap;

use crate::program::{ConstantId, Program};

/// Index of a value in [`Values`]. Constants with the same value share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(pub(super) u32);

/// The strings that a program mentions.
#[derive(Clone, Debug, Default)]
pub struct Values {
    pub(super) values: Vec<Value>,
    pub(super) of_constant: Vec<ValueId>,
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
            let id = *ids.entry(value).or_insert_with(|| {
                known.values.push(Value { text: value.to_owned(), name: name.to_owned(), position: position(value) });
                ValueId(known.values.len() as u32 - 1)
            });
            known.of_constant.push(id);
        }
        known
    }

    pub(crate) fn of(&self, constant: ConstantId) -> ValueId {
        self.of_constant.get(constant.0 as usize).copied().unwrap_or(ValueId(u32::MAX))
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
        let at = self.of_constant.len().checked_sub(back);
        at.and_then(|at| self.of_constant.get(at)).copied().unwrap_or(ValueId(u32::MAX))
    }

    pub(crate) fn name(&self, id: ValueId) -> &str {
        self.values.get(id.0 as usize).map_or("?", |value| &value.name)
    }

    pub(crate) fn position(&self, id: ValueId) -> Option<u64> {
        self.values.get(id.0 as usize)?.position
    }
}

const PARSING: &str = "1";
const EOP: &str = "EOP";

/// The position that a string represents, or `None` if it is not a canonical decimal, without leading zeros.
pub(super) fn position(value: &str) -> Option<u64> {
    let canonical = value == "0" || !value.starts_with('0');
    (canonical && value.bytes().all(|byte| byte.is_ascii_digit())).then(|| value.parse().ok()).flatten()
}
