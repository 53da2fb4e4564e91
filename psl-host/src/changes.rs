//! Changes of files, as the system reports them.

use std::{
    collections::BTreeSet,
    fmt::Display,
    io,
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, channel},
    thread::sleep,
    time::Duration,
};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher, event::ModifyKind};
use thiserror::Error;

use crate::search::{has_programs, in_folder};

/// The time between the first change and the next run. Editors write a file in several steps.
const SETTLE: Duration = Duration::from_millis(100);

/// The file name of configurations.
const CONFIG: &str = "psl.toml";

/// The extension of programs.
const PROGRAM: &str = "psl";

/// The files whose changes matter.
#[derive(Default)]
pub struct WatchedFiles {
    files: BTreeSet<PathBuf>,
}

impl WatchedFiles {
    /// Adds files.
    pub fn add(&mut self, paths: impl IntoIterator<Item = PathBuf>) {
        for path in paths {
            // Both the link and its target can change.
            self.files.extend(dunce::canonicalize(&path).ok());
            self.files.extend(in_folder(&path));
        }
    }
}

/// Finds the nearest `psl.toml`, in the folder of a file or above.
fn config(file: &Path) -> Option<PathBuf> {
    file.ancestors().map(|path| path.with_file_name(CONFIG)).find(|config| config.is_file())
}

/// The reason why changes cannot be watched.
#[derive(Debug, Error)]
pub enum WatchError {
    /// A folder cannot be read.
    #[error("cannot read {}: {error}", .folder.display())]
    Unreadable { folder: PathBuf, error: io::Error },
    /// The system cannot report changes, for this reason.
    #[error("cannot watch for changes: {0}")]
    Unwatchable(String),
}

/// The reported changes of files.
pub struct Changes {
    watcher: RecommendedWatcher,
    events: Receiver<notify::Result<Event>>,
    /// The files on the command line, which may not exist.
    named: BTreeSet<PathBuf>,
    /// Folders that are watched recursively.
    searched: Vec<PathBuf>,
    /// Folders that are watched without their subfolders.
    folders: BTreeSet<PathBuf>,
}

impl Changes {
    /// Watches folders, and the folders of files. Without a path, watches the current folder.
    ///
    /// # Errors
    ///
    /// Fails if the system cannot watch them.
    pub fn of(paths: &[PathBuf]) -> Result<Self, WatchError> {
        let (sender, events) = channel();
        let watcher = notify::recommended_watcher(sender).map_err(unwatchable)?;
        let mut changes =
            Self { watcher, events, named: BTreeSet::new(), searched: Vec::new(), folders: BTreeSet::new() };
        let here = [PathBuf::from(".")];
        for path in if paths.is_empty() { &here } else { paths } {
            if path.is_dir() {
                let unreadable = |error| WatchError::Unreadable { folder: path.clone(), error };
                let folder = dunce::canonicalize(path).map_err(unreadable)?;
                changes.watcher.watch(&folder, RecursiveMode::Recursive).map_err(unwatchable)?;
                // The folder may be moved away, and come back.
                changes.watch_folder(&folder)?;
                changes.searched.push(folder);
            } else if let Some(file) = in_folder(path) {
                changes.watch_folder(&file)?;
                file.parent().map_or(Ok(()), |folder| changes.watch_folder(folder))?;
                changes.named.insert(file);
            }
        }
        changes.watch_configs()?;
        Ok(changes)
    }

    /// Watches the folders of the configurations that apply now, which may be far above.
    fn watch_configs(&mut self) -> Result<(), WatchError> {
        let configs: Vec<PathBuf> = self.named.iter().chain(&self.searched).filter_map(|path| config(path)).collect();
        configs.iter().try_for_each(|config| self.watch_folder(config))
    }

    /// Watches the folder of a file: editors replace files instead of writing to them.
    fn watch_folder(&mut self, file: &Path) -> Result<(), WatchError> {
        let Some(folder) = file.parent().filter(|folder| folder.is_dir()) else { return Ok(()) };
        let is_watched = self.searched.iter().any(|searched| folder.starts_with(searched));
        if !is_watched && self.folders.insert(folder.to_owned()) {
            self.watcher.watch(folder, RecursiveMode::NonRecursive).map_err(unwatchable)?;
        }
        Ok(())
    }

    /// Watches the folders of files.
    ///
    /// # Errors
    ///
    /// Fails if the system cannot watch them.
    pub fn watch(&mut self, files: &WatchedFiles) -> Result<(), WatchError> {
        files.files.iter().try_for_each(|file| self.watch_folder(file))
    }

    /// Waits until one of the files has changed, or a program or configuration in the folders.
    ///
    /// # Errors
    ///
    /// Fails if the system cannot watch them.
    pub fn wait(&mut self, files: &WatchedFiles) -> Result<(), WatchError> {
        while !self.matters(&self.events.recv().map_err(unwatchable)?.map_err(unwatchable)?, files) {}
        sleep(SETTLE);
        // The next run sees these changes too.
        while self.events.try_recv().is_ok() {}
        self.watch_again()?;
        self.watch_configs()
    }

    /// Watches the folders again that exist. The system follows a folder that is moved away, and not the one in its
    /// place.
    fn watch_again(&mut self) -> Result<(), WatchError> {
        let searched = self.searched.iter().map(|folder| (folder, RecursiveMode::Recursive));
        let folders = self.folders.iter().map(|folder| (folder, RecursiveMode::NonRecursive));
        for (folder, mode) in searched.chain(folders).filter(|(folder, _)| folder.is_dir()) {
            self.watcher.unwatch(folder).ok();
            self.watcher.watch(folder, mode).map_err(unwatchable)?;
        }
        Ok(())
    }

    fn matters(&self, event: &Event, files: &WatchedFiles) -> bool {
        let is_change = event.kind.is_create() || event.kind.is_modify() || event.kind.is_remove();
        let appears = event.kind.is_create() || matches!(event.kind, EventKind::Modify(ModifyKind::Name(_)));
        let matters = |path: &PathBuf| self.is_source(path, files) || appears && self.is_folder_of_programs(path);
        // The system may have missed changes.
        event.need_rescan() || is_change && event.paths.iter().any(matters)
    }

    /// Whether the path is a searched folder with programs. The system reports only the folder if it is moved.
    fn is_folder_of_programs(&self, path: &Path) -> bool {
        self.is_searched(path) && path.is_dir() && has_programs(path)
    }

    fn is_searched(&self, path: &Path) -> bool {
        self.searched.iter().any(|folder| path.starts_with(folder))
    }

    fn is_source(&self, path: &Path, files: &WatchedFiles) -> bool {
        let is_program = || path.extension().is_some_and(|extension| extension == PROGRAM);
        // A folder that is moved or removed takes its files with it.
        let contains = |file: &PathBuf| file.starts_with(path);
        files.files.iter().chain(&self.named).chain(&self.searched).any(contains)
            || path.file_name().is_some_and(|name| name == CONFIG || name == ".gitignore")
            || is_program() && self.is_searched(path)
    }
}

fn unwatchable(error: impl Display) -> WatchError {
    WatchError::Unwatchable(error.to_string())
}
