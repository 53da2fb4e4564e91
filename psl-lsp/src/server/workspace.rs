//! The programs in the folders that the editor has open.

use std::{
    collections::{BTreeSet, HashMap},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use ropey::Rope;
use tower_lsp::lsp_types::Url;

use crate::{
    config::Configs,
    server::documents::{Documents, Snapshot},
    source::{Failure, Found, Source, expand},
    test_prompts::json_files,
};

/// The folders, and what is known of their files.
#[derive(Default)]
pub struct Workspace {
    roots: Mutex<Vec<PathBuf>>,
    files: Mutex<HashMap<PathBuf, File>>,
}

/// A file as it was read last.
struct File {
    stamp: Stamp,
    /// The files that hold its tests' prompts.
    prompts: Vec<(PathBuf, Option<Stamp>)>,
    snapshot: Arc<Snapshot>,
}

impl File {
    fn is_as_read(&self, now: Stamp) -> bool {
        self.stamp == now && self.prompts.iter().all(|(path, then)| *then == stamp(path))
    }
}

/// When a file was changed, and its length: another one of either means another text.
type Stamp = (Option<SystemTime>, u64);

/// Nothing where there is no file.
fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok(), metadata.len()))
}

impl Workspace {
    /// Takes away folders and adds others.
    pub fn change(&self, added: impl IntoIterator<Item = Url>, removed: impl IntoIterator<Item = Url>) {
        let paths = |urls: &mut dyn Iterator<Item = Url>| -> Vec<PathBuf> {
            urls.filter_map(|url| url.to_file_path().ok()).collect()
        };
        let (added, removed) = (paths(&mut added.into_iter()), paths(&mut removed.into_iter()));
        let mut roots = self.roots.lock().unwrap_or_else(PoisonError::into_inner);
        roots.retain(|root| !removed.contains(root));
        for root in added {
            if !roots.contains(&root) {
                roots.push(root);
            }
        }
    }

    /// Forgets what is known of files: their settings may have changed.
    pub fn forget(&self) {
        self.files().clear();
    }

    /// Every program of the folders, each once, in the order of their paths: open ones as the editor has them; and why some
    /// may be missing. Call it where blocking is fine.
    pub fn programs(&self, documents: &Documents) -> (Vec<Arc<Snapshot>>, BTreeSet<String>) {
        let roots = self.roots.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if roots.is_empty() {
            return Default::default();
        }
        let mut configs = Configs::default();
        let Found { files: mut paths, mut problems } = expand(&roots, &mut configs);
        paths.sort();
        paths.dedup();
        let open: HashMap<PathBuf, Arc<Snapshot>> = documents
            .all()
            .into_iter()
            .filter_map(|snapshot| Some((snapshot.uri.to_file_path().ok()?, snapshot)))
            .collect();
        self.files().retain(|path, _| paths.binary_search(path).is_ok());
        let mut programs = Vec::new();
        for path in &paths {
            let program = match open.get(path) {
                Some(open) => Ok(Some(Arc::clone(open))),
                None => self.read(path, &mut configs, documents),
            };
            match program {
                Ok(program) => programs.extend(program),
                Err(Failure::Message(problem)) => drop(problems.insert(problem)),
                Err(_) => {}
            }
        }
        (programs, problems)
    }

    /// A file that is not open; nothing where it is gone, as one that was just deleted.
    fn read(
        &self,
        path: &Path,
        configs: &mut Configs,
        documents: &Documents,
    ) -> Result<Option<Arc<Snapshot>>, Failure> {
        let Some(now) = stamp(path) else { return Ok(None) };
        if let Some(known) = self.files().get(path).filter(|known| known.is_as_read(now)) {
            return Ok(Some(Arc::clone(&known.snapshot)));
        }
        let Ok(uri) = Url::from_file_path(path) else { return Ok(None) };
        let source = Source::read(path, configs)?;
        let (text, encoding) = (Rope::from_str(&source.text), documents.traits().encoding);
        let snapshot = Snapshot::new(uri, None, text, encoding, Arc::default(), documents.settings());
        let snapshot = source.not_utf8.into_iter().fold(snapshot, Snapshot::found_only);
        let folder = path.parent().unwrap_or(Path::new("."));
        let prompts = json_files(&snapshot.checked().analysis.program.tests).map(|file| folder.join(file));
        let prompts = prompts.map(|path| (path.clone(), stamp(&path))).collect();
        self.files().insert(path.to_owned(), File { stamp: now, prompts, snapshot: Arc::clone(&snapshot) });
        Ok(Some(snapshot))
    }

    fn files(&self) -> MutexGuard<'_, HashMap<PathBuf, File>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
