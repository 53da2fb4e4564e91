//! One version of a document.
//!
//! Invariant: what is known about a document is computed from a version of its text, never changed along with it; so after any
//! sequence of edits it is what a fresh server would know of the final text.

use std::sync::{
    Arc, Mutex, MutexGuard, OnceLock, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use lsp_types::Url;
use psl_ide::{Config, File, RunHistory, TestReport, WatchValues};
use psl_syntax::{Checked, program::TestPrompt};

use crate::{
    client_capabilities::ClientCapabilities,
    config_problem::{ConfigProblem, is_config},
    encoding::EncodedText,
    host::Host,
    run_tests::{run_tests, run_tests_unless},
    sent_tokens::SentTokens,
    settings::Settings,
};

/// What a server computes with: the same for all documents until the client or the user changes it.
pub struct Environment {
    /// The machine that the server runs on.
    pub host: Arc<dyn Host>,
    /// What the client can do.
    pub client: ClientCapabilities,
    /// What the user has set.
    pub settings: Settings,
}

/// What the versions of a document share until it is closed.
#[derive(Default)]
pub struct AcrossVersions {
    run_history: Mutex<RunHistory>,
    sent_tokens: Mutex<SentTokens>,
}

/// What a `psl.toml` says, or why it cannot be used.
pub type Configured = Result<Arc<Config>, Arc<ConfigProblem>>;

/// A program, and why its `psl.toml` cannot be used, where it cannot.
struct Loaded {
    file: File,
    config_problem: Option<Arc<ConfigProblem>>,
}

/// A prompt and the watched registers on it, if its run gave them.
type WatchedRun = (TestPrompt, Option<Arc<WatchValues>>);

/// One version of a document's text, and what is known about it.
pub struct Document {
    /// The document.
    pub uri: Url,
    /// The client's number for this version; nothing for a file that is not open.
    pub version: Option<i32>,
    /// The text.
    pub text: EncodedText,
    /// Whether a change was lost, so that the editor may show another text: nothing is told about this one.
    pub in_doubt: bool,
    /// What it is computed with.
    pub environment: Arc<Environment>,
    across_versions: Arc<AcrossVersions>,
    /// What is known of an earlier version, which saves time.
    earlier: Option<Arc<Checked>>,
    loaded: OnceLock<Loaded>,
    report: OnceLock<TestReport>,
    superseded: AtomicBool,
    watched_run: Mutex<Option<WatchedRun>>,
}

impl Document {
    /// A version of a document of which nothing is known yet.
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
            superseded: AtomicBool::new(false),
            watched_run: Mutex::default(),
        }
    }

    /// A file that is not open, from its bytes, which need not be UTF-8, and what its `psl.toml` says.
    pub fn of_bytes(uri: Url, bytes: Vec<u8>, config: Configured, environment: Arc<Environment>) -> Self {
        let loaded = load(&environment, &uri, config, |config| File::from_bytes(bytes, config));
        let text = EncodedText::new(loaded.file.text(), environment.client.encoding);
        Self { loaded: loaded.into(), ..Self::new(uri, None, text, environment) }
    }

    /// Another version of the same document.
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

    /// The version, with a change lost or not.
    #[must_use]
    pub fn in_doubt(self, in_doubt: bool) -> Self {
        Self { in_doubt, ..self }
    }

    /// Whether it is a `psl.toml`. As a program it is empty.
    pub fn is_config(&self) -> bool {
        is_config(&self.uri)
    }

    /// What the client can do.
    pub fn client(&self) -> ClientCapabilities {
        self.environment.client
    }

    /// The program; its configuration and its tests' prompts are read when it is first asked for. Call it where blocking is fine.
    pub fn file(&self) -> &File {
        &self.loaded().file
    }

    /// Why the document's `psl.toml` cannot be used, where it cannot.
    pub fn config_problem(&self) -> Option<&Arc<ConfigProblem>> {
        self.loaded().config_problem.as_ref()
    }

    fn loaded(&self) -> &Loaded {
        self.loaded.get_or_init(|| {
            if self.is_config() {
                return load(&self.environment, &self.uri, Ok(Arc::default()), |config| File::new("", config));
            }
            let config = self.environment.host.config(&self.uri);
            load(&self.environment, &self.uri, config, |config| {
                File::new(String::from(&self.text), config).with_earlier(self.earlier.clone())
            })
        })
    }

    /// What its tests showed, where they have run.
    pub fn report(&self) -> Option<&TestReport> {
        self.report.get()
    }

    /// Runs its tests, unless they have run or it does not compile; a newer version ends that. Call it where blocking is fine.
    pub fn run_tests(&self) {
        self.test(|file| run_tests(file, &self.superseded));
    }

    /// As [`Document::run_tests`], for somebody who may not want that any more.
    pub fn run_tests_unless(&self, cancelled: &AtomicBool) {
        self.test(|file| run_tests_unless(file, &self.superseded, cancelled));
    }

    fn test(&self, run: impl FnOnce(&File) -> Option<TestReport>) {
        if self.report.get().is_none()
            && let Some(report) = run(self.file())
        {
            // Another thread may have been first; its report is the same.
            self.report.get_or_init(|| report);
        }
    }

    /// Notes that there is a newer version: nobody wants what is computed of this one.
    pub fn supersede(&self) {
        self.superseded.store(true, Ordering::Relaxed);
    }

    /// Whether there is a newer version, or the document was closed.
    pub fn is_superseded(&self) -> bool {
        self.superseded.load(Ordering::Relaxed)
    }

    /// The runs of the document so far.
    pub fn run_history(&self) -> RunHistory {
        self.lock_run_history().clone()
    }

    /// The runs of the document, for noting another.
    pub fn lock_run_history(&self) -> MutexGuard<'_, RunHistory> {
        self.across_versions.run_history.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The semantic tokens that the client was sent last.
    pub fn lock_sent_tokens(&self) -> MutexGuard<'_, SentTokens> {
        self.across_versions.sent_tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The watched registers on the prompt that was run last, else on that of the first test. Call it where blocking is fine.
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
