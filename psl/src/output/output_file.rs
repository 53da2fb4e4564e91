//! Output to files and standard output.

use std::{
    fs::{self, File, Metadata},
    io::{self, BufWriter, IsTerminal, Write},
    path::Path,
};

use psl_host::{Destination, NewFile, Replaced, create_new};

use super::{
    sizes::bytes,
    stdio::{Content, OnTerminal, stdout},
};
use crate::{
    failure::Failure,
    input::paths::{is_stdin, name},
};

/// A file or standard output, open for writing. Dropping it before [`Output::commit`] leaves the file unchanged.
pub struct Output {
    name: String,
    to: To,
    terminal: bool,
}

enum To {
    Stdout(Box<dyn Write>),
    /// A device or a pipe.
    Direct(Box<dyn Write>),
    New(NewFile),
}

impl Output {
    /// Opens a file, or standard output for `-`, for writing. The file does not change yet.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let name = name(path);
        // If standard output goes to this file, replacing the file would lose the rest of that output.
        if is_stdin(path) || fs::metadata(path).is_ok_and(|file| is_stdout(&file)) {
            let to = To::Stdout(Box::new(BufWriter::new(stdout(Content::Data))));
            return Ok(Self { name, to, terminal: io::stdout().is_terminal() });
        }
        let opened = Destination::open(path).map_err(|error| cannot_write(&name, &error))?;
        let (to, terminal) = match opened {
            Destination::New(file) => (To::New(file), false),
            Destination::Direct(file) if file.is_terminal() => {
                (To::Direct(Box::new(OnTerminal::new(BufWriter::new(file)))), true)
            }
            Destination::Direct(file) => (To::Direct(Box::new(BufWriter::new(file))), false),
        };
        Ok(Self { name, to, terminal })
    }

    /// Opens a file that replaces what has its name: of a link the link itself, not the file that it points to.
    pub fn replacing(path: &Path) -> Result<Self, Failure> {
        let name = name(path);
        let file = NewFile::replacing(path).map_err(|error| cannot_write(&name, &error))?;
        Ok(Self { name, to: To::New(file), terminal: false })
    }

    /// Whether the output is a terminal.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// The failure for an error while writing.
    pub fn failure(&self, error: io::Error) -> Failure {
        if let To::Stdout(_) = self.to { Failure::Output(error) } else { cannot_write(&self.name, &error) }
    }

    /// Checks that a file of this size, in bytes, fits on its disk.
    pub fn check_room(&self, size: u64) -> Result<(), Failure> {
        let To::New(file) = &self.to else { return Ok(()) };
        match file.free_bytes() {
            Some(free) if free < size => {
                let why = format!("it needs {}, and the disk has {} free", bytes(size), bytes(free));
                Err(Failure::Message(format!("cannot write {}: {why}", self.name)))
            }
            _ => Ok(()),
        }
    }

    /// Replaces the old file, if any, and keeps its owner and mode.
    pub fn commit(mut self) -> Result<(), Failure> {
        self.flush().map_err(|error| self.failure(error))?;
        let Self { name, to: To::New(file), .. } = self else { return Ok(()) };
        file.commit().map_err(|error| cannot_write(&name, &error))
    }
}

/// Replaces the old files together, as soon as all new ones are complete.
pub fn commit_all(outputs: Vec<Output>) -> Result<(), Failure> {
    let (mut names, mut files) = (Vec::new(), Vec::new());
    for mut output in outputs {
        output.flush().map_err(|error| output.failure(error))?;
        if let To::New(file) = output.to {
            names.push(output.name);
            files.push(file);
        }
    }
    psl_host::commit_all(files).map_err(|error| cannot_write(&names.join(" and "), &error))
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            To::Stdout(to) | To::Direct(to) => to.write(bytes),
            To::New(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::Stdout(to) | To::Direct(to) => to.flush(),
            To::New(file) => file.flush(),
        }
    }
}

/// Replaces the text of a file, unless the file has changed since the old text was read.
pub fn replace(path: &Path, before: &str, after: &str) -> Result<(), Failure> {
    let name = name(path);
    match psl_host::replace(path, before, after) {
        Ok(Replaced::Written) => Ok(()),
        Ok(Replaced::HasChanged) => {
            let why = "it has changed since it was read: run the command again";
            Err(Failure::Message(format!("cannot write {name}: {why}")))
        }
        Err(error) => Err(cannot_write(&name, &error)),
    }
}

/// Creates a file. It must not exist yet.
pub fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let name = name(path);
    create_new(path, text).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::Message(format!("{name} already exists: choose another name")),
        _ => cannot_write(&name, &error),
    })
}

fn cannot_write(name: &str, error: &io::Error) -> Failure {
    Failure::Message(format!("cannot write {name}: {error}"))
}

#[cfg(unix)]
fn is_stdout(file: &Metadata) -> bool {
    use std::os::{fd::AsFd, unix::fs::MetadataExt};
    let stdout = io::stdout().as_fd().try_clone_to_owned().and_then(|fd| File::from(fd).metadata());
    stdout.is_ok_and(|stdout| (stdout.dev(), stdout.ino()) == (file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn is_stdout(_: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(result: Result<(), Failure>) -> String {
        match result {
            Err(Failure::Message(message)) => message,
            other => panic!("no message: {other:?}"),
        }
    }

    #[test]
    fn a_file_saved_since_it_was_read_is_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.psl");
        for saved in ["saved", "before and more", ""] {
            fs::write(&file, saved).expect("a file");
            let message = message(replace(&file, "before", "after"));
            assert!(message.contains("a.psl: it has changed since it was read"), "{message}");
            assert_eq!(fs::read_to_string(&file).expect("the file"), saved);
        }
        fs::remove_file(&file).expect("the file goes");
        assert!(message(replace(&file, "before", "after")).contains("changed since"));
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0, "no temporary file is left");
        fs::write(&file, "before").expect("a file");
        for _ in 0..2 {
            replace(&file, "before", "after").expect("the file has the old or the new text");
            assert_eq!(fs::read_to_string(&file).expect("the file"), "after");
        }
    }

    #[test]
    fn an_output_that_is_not_committed_leaves_the_file_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("out");
        fs::write(&file, "good").expect("a file");
        let mut output = Output::create(&file).expect("it can be written");
        output.write_all(b"partial").expect("it is written");
        drop(output);
        assert_eq!(fs::read_to_string(&file).expect("the file"), "good");
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
    }
}
