//! The open documents.
//!
//! Invariant: what is known about a document is computed from a snapshot of its text, never changed along with it; so after
//! any sequence of edits it is what a fresh server would know of the final text.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use psl_syntax::{Checked, Diagnostic, Levels, findings, program::TestPrompt};
use ropey::Rope;
use tower_lsp::lsp_types::{TextDocumentContentChangeEvent, Url};

use crate::{
    config::{Config, Configs},
    evidence::Evidence,
    execute::Runner,
    server::{convert::tokens::Shown, kept::Kept, settings::Settings, watched::Watched},
    test_prompts::{TestPrompts, json_files},
    text::{Encoding, Position, char_index},
};

/// One version of a document's text, and what is known about it.
pub struct Snapshot {
    /// The document.
    pub uri: Url,
    /// The client's number for this version; nothing for a file that is not open.
    pub version: Option<i32>,
    /// The text.
    pub text: Rope,
    /// What columns count in this client.
    pub encoding: Encoding,
    /// What its versions share.
    pub kept: Arc<Kept>,
    /// What the user has set.
    pub settings: Arc<Settings>,
    checked: OnceLock<Checked>,
    found: OnceLock<Vec<Diagnostic>>,
    compiled: OnceLock<Runner>,
    evidence: OnceLock<Evidence>,
    superseded: Arc<AtomicBool>,
    config: OnceLock<Result<Arc<Config>, String>>,
    watched: Mutex<Option<(TestPrompt, Option<Arc<Watched>>)>>,
}

impl Snapshot {
    /// A version of which nothing is known yet.
    pub fn new(
        uri: Url,
        version: Option<i32>,
        text: Rope,
        encoding: Encoding,
        kept: Arc<Kept>,
        settings: Arc<Settings>,
    ) -> Arc<Self> {
        Arc::new(Self {
            uri,
            version,
            text,
            encoding,
            kept,
            settings,
            checked: OnceLock::new(),
            found: OnceLock::new(),
            compiled: OnceLock::new(),
            evidence: OnceLock::new(),
            superseded: Arc::default(),
            config: OnceLock::new(),
            watched: Mutex::default(),
        })
    }

    /// Another text of the same document.
    fn with(&self, version: Option<i32>, text: Rope) -> Arc<Self> {
        let (kept, settings) = (Arc::clone(&self.kept), Arc::clone(&self.settings));
        Self::new(self.uri.clone(), version, text, self.encoding, kept, settings)
    }

    /// The text as read: its tree, names and domains, and what is wrong with those; computed once, by whoever asks first. Call it
    /// where blocking is fine.
    pub fn checked(&self) -> &Checked {
        self.checked.get_or_init(|| psl_syntax::read(&self.text.to_string()))
    }

    /// All that the text tells is wrong with it, in its order.
    pub fn found(&self) -> &[Diagnostic] {
        self.found.get_or_init(|| {
            let checked = self.checked();
            let mut found = checked.diagnostics.clone();
            found.extend(findings(&checked.tree, &checked.analysis));
            found.sort_by_key(|diagnostic| diagnostic.span);
            found
        })
    }

    /// With nothing found but this, whatever the text tells.
    pub fn found_only(self: Arc<Self>, diagnostic: Diagnostic) -> Arc<Self> {
        self.found.get_or_init(|| vec![diagnostic]);
        self
    }

    /// The folder that its file is in, if it has one.
    pub fn folder(&self) -> Option<PathBuf> {
        Some(self.uri.to_file_path().ok()?.parent()?.to_owned())
    }

    /// The names, without their folders, of the files that hold tests' prompts.
    pub fn prompt_files(&self) -> impl Iterator<Item = &str> {
        json_files(&self.checked().analysis.program.tests).filter_map(|file| Path::new(file).file_name()?.to_str())
    }

    /// Whether a test has its prompt in one of these files, as far as file names tell: links and `..` may lead to it.
    pub fn tests_name(&self, files: &[PathBuf]) -> bool {
        self.prompt_files().any(|name| files.iter().any(|file| file.file_name().is_some_and(|file| file == name)))
    }

    /// What `psl.toml` says of the document, or why it can not be used; read once a version. One that has no file is as if
    /// there were none.
    pub fn configured(&self) -> &Result<Arc<Config>, String> {
        self.config.get_or_init(|| match self.uri.to_file_path() {
            Ok(path) => Configs::default().of(&path),
            Err(()) => Ok(Arc::default()),
        })
    }

    /// What `psl.toml` says; nothing where it can not be used.
    fn config(&self) -> Arc<Config> {
        self.configured().clone().unwrap_or_default()
    }

