//! What a register holds, as the fast DAT keeps it.

use crate::vocabulary::ValueId;

/// The index of a value, or [`NULL`].
pub(super) type Value = u32;

/// What a register holds that was never set.
pub(super) const NULL: Value = Value::MAX;

/// The value of an index; none for [`NULL`].
pub(super) fn held(value: Value) -> Option<ValueId> {
    (value != NULL).then_some(ValueId(value))
}
