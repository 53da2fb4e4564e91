//! The answer to `workspace/diagnostic`, of bounded size.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    path::PathBuf,
    sync::Arc,
};

use lsp_types::{PreviousResultId, Url, WorkspaceDocumentDiagnosticReport};

use super::file_report::FileReport;
use crate::{host::Host, session::Session, to_proto};

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

/// A file by its path, since an editor may spell a URI in its own way; what has no path by its URI.
type Place = Result<PathBuf, Url>;

fn place(uri: &Url) -> Place {
    uri.to_file_path().map_err(|()| uri.clone())
}

/// An answer in the making.
pub struct Answer {
    host: Arc<dyn Host>,
    is_first: bool,
    /// What the client has, or may have, of the files that have not been looked at.
    previous: HashMap<Place, PreviousResultId>,
    items: Vec<WorkspaceDocumentDiagnosticReport>,
    most: usize,
    size: usize,
    left_out: usize,
}

impl Answer {
    /// For a client that has these results, with `most` bytes of others. It may show what it had of documents that are closed now
    /// without naming them.
    pub fn new(
        previous: Vec<PreviousResultId>,
        closed: impl IntoIterator<Item = Url>,
        most: usize,
        host: Arc<dyn Host>,
    ) -> Self {
        let is_first = previous.is_empty();
        let closed = closed.into_iter().map(to_proto::unknown_result);
        let previous = closed.chain(previous).map(|it| (place(&it.uri), it)).collect();
        Self { host, is_first, previous, items: Vec::new(), most, size: 0, left_out: 0 }
    }

    /// Adds the report of a file, or that it is the one which the client has.
    pub fn add(&mut self, uri: &Url, version: Option<i32>, report: &FileReport) {
        let previous = self.previous.remove(&place(uri));
        let id = report.id.to_string();
        if previous.is_some_and(|previous| previous.value == id) {
            self.items.push(to_proto::workspace_report(uri.clone(), version, to_proto::unchanged_report(id)));
            return;
        }
        if self.size >= self.most {
            self.left_out += 1;
            return;
        }
        let full = to_proto::full_report(Some(id), report.diagnostics(uri, self.host.as_ref()));
        let item = to_proto::workspace_report(uri.clone(), version, full);
        self.size += size(&item);
        self.items.push(item);
    }

    /// Takes away what the client has of other files: they are gone, or their `psl.toml` can be used now. What it has of open
    /// documents it has asked for one by one.
    pub fn take_away_others(&mut self, session: &Session) {
        let open: HashSet<Place> = session.all().into_iter().map(|document| place(&document.uri)).collect();
        let mut gone: Vec<_> = self.previous.drain().filter(|(place, _)| !open.contains(place)).collect();
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

/// How many bytes of JSON it takes.
fn size(item: &WorkspaceDocumentDiagnosticReport) -> usize {
    serde_json::to_string(item).map_or(0, |json| json.len())
}
