//! The names of documents. Invariant: only this module knows their type in the library of the protocol.

pub use lsp_types::Url;
