//! What is read from files, never more than is allowed.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

/// Reads what a file, or anything else that can be read, holds.
///
/// # Errors
///
/// Those of reading, and [`io::ErrorKind::FileTooLarge`], for a file whose length is known before any of it is read.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    if file.metadata()?.len() > limit {
        return Err(too_large(limit));
    }
    // A pipe or a device does not tell how much it holds.
    read_at_most(file, limit)
}

/// Reads what is left in a stream.
///
/// # Errors
///
/// Those of reading, and [`io::ErrorKind::FileTooLarge`] where it holds more than `limit` bytes.
pub fn read_at_most(stream: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

fn too_large(limit: u64) -> io::Error {
    let message = format!("it has more than the {limit} bytes that `max-file-size` allows; psl.toml can allow more");
    io::Error::new(io::ErrorKind::FileTooLarge, message)
}
