//! Atomic writes of files.
//!
//! The text goes to a new file in the same folder, which then replaces the old one. Invariant: the writer of such a
//! file holds its lock. A file that can be locked was therefore abandoned by a killed process and can be removed.

use std::{
    collections::HashSet,
    fs::{self, File, Metadata, OpenOptions},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use tempfile::NamedTempFile;

use crate::{
    bounded::{check_file, read},
    endings::Unfinished,
};

/// The target of a path, open for writing.
pub enum Destination {
    /// A device or a pipe.
    Direct(File),
    /// A file, new or to be replaced.
    New(NewFile),
}

/// A file that takes its name when it is committed, and replaces the old file with that name. Dropping it leaves the
/// old file unchanged.
pub struct NewFile {
    file: BufWriter<File>,
    path: Unfinished,
    target: PathBuf,
    /// The file to replace, if it exists.
    old: Option<Box<Metadata>>,
}

impl Destination {
    /// Opens a path for writing, and follows links. An existing file does not change yet.
    ///
    /// # Errors
    ///
    /// Fails if the path cannot be written, or is one of several hard links to a file, which a replacement would
    /// separate.
    pub fn open(path: &Path) -> io::Result<Self> {
        let target = follow_links(path)?;
        let old = match fs::metadata(path) {
            Ok(old) => Some(Box::new(old)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if let Some(old) = &old {
            let opened = open_old(path, old)?;
            if !old.is_file() {
                return Ok(Self::Direct(opened));
            }
        }
        NewFile::beside(target, old).map(Self::New)
    }
}

/// Opens a path for writing, as a check that it may be replaced.
fn open_old(path: &Path, old: &Metadata) -> io::Result<File> {
    if old.permissions().readonly() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let opened = OpenOptions::new().write(true).open(path)?;
    let links = links(old);
    if old.is_file() && links > 1 {
        let why = format!("it has {links} hard links, and replacing it would separate them: write to a copy");
        return Err(io::Error::other(why));
    }
    Ok(opened)
}

impl NewFile {
    /// A file that replaces what has its name: of a link the link itself, not the file that it points to.
    ///
    /// # Errors
    ///
    /// Fails like [`Destination::open`], and if the path is neither a file nor a link.
    pub fn replacing(path: &Path) -> io::Result<Self> {
        let old = match fs::symlink_metadata(path) {
            Ok(old) => Some(old).filter(|old| !old.is_symlink()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if let Some(old) = &old {
            check_file(old)?;
            open_old(path, old)?;
        }
        Self::beside(path.to_owned(), old.map(Box::new))
    }

    /// A new file in the folder of another.
    fn beside(target: PathBuf, old: Option<Box<Metadata>>) -> io::Result<Self> {
        let (file, path) = create_beside(&target, old.is_some())?;
        Ok(Self { file: BufWriter::new(file), path, target, old })
    }

    /// The bytes that this user can still write on its disk, or `None` if they are unknown.
    pub fn free_bytes(&self) -> Option<u64> {
        free_bytes(folder_of(&self.target))
    }

    /// Replaces the old file, if any, and keeps its owner and mode.
    ///
    /// # Errors
    ///
    /// Returns the error of the system. The old file is then unchanged.
    pub fn commit(mut self) -> io::Result<()> {
        self.complete()?;
        self.path.finish(&self.target, |path, target| path.persist(target))
    }

    /// Writes what is buffered, and keeps the owner and the mode of the old file.
    fn complete(&mut self) -> io::Result<()> {
        self.file.flush()?;
        self.old.as_ref().map_or(Ok(()), |old| adopt(self.file.get_ref(), old))
    }
}

/// Replaces the old files together: all new files are on the disk before the first takes its name, and no signal ends
/// the process between the first and the last.
///
/// # Errors
///
/// Returns the error of the system. If a file cannot be completed, all old files are unchanged.
pub fn commit_all(mut files: Vec<NewFile>) -> io::Result<()> {
    for file in &mut files {
        file.complete()?;
        // A disk can turn out to be full only when the bytes are written to it.
        file.file.get_ref().sync_all()?;
    }
    Unfinished::finish_all(files.into_iter().map(|file| (file.path, file.target)).collect())
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The result of [`replace`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaced {
    /// The file has the new text.
    Written,
    /// The file has neither the old nor the new text, and was not written.
    HasChanged,
}

/// Replaces the text of a file, unless the file has changed since the old text was read.
///
/// # Errors
///
/// Returns the error of the system.
pub fn replace(path: &Path, before: &str, after: &str) -> io::Result<Replaced> {
    match Destination::open(path)? {
        Destination::Direct(mut file) => file.write_all(after.as_bytes())?,
        Destination::New(mut file) => {
            file.write_all(after.as_bytes())?;
            let longest = before.len().max(after.len());
            let now = read(&file.target, longest as u64).ok();
            // Another process may have made the same change.
            if now.as_deref() == Some(after.as_bytes()) {
                return Ok(Replaced::Written);
            }
            if now.as_deref() != Some(before.as_bytes()) {
                return Ok(Replaced::HasChanged);
            }
            file.commit()?;
        }
    }
    Ok(Replaced::Written)
}

/// Creates a file with a text.
///
/// # Errors
///
/// Returns the error of the system, [`io::ErrorKind::AlreadyExists`] if the path exists.
pub fn create_new(path: &Path, text: &str) -> io::Result<()> {
    let (mut file, new) = create_beside(path, false)?;
    file.write_all(text.as_bytes())?;
    new.finish(path, |new, path| new.persist_noclobber(path))
}

/// Follows symbolic links, even to a file that does not exist.
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
pub(crate) fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    disk.f_bavail.checked_mul(disk.f_frsize)
}

#[cfg(not(unix))]
pub(crate) fn free_bytes(_: &Path) -> Option<u64> {
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
