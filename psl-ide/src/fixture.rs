//! Files for tests, from text with a mark at the cursor.

#![allow(clippy::expect_used, reason = "a test may fail by panic")]

use std::sync::Arc;

use crate::file::File;

/// The cursor.
const CURSOR: &str = "<|>";

/// A file without configuration.
pub fn file(text: &str) -> File {
    File::new(text, Arc::default())
}

/// A file, and the offset of the cursor in it.
pub fn cursor(marked: &str) -> (File, u32) {
    let offset = marked.find(CURSOR).expect("the text has a cursor, <|>");
    (file(&marked.replacen(CURSOR, "", 1)), offset as u32)
}
