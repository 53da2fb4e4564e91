//! Files that are written whole or not at all.
//!
//! What is written goes to a new file in the same folder, which then takes the old one's place. Invariant: whoever writes
//! such a file holds its lock, so one that can be locked was left behind by a process that was killed, and can go.

use std::{
    collections::HashSet,
    fs::{self, File, Metadata, OpenOptions},
    io::{self, BufWriter, IsTerminal, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use psl_lsp::disk::read;
use tempfile::{NamedTempFile, TempPath};

use crate::{
    failure::Failure,
    paths::is_stdin,
    stdio::{Content, OnTerminal, stdout},
};

/// Somewhere to write to. Dropped before [`Output::commit`], it leaves a file as it was.
pub struct Output {
    name: String,
    to: To,
    terminal: bool,
}

enum To {
    Stdout(Box<dyn Write>),
    /// What is not a regular file: a device or a pipe.
    Direct(Box<dyn Write>),
    New {
        file: BufWriter<File>,
        path: TempPath,
        target: PathBuf,
        /// What is there now, if anything.
        old: Option<Box<Metadata>>,
    },
}

impl Output {
    /// Opens a file, or standard output for `-`, for writing; nothing changes yet.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        // Standard output may go to this very file: what was written there before, and what comes after, stays.
        if is_stdin(path) || fs::metadata(path).is_ok_and(|file| is_stdout(&file)) {
            let to = To::Stdout(Box::new(BufWriter::new(stdout(Content::Data))));
            return Ok(Self { name: path.display().to_string(), to, terminal: io::stdout().is_terminal() });
        }
        Self::file(path)
    }

    fn file(path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let (to, terminal) = open(path).map_err(|error| cannot_write(&name, &error))?;
        Ok(Self { name, to, terminal })
    }

    /// Whether a terminal shows what is written.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// What it means that something could not be written.
    pub fn failure(&self, error: io::Error) -> Failure {
        if let To::Stdout(_) = self.to { Failure::Output(error) } else { cannot_write(&self.name, &error) }
    }

    /// Puts what was written in the place of what was there, with the owner and the mode that this had.
    pub fn commit(mut self) -> Result<(), Failure> {
        self.flush().map_err(|error| self.failure(error))?;
        let Self { name, to: To::New { file, path, target, old }, .. } = self else { return Ok(()) };
        old.map_or(Ok(()), |old| adopt(file.get_ref(), &old)).map_err(|error| cannot_write(&name, &error))?;
        path.persist(target).map_err(|error| cannot_write(&name, &error.error))
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

/// Writes another text in the place of the one that was read from a file, unless the file was changed meanwhile.
pub fn replace(path: &Path, before: &str, after: &str) -> Result<(), Failure> {
    let mut output = Output::file(path)?;
    output.write_all(after.as_bytes()).map_err(|error| output.failure(error))?;
    if let To::New { target, .. } = &output.to {
        let longest = before.len().max(after.len());
        let now = read(target, longest as u64).ok();
        // A neighbour may have done the same.
        if now.as_deref() == Some(after.as_bytes()) {
            return Ok(());
        }
        if now.as_deref() != Some(before.as_bytes()) {
            let why = "it was changed since it was read, and stays as it is now: run the command again";
            return Err(Failure::Message(format!("cannot write {}: {why}", output.name)));
        }
    }
    output.commit()
}

/// Writes a file that must not be there yet.
pub fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let name = path.display().to_string();
    let new = made_beside(path, false).and_then(|mut new| {
        new.write_all(text.as_bytes())?;
        Ok(new)
    });
    let placed = new.and_then(|new| new.into_temp_path().persist_noclobber(path).map_err(|error| error.error));
    placed.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::Message(format!("{name} is there already, and stays as it is")),
        _ => cannot_write(&name, &error),
    })
}

fn cannot_write(name: &str, error: &io::Error) -> Failure {
    Failure::Message(format!("cannot write {name}: {error}"))
}

/// Where to write to, and whether that is a terminal.
fn open(path: &Path) -> io::Result<(To, bool)> {
    let target = followed(path)?;
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
            let why = format!("it has {links} names (hard links), which would no longer be one file; write to a copy");
            return Err(io::Error::other(why));
        }
    }
    let (file, path) = made_beside(&target, old.is_some())?.into_parts();
    Ok((To::New { file: BufWriter::new(file), path, target, old }, false))
}

/// Where links lead to, also where nothing is there.
fn followed(path: &Path) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const MAX_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&path) else { return Ok(path) };
        path = path.parent().unwrap_or(Path::new("")).join(next);
    }
    Err(io::Error::other("too many links lead on from it"))
}

const PREFIX: &str = ".psl-unfinished-";
const SUFFIX: &str = ".tmp";

/// A new file in the folder of another.
fn made_beside(path: &Path, private: bool) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    clear_up(folder);
    let made = new_file(folder, private);
    made.map_err(|error| io::Error::other(format!("no file can be made in its folder: {}", error.kind())))
}

/// A locked file of a name that nothing has.
fn new_file(folder: &Path, private: bool) -> io::Result<NamedTempFile> {
    loop {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        if !private {
            use std::os::unix::fs::PermissionsExt;
            // Less what the process's mask takes away.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder)?;
        match file.as_file().lock() {
            // Another process may have cleared it up before it was locked.
            Ok(()) if !file.path().exists() => {}
            // Without locks nothing is cleared up either.
            Ok(()) | Err(_) => return Ok(file),
        }
    }
}

/// Removes what killed processes left in a folder; once is enough.
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
                // One that another user left stays.
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
            let why = |error| io::Error::other(format!("a new file cannot get its owner and group: {error}"));
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
    fn what_was_saved_meanwhile_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.psl");
        for saved in ["saved", "before and more", ""] {
            fs::write(&file, saved).expect("a file");
            let message = message(replace(&file, "before", "after"));
            assert!(message.contains("a.psl: it was changed since it was read"), "{message}");
            assert_eq!(fs::read_to_string(&file).expect("the file"), saved);
        }
        fs::remove_file(&file).expect("the file goes");
        assert!(message(replace(&file, "before", "after")).contains("changed since"));
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0, "nothing is left behind");
        fs::write(&file, "before").expect("a file");
        for _ in 0..2 {
            replace(&file, "before", "after").expect("it is as it was read, or as it is to be");
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
