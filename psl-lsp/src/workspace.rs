//! The programs in the folders that the editor has open.
//!
//! Invariants: of a file that is not open nothing is kept but what answers are made of, and only while the file, its `psl.toml`,
//! the files with its tests' prompts and the settings stay as they were. A path that cannot be read costs itself. Everything here
//! blocks, on files and on tests, and looks before each file whether it was cancelled.

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
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use answer::Answer;
pub use answer::WorkspaceDiagnostics;
use file_report::FileReport;
use file_symbols::FileSymbols;
use known_files::KnownFiles;
use lsp_types::{PreviousResultId, SymbolInformation, Url};
use psl_ide::{Progress, SymbolSearch};
use roots::Found;
pub use roots::{FilePath, Program, Roots};
use tests_answer::TestsAnswer;
pub use tests_answer::WorkspaceTests;

use crate::{
    commands::{TestCounts, Tested, known_tests, run_tests},
    refusal::Refusal,
    session::Session,
};

/// As many symbols are found at most, the best matches: editors show far fewer, and ask again with more letters.
pub const MAX_SYMBOLS: usize = 1_000;

/// An answer ends with the file whose diagnostics make it as long as this, in bytes of JSON. A client that asks again says which
/// it has, and gets those of the next files; what it has costs as little as saying so.
pub const MAX_DIAGNOSTICS: usize = 8 << 20;

/// An answer ends with the program whose tests make it as long as this, in bytes of JSON.
const MAX_TESTS: usize = 8 << 20;

/// What is counted where work on programs is shown.
const PROGRAMS: &str = "programs";

/// So many closed documents are remembered.
const MAX_CLOSED: usize = 1_000;

/// The folders, and what is known of their files.
#[derive(Default)]
pub struct Workspace {
    roots: Mutex<Roots>,
    known: Mutex<KnownFiles>,
    /// The documents that were closed last.
    closed: Mutex<VecDeque<Url>>,
}

impl Workspace {
    /// Takes away folders and adds others.
    pub fn change(&self, added: impl IntoIterator<Item = Url>, removed: impl IntoIterator<Item = Url>) {
        self.roots.lock().unwrap_or_else(PoisonError::into_inner).change(added, removed);
    }

    /// Notes that a document was closed. Visual Studio Code goes on showing what it was told of one until it is told otherwise, and
    /// does not say so when it asks.
    pub fn closed(&self, uri: &Url) {
        let mut closed = self.lock_closed();
        closed.retain(|other| other != uri);
        closed.push_back(uri.clone());
        let old = closed.len().saturating_sub(MAX_CLOSED);
        closed.drain(..old);
    }

    /// Forgets what is known of files.
    pub fn forget(&self) {
        *self.lock_known() = KnownFiles::default();
    }

    /// The symbols of open documents and of the folders' programs whose names match a query, the best matches first,
    /// [`MAX_SYMBOLS`] at most; fewer once `cancelled` is set.
    pub fn symbols(&self, session: &Session, query: &str, cancelled: &AtomicBool) -> Vec<SymbolInformation> {
        let mut found = self.find(session, cancelled);
        let elsewhere = found.open_elsewhere(session).into_iter().map(Program::Open);
        let programs = std::mem::take(&mut found.programs).into_iter().chain(elsewhere);
        let mut search = SymbolSearch::new(query, MAX_SYMBOLS);
        for program in programs {
            if cancelled.load(Ordering::Relaxed) {
                break;
            }
            match program {
                Program::Open(document) => FileSymbols::of(&document).offer(&document.uri, &mut search),
                Program::Closed(file) => {
                    let known = self.lock_known().of(&file, &mut found.configs);
                    // Why a program cannot be read is a diagnostic.
                    if let Ok(symbols) = known.symbols(&file, session) {
                        symbols.offer(&file.uri, &mut search);
                    }
                }
            }
        }
        search.best()
    }

    /// The diagnostics of the folders' programs and of their `psl.toml`s, each program's tests run; see [`MAX_DIAGNOSTICS`].
    /// `previous` says what the client has. Once the progress is cancelled, some are missing.
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
            // The editor asks for those of an open one by themselves.
            if let Some(uri) = &problem.uri
                && session.get(uri).is_none()
            {
                answer.add(uri, None, &FileReport::of_config(problem, session.client().encoding));
            }
        }
        for (done, program) in std::mem::take(&mut found.programs).into_iter().enumerate() {
            progress.reach(done);
            if progress.is_cancelled() {
                break;
            }
            match program {
                Program::Open(document) => {
                    document.run_tests_unless(&progress.cancelled);
                    answer.add(&document.uri, document.version, &FileReport::of(&document));
                }
                Program::Closed(file) => {
                    let known = self.lock_known().of(&file, &mut found.configs);
                    if let Some(report) = known.report(&file, session, &progress.cancelled) {
                        answer.add(&file.uri, None, &report);
                    }
                }
            }
        }
        if !progress.is_cancelled() {
            answer.take_away_others(session);
        }
        answer.end(found.problems)
    }

    /// The tests of the folders' programs, run if `run`, else with what is known of them; see [`MAX_TESTS`]. Those of a program
    /// that does not compile do not run, and one that cannot be read has none. Once the progress is cancelled, some are missing.
    ///
    /// # Errors
    ///
    /// A defect of the server.
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
            // Why a program cannot be read, or is in doubt, is a diagnostic.
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

    /// The programs as they are now; what is known of others is forgotten.
    fn find(&self, session: &Session, cancelled: &AtomicBool) -> Found {
        let roots = self.roots.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let found = roots.find(session, cancelled);
        if !cancelled.load(Ordering::Relaxed) {
            self.lock_known().keep(&found.programs, &session.environment());
        }
        found
    }

    fn lock_closed(&self) -> MutexGuard<'_, VecDeque<Url>> {
        self.closed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_known(&self) -> MutexGuard<'_, KnownFiles> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
