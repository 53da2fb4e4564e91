//! A program from which parts were left out.

use psl_program::{File, Runner};
use psl_syntax::{Checked, diagnostic::Edit, program::ProductionId, reread};

use super::removals::Removal;

/// A program from which parts were left out, ready to run.
pub struct Version {
    pub checked: Checked,
    pub runner: Runner,
    /// For each production, that of the original.
    pub origins: Vec<ProductionId>,
}

impl Version {
    /// The program of a file, without errors.
    pub fn original(file: &File) -> Self {
        let checked = reread(file.checked(), file.text());
        let runner = runner(file, &checked);
        let origins = ProductionId::first(runner.productions()).collect();
        Self { checked, runner, origins }
    }

    /// The version without one more part. `None` if it has errors.
    pub fn without(&self, removal: &Removal, file: &File) -> Option<Self> {
        let checked = reread(&self.checked, Edit::apply(&removal.edits, &self.checked.tree.text)?);
        if !checked.compiles() {
            return None;
        }
        let runner = runner(file, &checked);
        let mut origins = self.origins.clone();
        if let Some(index) = removal.production.filter(|index| *index < origins.len()) {
            origins.remove(index);
        }
        // A label or another comment never becomes code.
        (origins.len() == runner.productions()).then_some(Self { checked, runner, origins })
    }
}

/// The program with what its file configures.
fn runner(file: &File, checked: &Checked) -> Runner {
    let runner = Runner::new(&checked.analysis.program).with_stop(file.config().stop.clone());
    runner.with_prompts(file.compiled().prompts().clone())
}
