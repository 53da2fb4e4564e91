//! The facts about files that are not open.
//!
//! A file is checked by its stamp, without reading it. If the stamp has changed, as after a checkout, the facts stay as
//! long as the content is the same.

use std::{
    collections::{HashMap, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use psl_host::{Configs, Stamp, read_regular, with_short_lines};

use super::{
    file_report::FileReport,
    file_symbols::FileSymbols,
    roots::{FilePath, WorkspaceProgram},
};
use crate::{
    config_problem::UnusableConfig,
    document::{Configured, Document, Environment},
    session::Session,
};

/// The facts about files, each kept while the file is unchanged.
#[derive(Default)]
pub struct KnownFiles {
    /// The inputs of all facts.
    environment: Option<Arc<Environment>>,
    files: HashMap<PathBuf, Arc<KnownFile>>,
}

/// The facts about a file, computed on demand.
pub struct KnownFile {
    /// `None` if later changes may go unnoticed.
    stamp: Option<Stamp>,
    config: Configured,
    known: Arc<KnownContent>,
}

/// The facts about a content, with the configuration of its file.
#[derive(Default)]
struct KnownContent {
    /// The length and the hash of the content, once it was read.
    digest: OnceLock<(usize, u64)>,
    /// Whether other content was read later, so that the facts may be about either.
    mixed: AtomicBool,
    symbols: OnceLock<FileSymbols>,
    report: OnceLock<(FileReport, Vec<Prompt>)>,
}

/// A file with a test's prompt, and its stamp if it exists.
type Prompt = (PathBuf, Option<Stamp>);

impl KnownFiles {
    /// Forgets all files except these programs, or all files if the inputs have changed.
    pub fn keep(&mut self, programs: &[WorkspaceProgram], environment: &Arc<Environment>) {
        if self.environment.as_ref().is_none_or(|then| !Arc::ptr_eq(then, environment)) {
            self.files.clear();
            self.environment = Some(Arc::clone(environment));
        }
        let path = |program: &WorkspaceProgram| match program {
            WorkspaceProgram::Open(_) => None,
            WorkspaceProgram::Closed(file) => Some(file.path.clone()),
        };
        let mut files = std::mem::take(&mut self.files);
        self.files = programs.iter().filter_map(path).filter_map(|path| files.remove_entry(&path)).collect();
    }

    /// Returns the facts about a file in its current state.
    pub fn of(&mut self, file: &FilePath, configs: &mut Configs) -> Arc<KnownFile> {
        let stamp = Stamp::of(&file.path);
        let config = configs.of(&file.path).map(|found| Arc::clone(&found.config)).map_err(UnusableConfig::of_file);
        let before = self.files.get(&file.path).filter(|known| known.config == config && known.has_same_prompts());
        if let Some(known) = before.filter(|known| known.stamp.is_some() && known.stamp == stamp) {
            return Arc::clone(known);
        }
        let content = before.filter(|known| known.has_same_content(&file.path)).map(|known| Arc::clone(&known.known));
        let stamp = stamp.filter(Stamp::is_settled);
        let known = Arc::new(KnownFile { stamp, config, known: content.unwrap_or_default() });
        self.files.insert(file.path.clone(), Arc::clone(&known));
        known
    }
}

impl KnownFile {
    fn has_same_prompts(&self) -> bool {
        match self.known.report.get() {
            Some((_, prompts)) => prompts.iter().all(|(path, then)| *then == Stamp::of(path)),
            None => true,
        }
    }

    fn has_same_content(&self, path: &Path) -> bool {
        let Some(then) = self.known.digest.get().filter(|_| !self.known.mixed.load(Ordering::Relaxed)) else {
            return false;
        };
        read_regular(path, self.limit()).is_ok_and(|bytes| digest(&bytes) == *then)
    }

    fn limit(&self) -> u64 {
        self.config.as_ref().map(Arc::clone).unwrap_or_default().max_file_size()
    }

    /// The symbols of the file.
    ///
    /// # Errors
    ///
    /// Returns a message if it cannot be read.
    pub fn symbols(&self, file: &FilePath, session: &Session) -> Result<&FileSymbols, String> {
        if let Some(known) = self.known.symbols.get() {
            return Ok(known);
        }
        let document = self.read(file, session)?;
        Ok(self.known.symbols.get_or_init(|| FileSymbols::of(&document)))
    }

    /// The diagnostics of the file and its tests, or that it cannot be read. `None` if it is gone, such as a file that
    /// was just deleted, or if `cancelled` is set.
    pub fn report(&self, file: &FilePath, session: &Session, cancelled: &AtomicBool) -> Option<FileReport> {
        if let Some((known, _)) = self.known.report.get() {
            return Some(known.clone());
        }
        let document = match self.read(file, session) {
            Ok(document) => document,
            Err(why) => return file.path.symlink_metadata().is_ok().then(|| FileReport::unreadable(&why)),
        };
        let prompts = prompts(&document, &file.path);
        document.run_tests_unless(cancelled);
        if cancelled.load(Ordering::Relaxed) {
            return None;
        }
        let report = FileReport::of(&document);
        // A prompt that has just changed is read again next time.
        if prompts.iter().all(|(_, stamp)| stamp.is_none_or(|stamp| stamp.is_settled())) {
            self.known.report.get_or_init(|| (report.clone(), prompts));
        }
        Some(report)
    }

    fn read(&self, file: &FilePath, session: &Session) -> Result<Document, String> {
        let bytes =
            read_regular(&file.path, self.limit()).and_then(with_short_lines).map_err(|error| error.to_string())?;
        let digest = digest(&bytes);
        if *self.known.digest.get_or_init(|| digest) != digest {
            self.known.mixed.store(true, Ordering::Relaxed);
        }
        Ok(Document::of_bytes(file.uri.clone(), bytes, self.config.clone(), session.environment()))
    }
}

fn digest(bytes: &[u8]) -> (usize, u64) {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    (bytes.len(), hasher.finish())
}

fn prompts(document: &Document, path: &Path) -> Vec<Prompt> {
    let folder = path.parent().unwrap_or(Path::new("."));
    document.file().prompt_files().map(|file| folder.join(file)).map(|path| (path.clone(), Stamp::of(&path))).collect()
}
