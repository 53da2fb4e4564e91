//! The value of a register in the fast DAT.

use crate::vocabulary::ValueId;

/// The index of a value, or [`NULL`].
pub(super) type Value = u32;

/// The value of a register that was never set.
pub(super) const NULL: Value = Value::MAX;

/// The [`ValueId`], or `None` for [`NULL`].
pub(super) fn held(value: Value) -> Option<ValueId> {
    (value != NULL).then_some(ValueId(value))
}
