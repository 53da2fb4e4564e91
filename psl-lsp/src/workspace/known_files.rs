//! What is known of files that are not open.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock, atomic::AtomicBool},
};

use super::{
    file_report::FileReport,
    file_symbols::FileSymbols,
    roots::{FilePath, Program},
};
use crate::{
    disk::{Configs, Stamp, read_regular},
    document::{Configured, Document, Environment},
    session::Session,
};

/// What is known of files, each as long as it stays as it was.
#[derive(Default)]
pub struct KnownFiles {
    /// What all of it was computed with.
    environment: Option<Arc<Environment>>,
    files: HashMap<PathBuf, Arc<KnownFile>>,
}

/// What is known of a file, computed when it is first asked for.
pub struct KnownFile {
    /// Nothing where later changes may not show.
    stamp: Option<Stamp>,
    config: Configured,
    symbols: OnceLock<FileSymbols>,
    report: OnceLock<(FileReport, Vec<Prompt>)>,
}

/// A file that holds the prompt of a test, and its stamp, if it was there.
type Prompt = (PathBuf, Option<Stamp>);

impl KnownFiles {
    /// Forgets all files but these programs, and those too if it was computed with anything else.
    pub fn keep(&mut self, programs: &[Program], environment: &Arc<Environment>) {
        if self.environment.as_ref().is_none_or(|then| !Arc::ptr_eq(then, environment)) {
            self.files.clear();
            self.environment = Some(Arc::clone(environment));
        }
        let path = |program: &Program| match program {
            Program::Open(_) => None,
            Program::Closed(file) => Some(file.path.clone()),
        };
        let mut files = std::mem::take(&mut self.files);
        self.files = programs.iter().filter_map(path).filter_map(|path| files.remove_entry(&path)).collect();
    }

    /// What is known of a file as it is now, perhaps nothing yet.
    pub fn of(&mut self, file: &FilePath, configs: &mut Configs) -> Arc<KnownFile> {
        let stamp = Stamp::of(&file.path);
        let config = configs.of(&file.path).map(|found| Arc::clone(&found.config));
        if let Some(known) = self.files.get(&file.path).filter(|known| known.is_of(stamp, &config)) {
            return Arc::clone(known);
        }
        let stamp = stamp.filter(Stamp::is_settled);
        let known = KnownFile { stamp, config, symbols: OnceLock::new(), report: OnceLock::new() };
        let known = Arc::new(known);
        self.files.insert(file.path.clone(), Arc::clone(&known));
        known
    }
}

impl KnownFile {
    fn is_of(&self, now: Option<Stamp>, config: &Configured) -> bool {
        let same_prompts = || match self.report.get() {
            Some((_, prompts)) => prompts.iter().all(|(path, then)| *then == Stamp::of(path)),
            None => true,
        };
        self.stamp.is_some() && self.stamp == now && self.config == *config && same_prompts()
    }

    /// Its symbols.
    ///
    /// # Errors
    ///
    /// Why it cannot be read, in words.
    pub fn symbols(&self, file: &FilePath, session: &Session) -> Result<&FileSymbols, String> {
        if let Some(known) = self.symbols.get() {
            return Ok(known);
        }
        let document = self.read(file, session)?;
        Ok(self.symbols.get_or_init(|| FileSymbols::of(&document)))
    }

    /// Its diagnostics, its tests run: why it cannot be read is one. Nothing where it is gone, as a file that was just deleted, or
    /// where `cancelled` was set.
    pub fn report(&self, file: &FilePath, session: &Session, cancelled: &AtomicBool) -> Option<FileReport> {
        if let Some((known, _)) = self.report.get() {
            return Some(known.clone());
        }
        let document = match self.read(file, session) {
            Ok(document) => document,
            Err(why) => return file.path.symlink_metadata().is_ok().then(|| FileReport::unreadable(&why)),
        };
        let prompts = prompts(&document, &file.path);
        document.run_tests_unless(cancelled);
        if cancelled.load(std::sync::atomic::Ordering::Relaxed) {
            return None;
        }
        let report = FileReport::of(&document);
        // The next look finds out what a prompt that has just changed has become.
        if prompts.iter().all(|(_, stamp)| stamp.is_none_or(|stamp| stamp.is_settled())) {
            self.report.get_or_init(|| (report.clone(), prompts));
        }
        Some(report)
    }

    fn read(&self, file: &FilePath, session: &Session) -> Result<Document, String> {
        let limit = self.config.as_ref().map(Arc::clone).unwrap_or_default().max_file_size();
        let bytes = read_regular(&file.path, limit).map_err(|error| error.to_string())?;
        Ok(Document::of_bytes(file.uri.clone(), bytes, self.config.clone(), session.environment()))
    }
}

fn prompts(document: &Document, path: &Path) -> Vec<Prompt> {
    let folder = path.parent().unwrap_or(Path::new("."));
    document.file().prompt_files().map(|file| folder.join(file)).map(|path| (path.clone(), Stamp::of(&path))).collect()
}
