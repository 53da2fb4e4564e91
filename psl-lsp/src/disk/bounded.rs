//! What is read from files: never more than is allowed, and without waiting where nobody has named the file.

use std::{
    fs::{self, File, FileType, OpenOptions},
    io::{self, Read},
    path::Path,
};

use psl_ide::config::MAX_FILE_SIZE;

/// Reads what a file, or anything else that can be read, holds. A pipe is waited for.
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

/// Reads a regular file at once: neither a pipe that nobody writes to nor a device keeps the caller waiting.
///
/// # Errors
///
/// Those of [`read`], and what there is in place of a regular file, in words.
pub fn read_regular(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    // Opening a device may have effects.
    check_regular(path, limit)?;
    let file = open_at_once(path)?;
    // Something else may have taken its place meanwhile.
    check(&file.metadata()?, limit)?;
    read_at_most(file, limit)
}

/// Looks whether [`read_regular`] would read what there is, without opening it.
///
/// # Errors
///
/// As [`read_regular`].
pub fn check_regular(path: &Path, limit: u64) -> io::Result<()> {
    check(&fs::metadata(path)?, limit)
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

fn check(metadata: &fs::Metadata, limit: u64) -> io::Result<()> {
    if !metadata.is_file() {
        return Err(io::Error::other(format!("it is {}, not a file", kind(metadata.file_type()))));
    }
    if metadata.len() > limit { Err(too_large(limit)) } else { Ok(()) }
}

#[cfg(unix)]
fn kind(of: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if of.is_dir() {
        "a folder"
    } else if of.is_fifo() {
        "a named pipe"
    } else if of.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn kind(of: FileType) -> &'static str {
    if of.is_dir() { "a folder" } else { "a device" }
}

#[cfg(unix)]
fn open_at_once(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}

#[cfg(not(unix))]
fn open_at_once(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).open(path)
}

/// An error in words, for a file with the limit [`MAX_FILE_SIZE`], which no `psl.toml` changes.
pub fn without_setting(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::FileTooLarge => format!("it has more than {MAX_FILE_SIZE} bytes"),
        _ => error.to_string(),
    }
}

fn too_large(limit: u64) -> io::Error {
    let message = format!("it has more than the {limit} bytes that `max-file-size` allows; psl.toml can allow more");
    io::Error::new(io::ErrorKind::FileTooLarge, message)
}
