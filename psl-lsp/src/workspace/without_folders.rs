//! The workspace of a page in a browser, which has no folders: the open documents alone.

#[path = "file_symbols.rs"]
mod file_symbols;

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use file_symbols::FileSymbols;
use gen_lsp_types::{PreviousResultId, SymbolInformation, WorkspaceDocumentDiagnosticReport};
use psl_ide::SymbolSearch;
use psl_program::Progress;
use psl_syntax::diagnostic::Edit;

use crate::{commands::TestCounts, document::Document, refusal::Refusal, renames::Renames, session::Session, uri::Url};

/// Maximum number of symbols to find.
const MAX_SYMBOLS: usize = 1_000;

/// No folders.
#[derive(Default)]
pub struct Workspace;

/// A program.
pub enum WorkspaceProgram {
    /// An open document.
    Open(Arc<Document>),
    /// A file, of which there are none.
    Closed(FilePath),
}

/// A file.
pub struct FilePath {
    /// The path.
    pub path: PathBuf,
    /// The path as a URI.
    pub uri: Url,
}

/// The diagnostics of files.
pub struct WorkspaceDiagnostics {
    /// One report per file.
    pub items: Vec<WorkspaceDocumentDiagnosticReport>,
    /// Messages about problems that hide files.
    pub problems: BTreeSet<String>,
    /// A message about files that are left out.
    pub left_out: Option<String>,
}

/// The tests of files.
pub struct WorkspaceTests {
    /// A list in JSON.
    pub json: String,
    /// The numbers of passed and failed tests.
    pub counts: TestCounts,
    /// Messages about problems that hide files.
    pub problems: BTreeSet<String>,
    /// A message about files that are left out.
    pub left_out: Option<String>,
}

impl FilePath {
    /// `None`: no URI names a file.
    pub fn of(_: &Url) -> Option<Self> {
        None
    }
}

impl WorkspaceProgram {
    /// The program as a document.
    ///
    /// # Errors
    ///
    /// Returns a message if it is a file.
    pub fn read(self, _: &Session) -> Result<Arc<Document>, String> {
        match self {
            Self::Open(document) => Ok(document),
            Self::Closed(file) => Err(format!("cannot read {}: a page has no files", file.uri)),
        }
    }
}

impl Workspace {
    /// Ignores folders.
    pub fn change(&self, _: impl IntoIterator<Item = Url>, _: impl IntoIterator<Item = Url>) {}

    /// Whether a path leads into a folder.
    pub fn contains(&self, _: &Path) -> bool {
        false
    }

    /// Ignores closed documents, which have no results.
    pub fn closed(&self, _: &Url) {}

    /// Forgets facts about files, of which there are none.
    pub fn forget(&self) {}

    /// The symbols of the open documents that match a query, best matches first.
    pub fn symbols(&self, session: &Session, query: &str, cancelled: &AtomicBool) -> Vec<SymbolInformation> {
        let mut search = SymbolSearch::new(query, MAX_SYMBOLS);
        let newer_kinds = session.client().newer_workspace_symbols;
        for document in session.all() {
            if cancelled.load(Ordering::Relaxed) {
                break;
            }
            FileSymbols::of(&document).offer(&document.uri, newer_kinds, &mut search);
        }
        search.best()
    }

    /// No diagnostics, since there are no files.
    pub fn diagnostics(&self, _: &Session, _: Vec<PreviousResultId>, _: &Progress) -> WorkspaceDiagnostics {
        WorkspaceDiagnostics { items: Vec::new(), problems: BTreeSet::new(), left_out: None }
    }

    /// No edits, since there are no files.
    pub fn renamed(&self, _: &Session, _: &Renames, _: &AtomicBool) -> Vec<(Arc<Document>, Vec<Edit>)> {
        Vec::new()
    }

    /// No tests, since there are no files.
    ///
    /// # Errors
    ///
    /// Never fails.
    pub fn tests(&self, _: &Session, _: bool, _: &Progress) -> Result<WorkspaceTests, Refusal> {
        let counts = TestCounts::default();
        Ok(WorkspaceTests { json: "[]".to_owned(), counts, problems: BTreeSet::new(), left_out: None })
    }
}
