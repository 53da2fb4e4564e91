//! The table of diagnostic codes and their pages: `psl explain`, the editors' links and the documentation come from them.
//!
//! Invariant: every code has one page, whose example gets that code and whose repair gets no diagnostic.

mod entry;
mod index;
mod page;
mod table;

pub use entry::{DECLARATIONS, Entry};
pub use index::{by_severity, index, page};
pub use table::Code;
