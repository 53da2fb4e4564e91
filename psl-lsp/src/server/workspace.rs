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
    snapshot: Arc<Snapshot>,
}

/// When a file was changed, and its length: another one of either means another text.
type Stamp = (Option<SystemTime>, u64);

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
        let Ok(metadata) = std::fs::metadata(path) else { return Ok(None) };
        let stamp = (metadata.modified().ok(), metadata.len());
        if let Some(known) = self.files().get(path).filter(|known| known.stamp == stamp) {
            return Ok(Some(Arc::clone(&known.snapshot)));
        }
        let Ok(uri) = Url::from_file_path(path) else { return Ok(None) };
        let source = Source::read(path, configs)?;
        let (text, encoding) = (Rope::from_str(&source.text), documents.traits().encoding);
        let snapshot = Snapshot::new(uri, None, text, encoding, Arc::default(), documents.settings());
        let snapshot = source.not_utf8.into_iter().fold(snapshot, Snapshot::found_only);
        self.files().insert(path.to_owned(), File { stamp, snapshot: Arc::clone(&snapshot) });
        Ok(Some(snapshot))
    }

    fn files(&self) -> MutexGuard<'_, HashMap<PathBuf, File>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
