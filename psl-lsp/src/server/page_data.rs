//! The data of a page of the explorer about a document.

use percent_encoding::percent_decode_str;
use psl_explorer::{FirstPrompt, PageData};
use serde::Serialize;

use crate::{document::Document, uri::file_path};

/// A page for a client that shows it itself.
#[derive(Serialize)]
pub struct WholePage {
    /// The page.
    pub html: String,
    /// The prompt that it opens. A page to which the client sends other data keeps its prompt if this is the same.
    #[serde(flatten)]
    pub first: FirstPrompt,
}

/// The data of a page on a document with this [`name`], which opens a prompt.
pub fn page_data<'d>(name: &'d str, document: &'d Document, first: FirstPrompt) -> PageData<'d> {
    PageData { first, ..PageData::new(name, document.file(), &[]) }
}

/// The name of a document's file, or the last part of its URI.
pub fn name(document: &Document) -> String {
    let path = file_path(&document.uri);
    let file = path.as_ref().and_then(|path| path.file_name()?.to_str()).map(str::to_owned);
    file.unwrap_or_else(|| {
        let last = document.uri.path().rsplit('/').next().unwrap_or_default();
        percent_decode_str(last).decode_utf8_lossy().into_owned()
    })
}
