//! What is wrong with a document: the text's own findings, and what its tests showed.

use psl_syntax::{Diagnostic, apply_levels};

use crate::{evidence, server::documents::Snapshot};

/// All diagnostics of a version, as far as its tests have run.
pub fn diagnostics(snapshot: &Snapshot) -> Vec<Diagnostic> {
    let checked = snapshot.checked();
    if checked.analysis.program.tests.is_empty() {
        // There is nothing to wait for.
        snapshot.gather_evidence();
    }
    let shown = snapshot.evidence();
    let found = evidence::join(&checked.analysis, snapshot.found(), shown);
    apply_levels(&checked.tree, found, evidence::pending(shown), &snapshot.levels())
}
