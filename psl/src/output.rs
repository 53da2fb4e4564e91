//! Atomic writes of files.
//!
//! The text goes to a new file in the same folder, which then replaces the old one. Invariant: the writer of such a file holds
//! its lock. A file that can be locked was therefore abandoned by a killed process and can be removed.

use std::{
    collections::HashSet,
    fs::{self, File, Metadata, OpenOptions},
    io::{self, BufWriter, IsTerminal, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use psl_lsp::disk::read;
use tempfile::NamedTempFile;

use crate::{
    counting::bytes,
    endings::Unfinished,
    failure::Failure,
    paths::{is_stdin, name},
    stdio::{Content, OnTerminal, stdout},
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
    New {
        file: BufWriter<File>,
        path: Unfinished,
        target: PathBuf,
        /// The file to replace, if it exists.
        old: Option<Box<Metadata>>,
    },
}

impl Output {
    /// Opens a file, or standard output for `-`, for writing. The file does not change yet.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        // If standard output goes to this file, replacing the file would lose the rest of that output.
        if is_stdin(path) || fs::metadata(path).is_ok_and(|file| is_stdout(&file)) {
            let to = To::Stdout(Box::new(BufWriter::new(stdout(Content::Data))));
            return Ok(Self { name: name(path), to, terminal: io::stdout().is_terminal() });
        }
        Self::file(path)
    }

    fn file(path: &Path) -> Result<Self, Failure> {
        let name = name(path);
        let (to, terminal) = open(path).map_err(|error| cannot_write(&name, &error))?;
        Ok(Self { name, to, terminal })
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
        let To::New { target, .. } = &self.to else { return Ok(()) };
        match free_bytes(folder_of(target)) {
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
        let Self { name, to: To::New { file, path, target, old }, .. } = self else { return Ok(()) };
        old.map_or(Ok(()), |old| adopt(file.get_ref(), &old)).map_err(|error| cannot_write(&name, &error))?;
        path.finish(&target, |path, target| path.persist(target)).map_err(|error| cannot_write(&name, &error))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            To::Stdout(to) | To::Direct(to) => to.write(bytes),
            To::New { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::Stdout(to) | To::Direct(to) => to.flush(),
            To::New { file, .. } => file.flush(),
        }
    }
}

/// Replaces the text of a file, unless the file has changed since the old text was read.
pub fn replace(path: &Path, before: &str, after: &str) -> Result<(), Failure> {
    let mut output = Output::file(path)?;
    output.write_all(after.as_bytes()).map_err(|error| output.failure(error))?;
    if let To::New { target, .. } = &output.to {
        let longest = before.len().max(after.len());
        let now = read(target, longest as u64).ok();
        // Another process may have made the same change.
        if now.as_deref() == Some(after.as_bytes()) {
            return Ok(());
        }
        if now.as_deref() != Some(before.as_bytes()) {
            let why = "it has changed since it was read: run the command again";
            return Err(Failure::Message(format!("cannot write {}: {why}", output.name)));
        }
    }
    output.commit()
}

/// Creates a file. It must not exist yet.
pub fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let name = name(path);
    let new = create_beside(path, false).and_then(|(mut file, new)| {
        file.write_all(text.as_bytes())?;
        Ok(new)
    });
    let placed = new.and_then(|new| new.finish(path, |new, path| new.persist_noclobber(path)));
    placed.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::Message(format!("{name} already exists: choose another name")),
        _ => cannot_write(&name, &error),
    })
}

fn cannot_write(name: &str, error: &io::Error) -> Failure {
    Failure::Message(format!("cannot write {name}: {error}"))
}

/// Opens the destination of a path, and returns whether it is a terminal.
fn open(path: &Path) -> io::Result<(To, bool)> {
    let target = follow_links(path)?;
    let old = match fs::metadata(path) {
        Ok(old) => Some(Box::new(old)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if let Some(old) = &old {
        if old.permissions().readonly() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let opened = OpenOptions::new().write(true).open(path)?;
        if !old.is_file() {
            let terminal = opened.is_terminal();
            let out = BufWriter::new(opened);
            return Ok((To::Direct(if terminal { Box::new(OnTerminal::new(out)) } else { Box::new(out) }), terminal));
        }
        let links = links(old);
        if links > 1 {
            let why = format!("it has {links} hard links, and replacing it would separate them: write to a copy");
            return Err(io::Error::other(why));
        }
    }
    let (file, path) = create_beside(&target, old.is_some())?;
    Ok((To::New { file: BufWriter::new(file), path, target, old }, false))
}

/// Follows symbolic links, also to a file that does not exist.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    /// The limit of Linux.
    const MAX_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&path) else { return Ok(path) };
        path = path.parent().unwrap_or(Path::new("")).join(next);
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

const PREFIX: &str = ".psl-unfinished-";
const SUFFIX: &str = ".tmp";

/// Creates a new file in the folder of another.
fn create_beside(path: &Path, private: bool) -> io::Result<(File, Unfinished)> {
    let folder = folder_of(path);
    clear_up(folder);
    let made = Unfinished::create(|| new_file(folder, private));
    made.map_err(|error| io::Error::other(format!("cannot create a file in its folder: {}", error.kind())))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The bytes that this user can still write on the disk of a folder, or `None` if they are unknown.
#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    disk.f_bavail.checked_mul(disk.f_frsize)
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Option<u64> {
    None
}

/// Creates a locked file with an unused name.
fn new_file(folder: &Path, private: bool) -> io::Result<NamedTempFile> {
    loop {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        if !private {
            use std::os::unix::fs::PermissionsExt;
            // The umask of the process still applies.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder)?;
        match file.as_file().lock() {
            // Another process may have removed the file before it was locked.
            Ok(()) if !file.path().exists() => {}
            // Without support for locks, no process removes files.
            Ok(()) | Err(_) => return Ok(file),
        }
    }
}

/// Removes the files that killed processes left in a folder, once per folder.
fn clear_up(folder: &Path) {
    static CLEARED: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);
    let mut cleared = CLEARED.lock().unwrap_or_else(PoisonError::into_inner);
    if !cleared.get_or_insert_default().insert(folder.to_owned()) {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let ours = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        if ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let abandoned = File::open(entry.path()).ok().filter(|file| file.try_lock().is_ok());
            if abandoned.is_some() {
                // A file of another user may not be removable.
                fs::remove_file(entry.path()).ok();
            }
        }
    }
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

#[cfg(unix)]
fn links(file: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(file)
}

#[cfg(not(unix))]
fn links(_: &Metadata) -> u64 {
    1
}

/// Gives a new file the owner and the mode of the old one.
fn adopt(new: &File, old: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let here = new.metadata()?;
        if (here.uid(), here.gid()) != (old.uid(), old.gid()) {
            let why = |error| io::Error::other(format!("cannot keep its owner and group: {error}"));
            fchown(new, Some(old.uid()), Some(old.gid())).map_err(why)?;
        }
    }
    new.set_permissions(old.permissions())
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
