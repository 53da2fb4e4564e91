//! A place of a run at which another run has another value.

use psl_runtime::{CellId, ValueId, record::Row};
use psl_syntax::program::RegisterId;

/// A register of a cell right after a layer, which has different values in two runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatchPlace {
    /// The layer and its passes in the base run.
    pub row: Row,
    /// The cell.
    pub cell: CellId,
    /// The register.
    pub register: RegisterId,
    /// The value of the base run, as text. `None` is null.
    pub base: Option<String>,
    /// The value of the donor, as text: after its last pass if the donor took fewer.
    pub donor: Option<String>,
    /// The donor's value in the task of the base run.
    pub(super) value: Option<ValueId>,
}
