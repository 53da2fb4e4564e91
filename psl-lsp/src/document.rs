//! One version of a document.
//!
//! Invariant: all facts about a document are computed from one version of its text and never updated. After any
//! sequence of edits they equal those of a fresh server.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use psl_ide::{Proposals, Search, WatchValues, propose};
use psl_program::{Config, File, Prompt, RunHistory, TestReport, diagnostics};
use psl_search::NoSearch;
use psl_syntax::{Checked, Diagnostic};

use crate::{
    client_capabilities::ClientCapabilities,
    config_problem::{UnusableConfig, is_config},
    encoded_text::EncodedText,
    host::Host,
    run_tests::{run_tests, run_tests_unless},
    search_time::SearchTime,
    sent_tokens::SentTokens,
    settings::Settings,
    uri::Url,
};

/// The inputs that all documents share until the client or the user changes them.
pub struct Environment {
    /// The server's host.
    pub host: Arc<dyn Host>,
    /// The client's capabilities.
    pub client: ClientCapabilities,
    /// The user's settings.
    pub settings: Settings,
}

/// The state that the versions of a document share until it is closed.
#[derive(Default)]
pub struct AcrossVersions {
    run_history: Mutex<RunHistory>,
    sent_tokens: Mutex<SentTokens>,
}

/// The settings of a `psl.toml`, or the reason why it cannot be used.
pub type Configured = Result<Arc<Config>, Arc<UnusableConfig>>;

/// A program, and the problem with its `psl.toml`, if there is one.
struct Loaded {
    file: File,
    config_problem: Option<Arc<UnusableConfig>>,
}

/// A prompt and its watched registers, if its run recorded them.
type WatchedRun = (Prompt, Option<Arc<WatchValues>>);

/// One version of a document's text, and the facts derived from it.
pub struct Document {
    /// The document.
    pub uri: Url,
    /// The client's number for this version, or `None` for a file that is not open.
    pub version: Option<i32>,
    /// The text.
    pub text: EncodedText,
    /// Whether a change was lost, so that the editor's text may differ. No facts are reported about such a text.
    pub in_doubt: bool,
    /// The inputs of its facts.
    pub environment: Arc<Environment>,
    across_versions: Arc<AcrossVersions>,
    /// The facts about an earlier version, to save time.
    earlier: Option<Arc<Checked>>,
    loaded: OnceLock<Loaded>,
    report: OnceLock<TestReport>,
    untested_diagnostics: OnceLock<Vec<Diagnostic>>,
    tested_diagnostics: OnceLock<Vec<Diagnostic>>,
    superseded: Arc<AtomicBool>,
    proposals: Mutex<Option<Arc<Proposals>>>,
    watched_run: Mutex<Option<WatchedRun>>,
}

impl Document {
    /// Creates a version without facts.
    pub fn new(uri: Url, version: Option<i32>, text: EncodedText, environment: Arc<Environment>) -> Self {
        Self {
            uri,
            version,
            text,
            in_doubt: false,
            environment,
            across_versions: Arc::default(),
            earlier: None,
            loaded: OnceLock::new(),
            report: OnceLock::new(),
            untested_diagnostics: OnceLock::new(),
            tested_diagnostics: OnceLock::new(),
            superseded: Arc::default(),
            proposals: Mutex::default(),
            watched_run: Mutex::default(),
        }
    }

    /// Creates a file that is not open from its bytes, which may be invalid UTF-8, and its configuration.
    pub fn of_bytes(uri: Url, bytes: Vec<u8>, config: Configured, environment: Arc<Environment>) -> Self {
        let loaded = load(&environment, &uri, config, |config| File::from_bytes(bytes, config));
        let text = EncodedText { text: loaded.file.source_text().clone(), encoding: environment.client.encoding };
        Self { loaded: loaded.into(), ..Self::new(uri, None, text, environment) }
    }

    /// Creates another version of the same document.
    #[must_use]
    pub fn next(&self, version: Option<i32>, text: EncodedText, environment: Arc<Environment>) -> Self {
        let across_versions = Arc::clone(&self.across_versions);
        let known = self.loaded.get().map(|loaded| loaded.file.known());
        Self {
            across_versions,
            in_doubt: self.in_doubt,
            earlier: known.or_else(|| self.earlier.clone()),
            ..Self::new(self.uri.clone(), version, text, environment)
        }
    }

    /// Sets whether a change was lost.
    #[must_use]
    pub fn in_doubt(self, in_doubt: bool) -> Self {
        Self { in_doubt, ..self }
    }

    /// Whether the document is a `psl.toml`. As a program it is empty.
    pub fn is_config(&self) -> bool {
        is_config(&self.uri)
    }

    /// The client's capabilities.
    pub fn client(&self) -> ClientCapabilities {
        self.environment.client
    }

    /// The program. Its configuration and its tests' prompts are read on the first call, which may block.
    pub fn file(&self) -> &File {
        &self.loaded().file
    }

    /// The problem with the document's `psl.toml`, if there is one.
    pub fn config_problem(&self) -> Option<&Arc<UnusableConfig>> {
        self.loaded().config_problem.as_ref()
    }