    /// How bad diagnostics are, as the user has set it, or else `psl.toml`.
    pub fn levels(&self) -> Levels {
        self.config().levels.clone().overridden_by(&self.settings.levels)
    }

    /// The program compiled, productions with errors left out, and the prompts that its tests name read.
    pub fn compiled(&self) -> &Runner {
        self.compiled.get_or_init(|| {
            let program = &self.checked().analysis.program;
            let prompts = TestPrompts::read(&program.tests, self.folder().as_deref());
            Runner::new(program).with_stop(self.config().stop.clone()).with_prompts(prompts)
        })
    }

    /// The program ready to run, or why it can not be.
    pub fn runner(&self) -> Result<&Runner, String> {
        match self.checked().diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
            None => Ok(self.compiled()),
            Some(error) => {
                let line = self.position(error.span.start).line + 1;
                Err(format!("line {line}: {}", error.message))
            }
        }
    }

    /// What the file's tests showed, where they have run.
    pub fn evidence(&self) -> Option<&Evidence> {
        self.evidence.get()
    }

    /// Runs the file's tests, if it has any and can be run; a newer version ends that. Call it where blocking is fine.
    pub fn gather_evidence(&self) {
        let tests = &self.checked().analysis.program.tests;
        if self.evidence.get().is_some() {
            return;
        }
        let evidence = if tests.is_empty() {
            Some(Evidence::default())
        } else {
            self.runner().ok().and_then(|runner| Evidence::gather(runner, tests, &self.superseded))
        };
        if let Some(evidence) = evidence {
            // Another thread may have been first; its evidence is the same.
            self.evidence.get_or_init(|| evidence);
        }
    }

    /// Set when there is a newer version.
    pub fn superseded(&self) -> &AtomicBool {
        &self.superseded
    }

    /// The prompt for which the watched registers were asked last, and what they were.
    pub fn lock_watched(&self) -> MutexGuard<'_, Option<(TestPrompt, Option<Arc<Watched>>)>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn supersede(&self) {
        self.superseded.store(true, Ordering::Relaxed);
    }
}

/// All open documents, and what the client said of itself.
#[derive(Default)]
pub struct Documents {
    /// What `initialize` agreed on.
    pub client: OnceLock<ClientTraits>,
    settings: Mutex<Arc<Settings>>,
    open: Mutex<HashMap<Url, Arc<Snapshot>>>,
    shut_down: AtomicBool,
}

/// What matters of a client's capabilities and options.
#[allow(clippy::struct_excessive_bools, reason = "each is a capability of its own")]
#[derive(Clone, Copy, Debug)]
pub struct ClientTraits {
    /// What columns count.
    pub encoding: Encoding,
    /// Whether completions may hold placeholders.
    pub snippets: bool,
    /// Whether it asks for lenses again when told to.
    pub lens_refresh: bool,
    /// Whether it asks for inlay hints again when told to.
    pub hint_refresh: bool,
    /// Whether it asks for diagnostics again when told to.
    pub diagnostic_refresh: bool,
    /// Whether it tells its settings when asked.
    pub configuration: bool,
    /// Whether it tells of changed files when asked to.
    pub watches_files: bool,
    /// Whether it shows how far work is.
    pub progress: bool,
    /// Whether results are also shown as messages.
    pub show_results: bool,
    /// The semantic tokens that it shows.
    pub tokens: Shown,
    /// Whether it shows the symbols of a document as a tree.
    pub nested_symbols: bool,
    /// Whether it folds whole lines only.
    pub folds_lines: bool,
}

impl Default for ClientTraits {
    fn default() -> Self {
        Self {
            encoding: Encoding::Utf16,
            snippets: false,
            lens_refresh: false,
            hint_refresh: false,
            diagnostic_refresh: false,
            configuration: false,
            watches_files: false,
            progress: false,
            show_results: true,
            tokens: Shown::default(),
            nested_symbols: false,
            folds_lines: false,
        }
    }
}

impl Documents {
    /// What the client can do.
    pub fn traits(&self) -> ClientTraits {
        self.client.get().copied().unwrap_or_default()
    }

    /// The newest version of an open document.
    pub fn get(&self, uri: &Url) -> Option<Arc<Snapshot>> {
        self.lock().get(uri).cloned()
    }

    /// The newest version of every open document, in the order of their URIs.
    pub fn all(&self) -> Vec<Arc<Snapshot>> {
        let mut all: Vec<_> = self.lock().values().cloned().collect();
        all.sort_by(|one, other| one.uri.cmp(&other.uri));
        all
    }

    /// Whether this is the newest version of its document.
    pub fn is_current(&self, snapshot: &Arc<Snapshot>) -> bool {
        self.lock().get(&snapshot.uri).is_some_and(|newest| Arc::ptr_eq(newest, snapshot))
    }

