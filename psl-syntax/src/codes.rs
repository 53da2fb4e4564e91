//! The table of diagnostic codes and their pages, from which `psl explain`, the links in editors and the
//! documentation are made.
//!
//! Invariant: every code has one page. Its example gets that code, and its repair gets no diagnostic.

mod entry;
mod index;
mod page;
mod table;

pub use entry::{CodeEntry, DECLARATIONS};
pub use index::{by_severity, index, page};
pub use table::Code;