    fn loaded(&self) -> &Loaded {
        self.loaded.get_or_init(|| {
            if self.is_config() {
                return load(&self.environment, &self.uri, Ok(Arc::default()), |config| File::new("", config));
            }
            let config = self.environment.host.config(&self.uri);
            load(&self.environment, &self.uri, config, |config| {
                File::new(self.text.text.clone(), config).with_earlier(self.earlier.clone())
            })
        })
    }

    /// The results of its tests, if they have run.
    pub fn report(&self) -> Option<&TestReport> {
        self.report.get()
    }

    /// The diagnostics of its program, and of its tests if they have run.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self.report() {
            Some(report) => self.tested_diagnostics.get_or_init(|| diagnostics(self.file(), Some(report))),
            None => self.untested_diagnostics(),
        }
    }

    fn untested_diagnostics(&self) -> &[Diagnostic] {
        self.untested_diagnostics.get_or_init(|| diagnostics(self.file(), None))
    }

    /// Whether its tests have run and changed its diagnostics. The client may have older or newer ones: a request for
    /// the whole workspace also runs the tests.
    pub fn tests_show_more(&self) -> bool {
        self.diagnostics() != self.untested_diagnostics()
    }

    /// Runs its tests unless they have run or it does not compile. A newer version stops them. May block.
    pub fn run_tests(&self) {
        self.test(|file| run_tests(file, &self.superseded));
    }

    /// Like [`Document::run_tests`], with another flag that stops the tests.
    pub fn run_tests_unless(&self, cancelled: &AtomicBool) {
        self.test(|file| run_tests_unless(file, &self.superseded, cancelled));
    }

    fn test(&self, run: impl FnOnce(&File) -> Option<TestReport>) {
        if self.report.get().is_none()
            && let Some(report) = run(self.file())
        {
            // Another thread may have finished first, with the same report.
            self.report.get_or_init(|| report);
        }
    }

    /// The search that would help: for a repair of failed tests, or for what belongs in holes.
    pub fn wanted_search(&self) -> Option<Search> {
        let program = self.file().program();
        let failed = |report: &TestReport| {
            program
                .tests
                .iter()
                .enumerate()
                .any(|(index, test)| report.outcome(index).is_some_and(|outcome| !outcome.passes(test)))
        };
        match self.report() {
            _ if program.tests.is_empty() => None,
            Some(report) => failed(report).then_some(Search::Repair),
            None => self.file().has_only_holes().then_some(Search::Fill),
        }
    }

    /// The results of the last search in this version.
    pub fn proposals(&self) -> Option<Arc<Proposals>> {
        self.proposals.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Searches for proposals, unless they are known, for at most `limit` or until `cancelled` is set. May block.
    ///
    /// # Errors
    ///
    /// Fails if there is nothing to search for.
    pub fn search(
        &self,
        search: Search,
        limit: Duration,
        cancelled: &Arc<AtomicBool>,
    ) -> Result<Arc<Proposals>, NoSearch> {
        let is_enough = |known: &Arc<Proposals>| known.search == search && (known.count > 0 || !known.cut_off);
        if let Some(known) = self.proposals().filter(is_enough) {
            return Ok(known);
        }
        let time = SearchTime::new(self.environment.host.as_ref(), limit, cancelled);
        let found = Arc::new(propose(self.file(), search, &time, cancelled)?);
        *self.proposals.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&found));
        Ok(found)
    }

    /// Marks this version as outdated, which stops its computations.
    pub fn supersede(&self) {
        self.superseded.store(true, Ordering::Relaxed);
    }

    /// Whether the document has a newer version or was closed.
    pub fn is_superseded(&self) -> bool {
        self.superseded.load(Ordering::Relaxed)
    }

    /// The flag that is set when there is a newer version or the document was closed.
    pub fn superseded(&self) -> &Arc<AtomicBool> {
        &self.superseded
    }

    /// The runs of the document.
    pub fn run_history(&self) -> RunHistory {
        self.lock_run_history().clone()
    }

    /// The runs of the document, to record another one.
    pub fn lock_run_history(&self) -> MutexGuard<'_, RunHistory> {
        self.across_versions.run_history.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The semantic tokens last sent to the client.
    pub fn lock_sent_tokens(&self) -> MutexGuard<'_, SentTokens> {
        self.across_versions.sent_tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The watched registers on the prompt that was run last, or on that of the first test. May block.
    pub fn watch_values(&self) -> Option<Arc<WatchValues>> {
        let prompt = self.run_history().usual_prompt(self.file())?;
        let mut last = self.watched_run.lock().unwrap_or_else(PoisonError::into_inner);
        match last.as_ref() {
            Some((of, watched)) if *of == prompt => watched.clone(),
            _ => {
                let watched = WatchValues::new(self.file(), prompt.clone(), &self.superseded).map(Arc::new);
                last.insert((prompt, watched)).1.clone()
            }
        }
    }
}

fn load(environment: &Environment, uri: &Url, config: Configured, file: impl FnOnce(Arc<Config>) -> File) -> Loaded {
    let (mut config, config_problem) = match config {
        Ok(config) => (config, None),
        Err(problem) => (Arc::default(), Some(problem)),
    };
    let configured = Arc::make_mut(&mut config);
    configured.levels = configured.levels.clone().overridden_by(&environment.settings.levels);
    let file = file(config).with_prompts(|path| environment.host.read(uri, path));
    Loaded { file, config_problem }
}
