//! Searches folders for programs.

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
use psl_program::config::{ConfigProblem, MAX_CONFIG_SIZE, check_pattern};

use crate::{
    bounded::{read_regular, without_setting},
    configs::Configs,
};

/// Maximum number of patterns in an ignore file.
const MAX_IGNORE_PATTERNS: usize = 10_000;

/// The files with ignore patterns. The library that reads them would block on a pipe, and overflows the stack on
/// patterns of thousands of `{`.
const IGNORE_FILES: [&str; 3] = [".ignore", ".gitignore", ".git/info/exclude"];

/// The result of a search.
#[derive(Default)]
pub struct Found {
    /// The files, whether they exist or not.
    pub files: Vec<FoundFile>,
    /// The `psl.toml`s that cannot be used, by path.
    pub config_problems: BTreeMap<String, Arc<ConfigProblem>>,
    /// Messages about other problems that hide part of a folder.
    pub problems: BTreeSet<String>,
}

/// A file that was found.
pub struct FoundFile {
    pub path: PathBuf,
    /// Whether a search found it, rather than a user naming it.
    pub searched: bool,
    /// Whether a search found it but could not use its `psl.toml` to decide whether to include it.
    pub unconfigured: bool,
}

/// Returns the files at some paths. Folders are searched for `*.psl`, respecting `.gitignore` and the patterns in
/// `psl.toml`. Without a path, the current folder is searched. Other files with the extension `.psl`, such as pipes,
/// are found too. Once `cancelled` is set, some files are missing.
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
    // A file that is found twice is read once. A file alone cannot be.
    if paths.len() > 1 {
        let mut seen = BTreeSet::new();
        all.files.retain(|file| seen.insert(in_folder(&file.path).unwrap_or_else(|| file.path.clone())));
    }
    all
}

/// Searches a folder. If one of its ignore files cannot be read, the folder is searched without any.
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

/// Whether a folder has programs, apart from those that ignore files exclude.
pub fn has_programs(folder: &Path) -> bool {
    WalkBuilder::new(folder).require_git(false).build().flatten().any(|entry| is_program(&entry))
}

/// The path with the links in its folder resolved, but not itself.
pub fn in_folder(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(dunce::canonicalize(folder).ok()?.join(path.file_name()?))
}

impl Found {
    /// Adds a program that a search found, unless its `psl.toml` excludes it.
    fn take(&mut self, entry: &DirEntry, configs: &mut Configs) {
        let path = entry.path();
        let unconfigured = match configs.of(path) {
            Ok(config) if config.selects(path) => false,
            Ok(_) => return,
            Err(problem) => {
                self.config_problems.entry(problem.shown.clone()).or_insert(problem);
                true
            }
        };
        let path = path.strip_prefix(".").unwrap_or(path).to_owned();
        self.files.push(FoundFile { path, searched: true, unconfigured });
    }
}

/// Whether the entry has the extension of a program and is not a folder.
fn is_program(entry: &DirEntry) -> bool {
    let path = entry.path();
    let leads_to_folder = || entry.file_type().is_none_or(|kind| kind.is_dir() || (kind.is_symlink() && path.is_dir()));
    path.extension().is_some_and(|extension| extension == "psl") && !leads_to_folder()
}

/// The message if one of a folder's ignore files cannot be read, or has patterns that cannot be compiled.
fn unreadable_list(folder: &Path) -> Option<String> {
    IGNORE_FILES.iter().find_map(|name| {
        let path = folder.join(name);
        let why = match read_regular(&path, MAX_CONFIG_SIZE) {
            Ok(text) => wrong_list(&text)?,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return None;
            }
            Err(error) => without_setting(&error),
        };
        Some(format!("cannot read {}: {why}", path.display()))
    })
}

/// The message if an ignore file has patterns that are too many or too large.
fn wrong_list(text: &[u8]) -> Option<String> {
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    let is_pattern = |line: &[u8]| !line.starts_with(b"#") && !line.trim_ascii().is_empty();
    let patterns = || text.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| is_pattern(line));
    if patterns().count() > MAX_IGNORE_PATTERNS {
        return Some("it has more than 10,000 patterns".to_owned());
    }
    patterns().find_map(|(line, pattern)| {
        let message = check_pattern(pattern).err()?;
        Some(format!("line {}: {message}", line + 1))
    })
}
