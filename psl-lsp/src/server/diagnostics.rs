//! What is wrong with a document: the text's own findings, and what its tests showed.

use psl_syntax::{Diagnostic, settle};

use crate::{evidence, server::documents::Snapshot};

/// All diagnostics of a version, as far as its tests have run.
pub fn diagnostics(snapshot: &Snapshot) -> Vec<Diagnostic> {
    let checked = snapshot.checked();
    let shown = snapshot.evidence();
    settle(&checked.tree, evidence::join(checked, shown), evidence::pending(shown), &snapshot.config().levels)
}
