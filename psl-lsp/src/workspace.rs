//! The programs in the editor's open folders.
//!
//! Invariants: for a file that is not open, only the data for answers is kept, and only while the file, its `psl.toml`,
//! its tests' prompt files and the settings are unchanged. A path that cannot be read fails alone. Everything here
//! blocks on files and tests, and checks before each file whether it was cancelled.

mod answer;
mod file_report;
mod file_symbols;
mod known_files;
mod roots;
#[cfg(test)]
mod tests;
mod tests_answer;

use std::{
    collections::VecDeque,
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::uri::Url;
use answer::Answer;
pub use answer::WorkspaceDiagnostics;
use file_report::FileReport;
use file_symbols::FileSymbols;
use gen_lsp_types::{PreviousResultId, SymbolInformation};
use known_files::KnownFiles;
use psl_ide::{SymbolSearch, rename_prompt_files};
use psl_program::Progress;
use roots::Found;
pub use roots::{FilePath, Roots, WorkspaceProgram};
use tests_answer::TestsAnswer;
pub use tests_answer::WorkspaceTests;

use psl_syntax::diagnostic::Edit;

use crate::{
    commands::{TestCounts, Tested, known_tests, run_tests},
    document::Document,
    refusal::Refusal,
    renames::Renames,
    session::Session,
};

/// Maximum number of symbols to find, best matches first. Editors show far fewer, and ask again for a longer query.
pub const MAX_SYMBOLS: usize = 1_000;

/// Length of an answer in bytes of JSON after which no further diagnostics are added. A client that asks again names
/// the results that it has, and gets those of the next files.
pub const MAX_DIAGNOSTICS: usize = 8 << 20;

/// Length of an answer in bytes of JSON after which no further tests are added.
const MAX_TESTS: usize = 8 << 20;

/// The unit of progress.
const PROGRAMS: &str = "programs";

/// Maximum number of closed documents to remember.
const MAX_CLOSED: usize = 1_000;

/// The open folders, and the facts about their files.
#[derive(Default)]
pub struct Workspace {
    roots: Mutex<Roots>,
    known: Mutex<KnownFiles>,
    /// The documents that were closed last.
    closed: Mutex<VecDeque<Url>>,
}

impl Workspace {
    /// Adds and removes folders.
    pub fn change(&self, added: impl IntoIterator<Item = Url>, removed: impl IntoIterator<Item = Url>) {
        self.roots.lock().unwrap_or_else(PoisonError::into_inner).change(added, removed);
    }

    /// Whether a path leads into one of the folders, also through links.
    pub fn contains(&self, path: &Path) -> bool {
        self.roots().contain(path)
    }

    /// Records that a document was closed. Visual Studio Code keeps showing the diagnostics of a closed document until
    /// they are cleared, and does not name them when it asks.
    pub fn closed(&self, uri: &Url) {
        let mut closed = self.lock_closed();
        closed.retain(|other| other != uri);
        closed.push_back(uri.clone());
        let old = closed.len().saturating_sub(MAX_CLOSED);
        closed.drain(..old);
    }

    /// Forgets the facts about files.
    pub fn forget(&self) {
        *self.lock_known() = KnownFiles::default();
    }

    /// Returns the symbols of open documents and of the folders' programs that match a query, best matches first, at
    /// most [`MAX_SYMBOLS`]. Fewer once `cancelled` is set.
    pub fn symbols(&self, session: &Session, query: &str, cancelled: &AtomicBool) -> Vec<SymbolInformation> {
        let mut found = self.find(session, cancelled);
        let elsewhere = found.open_elsewhere(session).into_iter().map(WorkspaceProgram::Open);
        let programs = std::mem::take(&mut found.programs).into_iter().chain(elsewhere);
        let mut search = SymbolSearch::new(query, MAX_SYMBOLS);
        let newer_kinds = session.client().newer_workspace_symbols;
        for program in programs {
            if cancelled.load(Ordering::Relaxed) {
                break;
            }
            match program {
                WorkspaceProgram::Open(document) => {
                    FileSymbols::of(&document).offer(&document.uri, newer_kinds, &mut search);
                }
                WorkspaceProgram::Closed(file) => {
                    let known = self.lock_known().of(&file, &mut found.configs);
                    // The reason why a program cannot be read is a diagnostic.
                    if let Ok(symbols) = known.symbols(&file, session) {
                        symbols.offer(&file.uri, newer_kinds, &mut search);
                    }
                }
            }
        }
        search.best()
    }

    /// Returns the diagnostics of the folders' programs, including their tests, and of their `psl.toml`s; see
    /// [`MAX_DIAGNOSTICS`]. `previous` names the results that the client has. Once `progress` is cancelled, some are
    /// missing.
    pub fn diagnostics(
        &self,
        session: &Session,
        previous: Vec<PreviousResultId>,
        progress: &Progress,
    ) -> WorkspaceDiagnostics {
        let mut found = self.find(session, &progress.cancelled);
        progress.expect(found.programs.len(), PROGRAMS);
        let closed = self.lock_closed().clone();
        let mut answer = Answer::new(previous, closed, MAX_DIAGNOSTICS, Arc::clone(&session.environment().host));
        for problem in found.config_problems.values() {
            // The editor requests those of an open `psl.toml` separately.
            if let Ok(uri) = Url::from_file_path(&problem.file)
                && session.get(&uri).is_none()
            {
                answer.add(&uri, None, &FileReport::of_config(problem, session.client().encoding));
            }
        }
        for (done, program) in std::mem::take(&mut found.programs).into_iter().enumerate() {
            progress.reach(done);
            if progress.is_cancelled() {
                break;
            }
            match program {
                WorkspaceProgram::Open(document) => {
                    document.run_tests_unless(&progress.cancelled);
                    answer.add(&document.uri, document.version, &FileReport::of(&document));
                }
                WorkspaceProgram::Closed(file) => {
                    let known = self.lock_known().of(&file, &mut found.configs);
                    if let Some(report) = known.report(&file, session, &progress.cancelled) {
                        answer.add(&file.uri, None, &report);
                    }
                }
            }
        }
        if !progress.is_cancelled() {
            answer.clear_others(session);
        }
        answer.end(found.problems)
    }

    /// Returns the tests of the folders' programs with their results, after running them if `run` is set; see
    /// [`MAX_TESTS`]. Tests of a program that does not compile do not run, and a program that cannot be read has none.
    /// Once `progress` is cancelled, some are missing.
    ///
    /// # Errors
    ///
    /// Fails only if the server has a defect.
    pub fn tests(&self, session: &Session, run: bool, progress: &Progress) -> Result<WorkspaceTests, Refusal> {
        let mut found = self.find(session, &progress.cancelled);
        progress.expect(found.programs.len(), PROGRAMS);
        let mut answer = TestsAnswer::new(MAX_TESTS);
        let mut programs = std::mem::take(&mut found.programs).into_iter().enumerate();
        while !answer.is_full()
            && !progress.is_cancelled()
            && let Some((done, program)) = programs.next()
        {
            progress.reach(done);
            // A program that cannot be read or is in doubt has a diagnostic.
            let document = program.document(&mut found.configs, session).ok().filter(|document| !document.in_doubt);
            let Some(document) = document else { continue };
            let tested = if run { run_tests(&document, progress, |_| {}) } else { Err(Refusal::Cancelled) };
            let Tested { listed, counts } = tested.unwrap_or_else(|_| {
                let listed = known_tests(&document);
                let failed = if run { listed.len() } else { 0 };
                Tested { listed, counts: TestCounts { passed: 0, failed } }
            });
            answer.add(&document.uri, &listed, counts)?;
        }
        Ok(answer.end(programs.len(), found.problems))
    }

    /// Returns the programs whose tests name other prompt files after renames, each with its edits: those of the
    /// folders and the open ones. Fewer once `cancelled` is set.
    pub fn renamed(
        &self,
        session: &Session,
        renames: &Renames,
        cancelled: &AtomicBool,
    ) -> Vec<(Arc<Document>, Vec<Edit>)> {
        let mut found = self.find(session, cancelled);
        let elsewhere = found.open_elsewhere(session).into_iter().map(WorkspaceProgram::Open);
        let programs = std::mem::take(&mut found.programs).into_iter().chain(elsewhere);
        let edits = |program: WorkspaceProgram| {
            let document = program.document(&mut found.configs, session).ok().filter(|document| !document.in_doubt)?;
            // Most programs have no such test, and need not be parsed.
            let path = document.uri.to_file_path().ok().filter(|_| document.file().text().contains("json"))?;
            let edits = rename_prompt_files(document.file(), |prompt| renames.new_path(&path, prompt));
            (!edits.is_empty()).then_some((document, edits))
        };
        programs.take_while(|_| !cancelled.load(Ordering::Relaxed)).filter_map(edits).collect()
    }

    /// Finds the current programs and forgets the facts about others.
    fn find(&self, session: &Session, cancelled: &AtomicBool) -> Found {
        let found = self.roots().find(session, cancelled);
        if !cancelled.load(Ordering::Relaxed) {
            self.lock_known().keep(&found.programs, &session.environment());
        }
        found
    }

    /// The folders at this moment.
    fn roots(&self) -> Roots {
        self.roots.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn lock_closed(&self) -> MutexGuard<'_, VecDeque<Url>> {
        self.closed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_known(&self) -> MutexGuard<'_, KnownFiles> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
