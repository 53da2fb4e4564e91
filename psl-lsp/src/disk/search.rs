//! The programs in folders.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use ignore::{DirEntry, WalkBuilder};
use psl_ide::config::MAX_FILE_SIZE;

use super::{
    bounded::{check_regular, without_setting},
    configs::Configs,
};
use crate::config_problem::ConfigProblem;

/// The lists of what a search leaves out. The library that reads them would wait for a pipe.
const IGNORE_FILES: [&str; 3] = [".ignore", ".gitignore", ".git/info/exclude"];

/// What paths stand for.
#[derive(Default)]
pub struct Found {
    /// Files, whether they exist or not.
    pub files: Vec<FoundFile>,
    /// The `psl.toml`s of folders that cannot be used, by path.
    pub config_problems: BTreeMap<String, Arc<ConfigProblem>>,
    /// What else keeps the search from telling what is in a folder, in words.
    pub problems: BTreeSet<String>,
}

/// One of the files that paths stand for.
pub struct FoundFile {
    /// Where it is.
    pub path: PathBuf,
    /// Whether a search came by it, so that nobody has named it.
    pub searched: bool,
    /// Whether a search came by it in vain to tell whether its folder's `psl.toml` leaves it out.
    pub unconfigured: bool,
}

/// The files that paths stand for: folders are searched for `*.psl`, honouring `.gitignore` and what `psl.toml` says of paths;
/// no path means this folder. What is not a file is found too where it is called like one. Once `cancelled` is set, some are
/// missing.
pub fn expand(paths: &[PathBuf], configs: &mut Configs, cancelled: &AtomicBool) -> Found {
    let here = [PathBuf::from(".")];
    let mut all = Found::default();
    for path in if paths.is_empty() { &here } else { paths } {
        if path.is_dir() {
            let start = all.files.len();
            search(path, configs, cancelled, &mut all);
            if let Some(found) = all.files.get_mut(start..) {
                found.sort_by(|one, other| one.path.cmp(&other.path));
            }
        } else {
            all.files.push(FoundFile { path: path.clone(), searched: false, unconfigured: false });
        }
    }
    all
}

/// Searches a folder. Where a list of what to leave out cannot be read, that folder is searched without any.
fn search(folder: &Path, configs: &mut Configs, cancelled: &AtomicBool, all: &mut Found) {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let problems = dunce::canonicalize(&folder).iter().flat_map(|path| path.ancestors()).find_map(unreadable_list);
        let lists = problems.is_none();
        all.problems.extend(problems);
        let apart = Arc::new(Mutex::new(Vec::new()));
        let set_apart = Arc::clone(&apart);
        let mut walk = WalkBuilder::new(&folder);
        walk.require_git(false).parents(lists).ignore(lists).git_ignore(lists).git_exclude(lists);
        walk.filter_entry(move |entry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            let stays = !lists || !is_folder || unreadable_list(entry.path()).is_none();
            if !stays {
                set_apart.lock().unwrap_or_else(PoisonError::into_inner).push(entry.path().to_owned());
            }
            stays
        });
        for entry in walk.build() {
            if cancelled.load(Ordering::Relaxed) {
                return;
            }
            match entry {
                Ok(entry) if is_program(&entry) => all.take(&entry, configs),
                Ok(_) => {}
                Err(error) => drop(all.problems.insert(error.to_string())),
            }
        }
        folders.append(&mut apart.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Found {
    /// Takes a program that a search came by, unless its `psl.toml` leaves it out.
    fn take(&mut self, entry: &DirEntry, configs: &mut Configs) {
        let path = entry.path();
        let unconfigured = match configs.of(path) {
            Ok(config) if config.selects(path) => false,
            Ok(_) => return,
            Err(problem) => {
                self.config_problems.entry(problem.path.clone()).or_insert(problem);
                true
            }
        };
        let path = path.strip_prefix(".").unwrap_or(path).to_owned();
        self.files.push(FoundFile { path, searched: true, unconfigured });
    }
}

/// Whether it is called like a program, and is no folder.
fn is_program(entry: &DirEntry) -> bool {
    let path = entry.path();
    let leads_to_folder = || entry.file_type().is_none_or(|kind| kind.is_dir() || (kind.is_symlink() && path.is_dir()));
    path.extension().is_some_and(|extension| extension == "psl") && !leads_to_folder()
}

/// Why one of a folder's lists of what to leave out cannot be read, in words.
fn unreadable_list(folder: &Path) -> Option<String> {
    IGNORE_FILES.iter().find_map(|name| {
        let path = folder.join(name);
        let error = check_regular(&path, MAX_FILE_SIZE).err()?;
        let is_there = !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
        is_there.then(|| format!("cannot read {}: {}", path.display(), without_setting(&error)))
    })
}
