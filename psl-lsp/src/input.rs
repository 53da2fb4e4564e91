//! What is read from files and standard input, never more than is allowed.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

use crate::source::{Failure, STDIN};

/// The largest PSL, JSON or `psl.toml` that is read where nothing else is set, in bytes.
pub const MAX_FILE_SIZE: u64 = 16 << 20;

/// The longest line of data that is read, in bytes.
pub const MAX_LINE: u64 = 16 << 20;

/// Reads a whole file, or standard input for `-`. Errors: those of reading, and [`io::ErrorKind::FileTooLarge`], for a file
/// whose length is known before any of it is read.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path.as_os_str() == STDIN {
        io::stdin().lock().take(limit + 1).read_to_end(&mut bytes)?;
    } else {
        let file = File::open(path)?;
        if file.metadata()?.len() > limit {
            return Err(too_large(limit));
        }
        // A pipe or a device does not tell how much it holds.
        file.take(limit + 1).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

fn too_large(limit: u64) -> io::Error {
    let message = format!("it has more than the {limit} bytes that `max-file-size` allows; psl.toml can allow more");
    io::Error::new(io::ErrorKind::FileTooLarge, message)
}

/// Lines of data, one in memory at a time.
pub struct Lines {
    /// What they are lines of, as shown to people.
    pub name: String,
    /// How many were read.
    pub number: usize,
    data: Box<dyn BufRead>,
    bytes: Vec<u8>,
}

impl Lines {
    /// Those of a file, or of standard input for `-`.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let (name, data): (_, Box<dyn BufRead>) = if path.as_os_str() == STDIN {
            ("<stdin>".to_owned(), Box::new(io::stdin().lock()))
        } else {
            let file = File::open(path).map_err(|error| Failure::reading(path, &error))?;
            (path.display().to_string(), Box::new(BufReader::new(file)))
        };
        Ok(Self { name, number: 0, data, bytes: Vec::new() })
    }

    /// The next one, without its end; nothing after the last.
    pub fn next(&mut self) -> Result<Option<&[u8]>, Failure> {
        self.bytes.clear();
        let read = self.data.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut self.bytes);
        if read.map_err(|error| Failure::Message(format!("cannot read {}: {error}", self.name)))? == 0 {
            return Ok(None);
        }
        self.number += 1;
        if self.bytes.len() as u64 > MAX_LINE {
            return Err(self.wrong(&format!("it is longer than {MAX_LINE} bytes")));
        }
        let end = self.bytes.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r')).map_or(0, |last| last + 1);
        self.bytes.truncate(end);
        Ok(Some(&self.bytes))
    }

    /// The next one as text.
    pub fn next_text(&mut self) -> Result<Option<String>, Failure> {
        let Some(line) = self.next()? else { return Ok(None) };
        match str::from_utf8(line) {
            Ok(text) => Ok(Some(text.to_owned())),
            Err(_) => Err(self.wrong("it is not UTF-8; save the file as UTF-8")),
        }
    }

    /// What is wrong with the last line that was read.
    pub fn wrong(&self, why: &str) -> Failure {
        Failure::Message(format!("cannot read line {} of {}: {why}", self.number, self.name))
    }
}
