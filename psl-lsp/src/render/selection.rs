//! As many diagnostics of several files as people may want to see, errors before others.

use psl_syntax::Diagnostic;

use crate::source::Source;

/// How many are printed where nothing else is asked for.
pub const MAX_DIAGNOSTICS: usize = 1_000;

/// The diagnostics that may be printed, as far as files were added. It holds twice as many as are printed, at most.
pub struct Selection {
    max: usize,
    files: Vec<(Source, Vec<Diagnostic>)>,
    errors: usize,
    others: usize,
    added: usize,
}

impl Selection {
    /// Of as many.
    pub fn new(max: usize) -> Self {
        Self { max, files: Vec::new(), errors: 0, others: 0, added: 0 }
    }

    /// Adds the diagnostics of a file.
    pub fn add(&mut self, source: Source, mut diagnostics: Vec<Diagnostic>) {
        self.added += diagnostics.len();
        diagnostics.retain(|diagnostic| {
            let kind = if diagnostic.is_error() { &mut self.errors } else { &mut self.others };
            *kind += 1;
            *kind <= self.max
        });
        if !diagnostics.is_empty() {
            self.files.push((source, diagnostics));
        }
    }

    /// What to print, in the order in which it was added, and how many are left out.
    pub fn end(self) -> (Vec<(Source, Vec<Diagnostic>)>, usize) {
        let Self { max, mut files, errors, .. } = self;
        let mut room = max.saturating_sub(errors);
        for (_, diagnostics) in &mut files {
            diagnostics.retain(|diagnostic| {
                let fits = diagnostic.is_error() || room > 0;
                room -= usize::from(fits && !diagnostic.is_error());
                fits
            });
        }
        let printed: usize = files.iter().map(|(_, diagnostics)| diagnostics.len()).sum();
        (files, self.added - printed)
    }
}
