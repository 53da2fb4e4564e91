//! The programs in the folders that the editor has open.

use std::{
    collections::{BTreeSet, HashMap},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use lsp_types::Url;

use crate::{
    disk::{Configs, Found, expand, read},
    document::Document,
    session::Session,
};

/// The folders, and what is known of their files.
#[derive(Default)]
pub struct Workspace {
    roots: Mutex<Vec<PathBuf>>,
    known: Mutex<Known>,
}

/// Files that were read.
#[derive(Default)]
struct Known {
    files: HashMap<PathBuf, ReadFile>,
    /// How often all was forgotten: what was read before that is not kept after it.
    forgotten: usize,
}

/// A file as it was read last.
struct ReadFile {
    stamp: Stamp,
    /// The files that hold its tests' prompts.
    prompts: Vec<(PathBuf, Option<Stamp>)>,
    document: Arc<Document>,
}

impl ReadFile {
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
        let mut known = self.known();
        known.files.clear();
        known.forgotten += 1;
    }

    /// Every program of the folders, each once, in the order of their paths: open ones as the editor has them; and why some
    /// may be missing. Call it where blocking is fine.
    pub fn programs(&self, session: &Session) -> (Vec<Arc<Document>>, BTreeSet<String>) {
        let roots = self.roots.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if roots.is_empty() {
            return Default::default();
        }
        let forgotten = self.known().forgotten;
        let mut configs = Configs::default();
        let Found { files: mut paths, mut problems } = expand(&roots, &mut configs);
        paths.sort();
        paths.dedup();
        let of_file = |open: Arc<Document>| Some((open.uri.to_file_path().ok()?, open));
        let open: HashMap<PathBuf, Arc<Document>> = session.all().into_iter().filter_map(of_file).collect();
        self.known().files.retain(|path, _| paths.binary_search(path).is_ok());
        let mut programs = Vec::new();
        for path in &paths {
            let program = match open.get(path) {
                Some(open) => Ok(Some(Arc::clone(open))),
                None => self.read(path, forgotten, &mut configs, session),
            };
            match program {
                Ok(program) => programs.extend(program),
                Err(problem) => drop(problems.insert(problem)),
            }
        }
        (programs, problems)
    }

    /// A file that is not open, kept unless all was forgotten since; nothing where it is gone, as one that was just deleted.
    fn read(
        &self,
        path: &Path,
        forgotten: usize,
        configs: &mut Configs,
        session: &Session,
    ) -> Result<Option<Arc<Document>>, String> {
        let Some(now) = stamp(path) else { return Ok(None) };
        if let Some(known) = self.known().files.get(path).filter(|known| known.is_as_read(now)) {
            return Ok(Some(Arc::clone(&known.document)));
        }
        let Ok(uri) = Url::from_file_path(path) else { return Ok(None) };
        let limit = configs.of(path)?.config.max_file_size();
        let bytes = read(path, limit).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let document = Arc::new(Document::of_bytes(uri, bytes, session.environment()));
        let folder = path.parent().unwrap_or(Path::new("."));
        let prompts = document.file().prompt_files().map(|file| folder.join(file));
        let prompts = prompts.map(|path| (path.clone(), stamp(&path))).collect();
        let read = ReadFile { stamp: now, prompts, document: Arc::clone(&document) };
        let mut known = self.known();
        if known.forgotten == forgotten {
            known.files.insert(path.to_owned(), read);
        }
        Ok(Some(document))
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, time::Duration};

    use psl_ide::Config;
    use psl_syntax::Code;

    use super::*;
    use crate::host::Host;

    /// A machine on which the settings change while programs are read.
    struct Restless(Option<Arc<Workspace>>);

    impl Host for Restless {
        fn config(&self, _: &Url) -> Result<Arc<Config>, String> {
            if let Some(workspace) = &self.0 {
                workspace.forget();
            }
            Ok(Arc::default())
        }

        fn read(&self, _: &Url, _: &str) -> Result<String, String> {
            Err("there are no files here".to_owned())
        }

        fn locate(&self, _: &Url, _: &str) -> Option<Url> {
            None
        }

        fn diagnostic_docs(&self, _: Code) -> Option<Url> {
            None
        }

        fn clock(&self) -> Duration {
            Duration::ZERO
        }
    }

    /// Whether a file that was read is still known when programs are asked for again.
    fn is_kept(settings_change: bool) -> bool {
        let folder = tempfile::TempDir::new().expect("a folder");
        fs::write(folder.path().join("program.psl"), "# nothing").expect("a file");
        let workspace = Arc::<Workspace>::default();
        workspace.change(Url::from_file_path(folder.path()), []);
        let session = Session::new(Arc::new(Restless(settings_change.then(|| Arc::clone(&workspace)))));
        let [before, after] = [(); 2].map(|()| workspace.programs(&session).0.pop().expect("the program"));
        Arc::ptr_eq(&before, &after)
    }

    #[test]
    fn what_was_read_while_the_settings_changed_is_read_again() {
        assert!(is_kept(false));
        assert!(!is_kept(true));
    }
}
