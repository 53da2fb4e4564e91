//! Files for tests, from texts with a mark at the cursor.

#![allow(dead_code, reason = "each crate uses some of it")]
#![allow(clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

#[path = "marked.rs"]
mod marked;

use std::sync::Arc;

use marked::Marked;
use psl_program::File;

/// Creates a file without configuration.
pub fn file(text: &str) -> File {
    File::new(text, Arc::default())
}

/// Creates a file and returns it with the offset of the cursor, `<|>`.
pub fn cursor(marked: &str) -> (File, u32) {
    let Marked { text, places } = Marked::read(marked);
    let [(offset, _)] = places[..] else { panic!("the text needs exactly one cursor, <|>: {marked}") };
    (file(&text), offset as u32)
}
