//! The files of a folder, written whole or not at all.
//!
//! Invariant: a file that is not ours is never replaced, unless the user wants it, and no file that a link points to is
//! changed.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::atomic::{NewFile, commit_all, free_bytes};

/// A file to write: its name in the folder, and its content.
pub type FileOf<'f> = (&'f str, &'f [u8]);

/// Whether a file that exists may be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// The file is ours.
    Ours,
    /// The file is ours, but someone has changed it.
    Changed,
    /// The file is someone else's.
    Foreign,
}

/// Checks that no file would be lost: each of these names is free in the folder, or that of a file of ours. `whose`
/// judges a file, which `of_what` names in the message: "a checkpoint of psl".
///
/// # Errors
///
/// Fails with [`io::ErrorKind::AlreadyExists`] and a message that names each file that would be lost.
pub fn check_folder<'n>(
    folder: &Path,
    names: impl IntoIterator<Item = &'n str>,
    of_what: &str,
    mut whose: impl FnMut(&str, &Path) -> Existing,
) -> io::Result<()> {
    let mut lost = Vec::new();
    for name in names {
        let path = folder.join(name);
        let Ok(found) = fs::symlink_metadata(&path) else { continue };
        if found.is_symlink() {
            lost.push(format!("{name} is a symbolic link"));
        } else if found.is_file() {
            match whose(name, &path) {
                Existing::Ours => {}
                Existing::Changed => lost.push(format!("{name} has changed since psl wrote it")),
                Existing::Foreign => lost.push(format!("{name} is not from {of_what}")),
            }
        }
    }
    if lost.is_empty() { Ok(()) } else { Err(io::Error::new(io::ErrorKind::AlreadyExists, lost.join(", and "))) }
}

/// The message for an error of [`check_folder`] or [`write_folder`]. `way` names the way out if files would be lost.
pub fn cannot_write(folder: &str, error: &io::Error, way: &str) -> String {
    let way = if error.kind() == io::ErrorKind::AlreadyExists { format!(": {way}") } else { String::new() };
    format!("cannot write {folder}: {error}{way}")
}

/// Writes files to a folder, which is made if it is missing. All are written before the first takes its name, in the
/// order of the list. They replace those with the same names, and other files stay.
///
/// # Errors
///
/// Returns the error of the system. The folder is then as it was.
pub fn write_folder(folder: &Path, files: &[FileOf<'_>]) -> io::Result<()> {
    let made = MadeFolders::make(folder)?;
    let size = files.iter().map(|(_, content)| content.len() as u64).sum();
    if let Some(free) = free_bytes(folder).filter(|free| *free < size) {
        let why = format!("it needs {size} bytes, and the disk has {free} free");
        return Err(io::Error::new(io::ErrorKind::StorageFull, why));
    }
    let new = |(name, content): &FileOf<'_>| {
        let mut file = NewFile::replacing(&folder.join(name))?;
        file.write_all(content)?;
        Ok(file)
    };
    let named = |file: &FileOf<'_>| new(file).map_err(|error: io::Error| of_file(file.0, &error));
    commit_all(files.iter().map(named).collect::<io::Result<_>>()?)?;
    made.keep();
    Ok(())
}

/// The error with the name of the file.
fn of_file(name: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{name}: {error}"))
}

/// Folders that are removed again unless they are kept.
struct MadeFolders(Vec<PathBuf>);

impl MadeFolders {
    /// Makes a folder and those around it.
    fn make(folder: &Path) -> io::Result<Self> {
        let missing = folder.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
        let made = Self(missing.map(Path::to_owned).collect());
        match fs::create_dir_all(folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(io::Error::other("it is a file, not a folder"))
            }
            done => done.map(|()| made),
        }
    }

    fn keep(mut self) {
        self.0.clear();
    }
}

impl Drop for MadeFolders {
    fn drop(&mut self) {
        for folder in &self.0 {
            // Only an empty folder is removed.
            fs::remove_dir(folder).ok();
        }
    }
}
