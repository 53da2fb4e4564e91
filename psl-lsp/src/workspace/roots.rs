//! The open folders, and the programs that are currently in them.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

use psl_host::{Configs, expand, read_regular, with_short_lines};
use psl_program::config::ConfigProblem;

use crate::{config_problem::UnusableConfig, document::Document, session::Session, uri::Url};

/// The open folders.
#[derive(Clone, Default)]
pub struct Roots {
    folders: Vec<PathBuf>,
}

/// The content of the folders.
pub struct Found {
    /// The programs, each once, sorted by path.
    pub programs: Vec<WorkspaceProgram>,
    /// The configurations of the folders.
    pub configs: Configs,
    /// The `psl.toml`s that cannot be used, by path.
    pub config_problems: BTreeMap<String, Arc<ConfigProblem>>,
    /// Messages about other problems that hide part of the folders.
    pub problems: BTreeSet<String>,
}

/// A program in the folders.
pub enum WorkspaceProgram {
    /// An open document.
    Open(Arc<Document>),
    /// A file that is not open.
    Closed(FilePath),
}

/// A file that is not open.
#[derive(Clone)]
pub struct FilePath {
    /// The path.
    pub path: PathBuf,
    /// The path as a URI.
    pub uri: Url,
}

impl FilePath {
    /// The file of a URI, if it has the extension of a program.
    pub fn of(uri: &Url) -> Option<Self> {
        let path = uri.to_file_path().ok()?;
        path.extension().is_some_and(|extension| extension == "psl").then(|| Self { path, uri: uri.clone() })
    }
}

impl WorkspaceProgram {
    /// The program as a document, which is not kept if it is not open.
    ///
    /// # Errors
    ///
    /// Returns a message if its file cannot be read.
    pub fn document(self, configs: &mut Configs, session: &Session) -> Result<Arc<Document>, String> {
        let FilePath { path, uri } = match self {
            Self::Open(document) => return Ok(document),
            Self::Closed(file) => file,
        };
        let config = configs.of(&path).map(|found| Arc::clone(&found.config)).map_err(UnusableConfig::of_file);
        let limit = config.as_ref().map(Arc::clone).unwrap_or_default().max_file_size();
        let bytes = read_regular(&path, limit).and_then(with_short_lines);
        let bytes = bytes.map_err(|why| format!("cannot read {}: {why}", path.display()))?;
        Ok(Arc::new(Document::of_bytes(uri, bytes, config, session.environment())))
    }
}

impl WorkspaceProgram {
    /// Like [`WorkspaceProgram::document`], for one program.
    ///
    /// # Errors
    ///
    /// Returns a message if its file cannot be read.
    pub fn read(self, session: &Session) -> Result<Arc<Document>, String> {
        self.document(&mut Configs::default(), session)
    }
}

impl Roots {
    /// Adds and removes folders.
    pub fn change(&mut self, added: impl IntoIterator<Item = Url>, removed: impl IntoIterator<Item = Url>) {
        let removed: Vec<_> = removed.into_iter().filter_map(|url| url.to_file_path().ok()).collect();
        self.folders.retain(|folder| !removed.contains(folder));
        for folder in added.into_iter().filter_map(|url| url.to_file_path().ok()) {
            if !self.folders.contains(&folder) {
                self.folders.push(folder);
            }
        }
    }

    /// Whether a path leads into one of the folders, also through links. Blocks on the disk.
    pub fn contain(&self, path: &Path) -> bool {
        // The folder of a file that is gone still decides.
        let resolved = dunce::canonicalize(path).or_else(|_| dunce::canonicalize(path.parent().unwrap_or(path)));
        let is_above = |folder: &PathBuf| {
            let folder = dunce::canonicalize(folder);
            resolved.as_ref().is_ok_and(|path| folder.is_ok_and(|folder| path.starts_with(folder)))
        };
        self.folders.iter().any(is_above)
    }

    /// Searches the folders. Programs whose `psl.toml` cannot be used are included, and links to files elsewhere are
    /// not. Once `cancelled` is set, some are missing.
    pub fn find(&self, session: &Session, cancelled: &AtomicBool) -> Found {
        let mut configs = Configs::default();
        // A file that is given as a folder would hide that file in a folder that is searched.
        let folders: Vec<PathBuf> = self.folders.iter().filter(|folder| folder.is_dir()).cloned().collect();
        // Without paths, the working folder would be searched.
        let found =
            if folders.is_empty() { psl_host::Found::default() } else { expand(&folders, &mut configs, cancelled) };
        let mut paths: Vec<_> = found.files.into_iter().filter(|file| file.searched).map(|file| file.path).collect();
        // Links to anything but a file have a diagnostic.
        paths.retain(|path| !path.is_symlink() || !path.is_file() || self.contain(path));
        paths.sort();
        paths.dedup();
        let of_file = |open: Arc<Document>| Some((open.uri.to_file_path().ok()?, open));
        let mut open: HashMap<PathBuf, Arc<Document>> = session.all().into_iter().filter_map(of_file).collect();
        let program = |path: PathBuf| match open.remove(&path) {
            Some(open) => Some(WorkspaceProgram::Open(open)),
            None => Some(WorkspaceProgram::Closed(FilePath { uri: Url::from_file_path(&path).ok()?, path })),
        };
        Found {
            programs: paths.into_iter().filter_map(program).collect(),
            configs,
            config_problems: found.config_problems,
            problems: found.problems,
        }
    }
}

impl Found {
    /// The open documents that are not among the programs.
    pub fn open_elsewhere(&self, session: &Session) -> Vec<Arc<Document>> {
        let here = |program: &WorkspaceProgram| match program {
            WorkspaceProgram::Open(document) => Some(document.uri.clone()),
            WorkspaceProgram::Closed(_) => None,
        };
        let here: HashSet<Url> = self.programs.iter().filter_map(here).collect();
        session.all().into_iter().filter(|document| !here.contains(&document.uri)).collect()
    }
}
