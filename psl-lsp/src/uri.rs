//! The names of documents. Invariant: only this module knows their type in the library of the protocol.

use std::path::PathBuf;

pub use gen_lsp_types::Uri as Url;

/// The path of a document's file, if it has one.
#[cfg(feature = "native")]
pub fn file_path(uri: &Url) -> Option<PathBuf> {
    uri.to_file_path().ok()
}

/// `None`: a page in a browser has no files.
#[cfg(not(feature = "native"))]
pub fn file_path(_: &Url) -> Option<PathBuf> {
    None
}
