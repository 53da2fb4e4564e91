//! The answer to `workspace/diagnostic`, of limited size.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    path::PathBuf,
    sync::Arc,
};

use gen_lsp_types::{PreviousResultId, WorkspaceDocumentDiagnosticReport};

use super::file_report::FileReport;
use crate::{host::Host, session::Session, to_proto, uri::Url};

/// Diagnostics of the programs in the folders.
#[derive(Debug)]
pub struct WorkspaceDiagnostics {
    /// One report per file, sorted by path, after those of `psl.toml`s that cannot be used.
    pub items: Vec<WorkspaceDocumentDiagnosticReport>,
    /// Messages about problems that hide part of the folders.
    pub problems: BTreeSet<String>,
    /// A message about files that do not fit into the answer. `None` if all fit, or if the client has asked before.
    pub left_out: Option<String>,
}

/// The path of a file, since editors may spell URIs differently. Documents without a path have their URI.
type DocumentKey = Result<PathBuf, Url>;

fn place(uri: &Url) -> DocumentKey {
    uri.to_file_path().map_err(|()| uri.clone())
}

/// An answer under construction.
pub struct Answer {
    host: Arc<dyn Host>,
    is_first: bool,
    /// The results that the client has, or may have, for files that have not been visited.
    previous: HashMap<DocumentKey, PreviousResultId>,
    items: Vec<WorkspaceDocumentDiagnosticReport>,
    most: usize,
    size: usize,
    left_out: usize,
}

impl Answer {
    /// Starts an answer of `most` bytes for a client that has these results. It may still show those of closed
    /// documents without naming them.
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

    /// Adds the report of a file, or that it is unchanged.
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

    /// Clears the client's results for other files, which are gone or whose `psl.toml` can be used now. Those for open
    /// documents were requested separately.
    pub fn clear_others(&mut self, session: &Session) {
        let open: HashSet<DocumentKey> = session.all().into_iter().map(|document| place(&document.uri)).collect();
        let mut gone: Vec<_> = self.previous.drain().filter(|(place, _)| !open.contains(place)).collect();
        gone.sort_by(|(one, _), (other, _)| one.cmp(other));
        let nothing = |uri| to_proto::workspace_report(uri, None, to_proto::full_report(None, Vec::new()));
        self.items.extend(gone.into_iter().map(|(_, previous)| nothing(previous.uri)));
    }

    /// Finishes the answer, with problems that hide part of the folders.
    pub fn end(self, problems: BTreeSet<String>) -> WorkspaceDiagnostics {
        let Self { items, most, left_out, is_first, .. } = self;
        let message = || {
            let megabytes = most / 1_000_000;
            format!("the diagnostics of {left_out} more files follow in the next answer: the limit is {megabytes} MB")
        };
        WorkspaceDiagnostics { items, problems, left_out: (is_first && left_out > 0).then(message) }
    }
}

/// The length of an item, in bytes of JSON.
fn size(item: &WorkspaceDocumentDiagnosticReport) -> usize {
    serde_json::to_string(item).map_or(0, |json| json.len())
}
