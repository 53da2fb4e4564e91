//! The cells of a sequence.

use psl_syntax::index::numbered_id;

numbered_id! {
    /// Index of a cell: those of the prompt come before the generated ones.
    pub CellId
}
