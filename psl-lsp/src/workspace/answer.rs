//! The answer to `workspace/diagnostic`, of bounded size.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    path::PathBuf,
};

use lsp_types::{PreviousResultId, Url, WorkspaceDocumentDiagnosticReport};

use super::file_report::FileReport;
use crate::{session::Session, to_proto};

/// What a report has beside its diagnostics and its URI, in bytes.
const REPORT: usize = 80;

/// Diagnostics of the programs in the folders.
#[derive(Debug)]
pub struct WorkspaceDiagnostics {
    /// A report a file, in the order of their paths; first the `psl.toml`s that cannot be used.
    pub items: Vec<WorkspaceDocumentDiagnosticReport>,
    /// What keeps from telling what is in the folders, in words.
    pub problems: BTreeSet<String>,
    /// How many files would have made the answer too large, in words; nothing where none is left out, and for a client that has
    /// asked before.
    pub left_out: Option<String>,
}

/// An answer in the making.
pub struct Answer {
    is_first: bool,
    /// What the client has of the files that have not been looked at.
    previous: HashMap<PathBuf, PreviousResultId>,
    items: Vec<WorkspaceDocumentDiagnosticReport>,
    most: usize,
    size: usize,
    left_out: usize,
}

impl Answer {
    /// For a client that has these results, with `most` bytes of others.
    pub fn new(previous: Vec<PreviousResultId>, most: usize) -> Self {
        let is_first = previous.is_empty();
        // An editor may spell a URI in its own way.
        let by_path = |it: PreviousResultId| Some((it.uri.to_file_path().ok()?, it));
        let previous = previous.into_iter().filter_map(by_path).collect();
        Self { is_first, previous, items: Vec::new(), most, size: 0, left_out: 0 }
    }

    /// Adds the report of a file, or that it is the one which the client has.
    pub fn add(&mut self, uri: &Url, version: Option<i32>, report: &FileReport) {
        let previous = uri.to_file_path().ok().and_then(|path| self.previous.remove(&path));
        let id = report.id.to_string();
        if previous.is_some_and(|previous| previous.value == id) {
            self.items.push(to_proto::workspace_report(uri.clone(), version, to_proto::unchanged_report(id)));
            return;
        }
        let size = REPORT + uri.as_str().len() + report.size();
        // One that is larger than all may be is not left out for ever.
        if self.size > 0 && self.size + size > self.most {
            self.left_out += 1;
            return;
        }
        self.size += size;
        let full = to_proto::full_report(Some(id), report.diagnostics());
        self.items.push(to_proto::workspace_report(uri.clone(), version, full));
    }

    /// Takes away what the client has of other files: they are gone, or their `psl.toml` can be used now. What it has of open
    /// documents it has asked for one by one.
    pub fn take_away_others(&mut self, session: &Session) {
        let open: HashSet<PathBuf> =
            session.all().into_iter().filter_map(|document| document.uri.to_file_path().ok()).collect();
        let mut gone: Vec<_> = self.previous.drain().filter(|(path, _)| !open.contains(path)).collect();
        gone.sort_by(|(one, _), (other, _)| one.cmp(other));
        let nothing = |uri| to_proto::workspace_report(uri, None, to_proto::full_report(None, Vec::new()));
        self.items.extend(gone.into_iter().map(|(_, previous)| nothing(previous.uri)));
    }

    /// The answer, with what keeps from telling what is in the folders.
    pub fn end(self, problems: BTreeSet<String>) -> WorkspaceDiagnostics {
        let Self { items, most, left_out, is_first, .. } = self;
        let in_words = || {
            let megabytes = most / 1_000_000;
            format!(
                "an answer holds {megabytes} MB of diagnostics: those of {left_out} more files come with the next one"
            )
        };
        WorkspaceDiagnostics { items, problems, left_out: (is_first && left_out > 0).then(in_words) }
    }
}
