//! A trace that is read twice.
//!
//! A regular file is opened twice. The part of a stream that the first reading consumes is kept in a temporary file.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek, Write},
    path::Path,
};

use crate::{
    failure::Failure,
    input::{data_lines::DataLines, paths::is_stdin},
};

/// A trace that is read twice.
pub struct Twice<'p> {
    path: &'p Path,
    stream: Option<Stream>,
}

/// A stream with the part of it that was read.
struct Stream {
    /// `None` for standard input.
    file: Option<File>,
    kept: File,
}

impl<'p> Twice<'p> {
    /// Opens a trace, or standard input for `-`.
    pub fn open(path: &'p Path) -> Result<Self, Failure> {
        let stream = |path: &Path| {
            let file = if is_stdin(path) { None } else { Some(File::open(path)?) };
            let is_regular = file.as_ref().map(File::metadata).transpose()?.is_some_and(|file| file.is_file());
            if is_regular { Ok(None) } else { Ok(Some(Stream { file, kept: tempfile::tempfile()? })) }
        };
        Ok(Self { path, stream: stream(path).map_err(|error| Failure::reading(path, &error))? })
    }

    /// Starts the first reading.
    pub fn first(&self) -> Result<DataLines, Failure> {
        self.lines(|stream| {
            let kept = stream.kept.try_clone()?;
            Ok(Box::new(BufReader::new(Keeping { stream: stream.unread()?, kept })))
        })
    }

    /// Starts the second reading, after the first one.
    pub fn second(&self) -> Result<DataLines, Failure> {
        self.lines(|stream| {
            let mut kept = stream.kept.try_clone()?;
            kept.rewind()?;
            Ok(Box::new(BufReader::new(kept.chain(stream.unread()?))))
        })
    }

    fn lines(&self, read: impl FnOnce(&Stream) -> io::Result<Box<dyn BufRead>>) -> Result<DataLines, Failure> {
        match &self.stream {
            None => DataLines::open(self.path),
            Some(stream) => {
                let data = read(stream).map_err(|error| Failure::reading(self.path, &error))?;
                Ok(DataLines::of_stream(self.path, data))
            }
        }
    }
}

impl Stream {
    /// The unread part of the stream.
    fn unread(&self) -> io::Result<Box<dyn Read>> {
        Ok(match &self.file {
            Some(file) => Box::new(file.try_clone()?),
            None => Box::new(io::stdin().lock()),
        })
    }
}

/// Keeps what it reads of a stream.
struct Keeping {
    stream: Box<dyn Read>,
    kept: File,
}

impl Read for Keeping {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        self.kept.write_all(buffer.get(..count).unwrap_or_default())?;
        Ok(count)
    }
}
