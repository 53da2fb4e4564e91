//! Lines of data from files and standard input, one in memory at a time.

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

use psl_host::{MAX_LINE, line_too_long};

use super::paths::{is_stdin, name};
use crate::failure::Failure;

/// A mark that may start a file and is not part of its text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The reason why a line cannot be read.
pub const NOT_UTF8: &str = "the line is not UTF-8";

/// A line that is not UTF-8.
pub struct NotUtf8 {
    /// The line with the invalid bytes replaced.
    pub readable: String,
}

/// Lines of data, one in memory at a time.
pub struct DataLines {
    /// The name of the file for messages.
    pub name: String,
    /// The number of lines read.
    pub number: usize,
    /// The size of the file in bytes, or `None` for a stream.
    pub size: Option<u64>,
    data: Box<dyn BufRead>,
    bytes: Vec<u8>,
}

impl DataLines {
    /// Opens a file, or standard input for `-`.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let (data, size): (Box<dyn BufRead>, _) = if is_stdin(path) {
            (Box::new(io::stdin().lock()), None)
        } else {
            let file = File::open(path).map_err(|error| Failure::reading(path, &error))?;
            let size = file.metadata().ok().filter(fs::Metadata::is_file).map(|file| file.len());
            (Box::new(BufReader::new(file)), size)
        };
        Ok(Self { size, ..Self::of_stream(path, data) })
    }

    /// The lines of a stream with the name of a path.
    pub fn of_stream(path: &Path, data: Box<dyn BufRead>) -> Self {
        Self { name: name(path), number: 0, size: None, data, bytes: Vec::new() }
    }

    /// Reads the next line, without its line end, or returns `None` after the last one.
    pub fn next(&mut self) -> Result<Option<&[u8]>, Failure> {
        self.bytes.clear();
        let read = self.data.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut self.bytes);
        if read.map_err(|error| Failure::Message(format!("cannot read {}: {error}", self.name)))? == 0 {
            return Ok(None);
        }
        self.number += 1;
        if self.bytes.len() as u64 > MAX_LINE {
            return Err(self.wrong(&line_too_long().to_string()));
        }
        if self.number == 1 && self.bytes.starts_with(BYTE_ORDER_MARK) {
            self.bytes.drain(..BYTE_ORDER_MARK.len());
        }
        let end = self.bytes.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r')).map_or(0, |last| last + 1);
        self.bytes.truncate(end);
        Ok(Some(&self.bytes))
    }

    /// Reads the next line as text.
    pub fn next_text(&mut self) -> Result<Option<String>, Failure> {
        match self.next_line()? {
            None => Ok(None),
            Some(Ok(text)) => Ok(Some(text)),
            Some(Err(NotUtf8 { .. })) => Err(self.wrong(&format!("{NOT_UTF8}: save the file as UTF-8"))),
        }
    }

    /// Reads the next line as text, for commands that go on after a line that is not UTF-8.
    pub fn next_line(&mut self) -> Result<Option<Result<String, NotUtf8>>, Failure> {
        let Some(line) = self.next()? else { return Ok(None) };
        Ok(Some(
            str::from_utf8(line)
                .map(str::to_owned)
                .map_err(|_| NotUtf8 { readable: String::from_utf8_lossy(line).into_owned() }),
        ))
    }

    /// An error about the last line read.
    pub fn wrong(&self, why: &str) -> Failure {
        Failure::Message(format!("cannot read line {} of {}: {why}", self.number, self.name))
    }
}