    /// What the user has set.
    pub fn settings(&self) -> Arc<Settings> {
        Arc::clone(&self.settings.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Opens a document.
    pub fn open(&self, uri: Url, version: i32, text: &str) -> Arc<Snapshot> {
        let (text, encoding) = (Rope::from_str(text), self.traits().encoding);
        let snapshot = Snapshot::new(uri, Some(version), text, encoding, Arc::default(), self.settings());
        put(&mut self.lock(), snapshot)
    }

    /// Applies edits, each to the text that the one before it left; nothing where the document is not open.
    pub fn change(
        &self,
        uri: &Url,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    ) -> Option<Arc<Snapshot>> {
        let mut open = self.lock();
        let old = open.get(uri)?;
        let mut text = old.text.clone();
        for change in changes {
            apply(&mut text, &change, old.encoding);
        }
        let snapshot = old.with(Some(version), text);
        Some(put(&mut open, snapshot))
    }

    /// Closes a document.
    pub fn close(&self, uri: &Url) {
        if let Some(old) = self.lock().remove(uri) {
            old.supersede();
        }
    }

    /// Forgets what is known about a document, but for its text: its `psl.toml` may have changed.
    pub fn renew(&self, uri: &Url) -> Option<Arc<Snapshot>> {
        let mut open = self.lock();
        let old = open.get(uri)?;
        let snapshot = Snapshot::new(
            uri.clone(),
            old.version,
            old.text.clone(),
            old.encoding,
            Arc::clone(&old.kept),
            self.settings(),
        );
        Some(put(&mut open, snapshot))
    }

    /// Takes the user's settings.
    pub fn set(&self, settings: Settings) {
        *self.settings.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(settings);
    }

    /// Notes the `shutdown` request.
    pub fn shut_down(&self) {
        self.shut_down.store(true, Ordering::Release);
    }

    /// Whether there was a `shutdown` request.
    pub fn is_shut_down(&self) -> bool {
        self.shut_down.load(Ordering::Acquire)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Url, Arc<Snapshot>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Puts a version in the place of the one before.
fn put(open: &mut HashMap<Url, Arc<Snapshot>>, snapshot: Arc<Snapshot>) -> Arc<Snapshot> {
    if let Some(old) = open.insert(snapshot.uri.clone(), Arc::clone(&snapshot)) {
        old.supersede();
        // What is known of a long text takes milliseconds to take apart, and the next message waits.
        rayon::spawn(move || drop(old));
    }
    snapshot
}

fn apply(text: &mut Rope, change: &TextDocumentContentChangeEvent, encoding: Encoding) {
    let Some(range) = change.range else {
        *text = Rope::from_str(&change.text);
        return;
    };
    let index = |place: tower_lsp::lsp_types::Position| {
        let place = Position { line: place.line as usize, column: place.character as usize };
        char_index(text, place, encoding)
    };
    let (start, end) = (index(range.start), index(range.end));
    let (start, end) = (start.min(end), start.max(end));
    text.remove(start..end);
    text.insert(start, &change.text);
}

#[cfg(test)]
mod tests {
    use tower_lsp::lsp_types::Range;

    use super::*;

    /// Applies edits `(start line, column, end line, column, text)` to a text, columns in UTF-16.
    fn check(before: &str, edits: &[(u32, u32, u32, u32, &str)], after: &str) {
        let documents = Documents::default();
        let uri = Url::parse("untitled:1").expect("a URI");
        documents.open(uri.clone(), 1, before);
        let place = |line, character| tower_lsp::lsp_types::Position { line, character };
        let changes = edits
            .iter()
            .map(|&(line, column, end_line, end_column, text)| TextDocumentContentChangeEvent {
                range: Some(Range { start: place(line, column), end: place(end_line, end_column) }),
                range_length: None,
                text: text.to_owned(),
            })
            .collect();
        documents.change(&uri, 2, changes);
        let snapshot = documents.get(&uri).expect("it is open");
        assert_eq!((snapshot.text.to_string().as_str(), snapshot.version), (after, Some(2)));
    }

    #[test]
    fn edits_apply_one_after_the_other() {
        check("ab\ncd", &[(0, 1, 0, 2, "x\n"), (1, 0, 2, 1, "y")], "ax\nyd");
        check("😀b", &[(0, 2, 0, 3, "c"), (0, 0, 0, 2, "é")], "éc");
        check("a\r\nb", &[(0, 9, 1, 0, " ")], "a b");
        check("a", &[(7, 7, 9, 9, "b"), (0, 1, 0, 0, "")], "b");
    }
}
