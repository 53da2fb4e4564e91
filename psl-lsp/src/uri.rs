//! The names of documents. Invariant: only this module knows their type in the library of the protocol.

pub use gen_lsp_types::Uri as Url;
