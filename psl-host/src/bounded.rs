//! Reads files up to a size limit. Files that the user did not name never block.

use std::{
    fs::{self, File, FileType, OpenOptions},
    io::{self, Read},
    path::Path,
};

use psl_program::config::MAX_CONFIG_SIZE;

/// Reads a file or another readable path. Waits for a pipe.
///
/// # Errors
///
/// Fails if reading fails, or with [`io::ErrorKind::FileTooLarge`]. A file of known length is checked before it is
/// read.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    if file.metadata()?.len() > limit {
        return Err(too_large(limit));
    }
    // The length of a pipe or a device is unknown.
    read_at_most(file, limit)
}

/// Reads a regular file without blocking. A pipe without a writer or a device is refused.
///
/// # Errors
///
/// Fails like [`read`], or with a message that names the kind of path if it is not a regular file.
pub fn read_regular(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_at_most(open_regular(path, limit)?, limit)
}

/// Opens a regular file without blocking. A pipe without a writer or a device is refused.
///
/// # Errors
///
/// Fails like [`read_regular`].
pub fn open_regular(path: &Path, limit: u64) -> io::Result<File> {
    // Opening a device may have side effects.
    check_regular(path, limit)?;
    let file = open_at_once(path)?;
    // The file may have been replaced in between.
    check(&file.metadata()?, limit)?;
    Ok(file)
}

/// Checks whether [`read_regular`] would read a path, without opening it.
///
/// # Errors
///
/// Fails like [`read_regular`].
pub fn check_regular(path: &Path, limit: u64) -> io::Result<()> {
    check(&fs::metadata(path)?, limit)
}

/// Reads the rest of a stream.
///
/// # Errors
///
/// Fails if reading fails, or with [`io::ErrorKind::FileTooLarge`] if it has more than `limit` bytes.
pub fn read_at_most(stream: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

/// Maximum length of a line of a program or of data, in bytes. The tokens of a longer one would take gigabytes.
pub const MAX_LINE: u64 = 16 << 20;

/// The error for a line of data that is longer than [`MAX_LINE`].
pub fn line_too_long() -> io::Error {
    io::Error::other(format!("the line is longer than {MAX_LINE} bytes"))
}

/// Checks the lines of a program.
///
/// # Errors
///
/// Fails with the number of a line that has more than 16 MiB.
pub fn with_short_lines(program: Vec<u8>) -> io::Result<Vec<u8>> {
    let is_long = |line: &[u8]| line.split(|byte| *byte == b'\r').any(|line| line.len() as u64 > MAX_LINE);
    match program.split(|byte| *byte == b'\n').position(is_long) {
        Some(line) => {
            let why = format!("line {} is longer than {MAX_LINE} bytes: break it", line + 1);
            Err(io::Error::new(io::ErrorKind::InvalidData, why))
        }
        None => Ok(program),
    }
}

/// The text after a byte order mark, which some editors write at the start of a file.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Fails with a message that names the kind of path if it is not a regular file.
pub(crate) fn check_file(metadata: &fs::Metadata) -> io::Result<()> {
    if metadata.is_file() {
        Ok(())
    } else {
        Err(io::Error::other(format!("it is {}, not a file", kind(metadata.file_type()))))
    }
}

fn check(metadata: &fs::Metadata, limit: u64) -> io::Result<()> {
    check_file(metadata)?;
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

/// The message of an error for a file with the fixed limit [`MAX_CONFIG_SIZE`], which `psl.toml` does not change.
pub fn without_setting(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::FileTooLarge => format!("it is larger than {MAX_CONFIG_SIZE} bytes"),
        _ => error.to_string(),
    }
}

fn too_large(limit: u64) -> io::Error {
    let message = format!("it is larger than {limit} bytes; raise `max-file-size` in `psl.toml`");
    io::Error::new(io::ErrorKind::FileTooLarge, message)
}
