//! The diagnostics of several files up to a maximum, errors first.

use std::collections::BTreeMap;

use psl_syntax::{Diagnostic, Severity};

use crate::input::program_file::ProgramFile;

/// The number of diagnostics printed by default.
pub const MAX_DIAGNOSTICS: usize = 1_000;

/// The diagnostics that may be printed: of each severity no more than the maximum.
pub struct Selection {
    max: usize,
    files: Vec<(ProgramFile, Vec<Diagnostic>)>,
    /// The number held of each severity.
    held: BTreeMap<Severity, usize>,
    added: usize,
}

impl Selection {
    /// Creates an empty selection of at most `max` diagnostics.
    pub fn new(max: usize) -> Self {
        Self { max, files: Vec::new(), held: BTreeMap::new(), added: 0 }
    }

    /// Adds the diagnostics of a file.
    pub fn add(&mut self, source: ProgramFile, mut diagnostics: Vec<Diagnostic>) {
        self.added += diagnostics.len();
        diagnostics.retain(|diagnostic| {
            let held = self.held.entry(diagnostic.severity).or_default();
            let fits = *held < self.max;
            *held += usize::from(fits);
            fits
        });
        if !diagnostics.is_empty() {
            self.files.push((source, diagnostics));
        }
    }

    /// The diagnostics to print, in the order in which they were added, and the number of those left out.
    pub fn end(self) -> (Vec<(ProgramFile, Vec<Diagnostic>)>, usize) {
        let Self { max, mut files, mut held, added } = self;
        let mut room = max;
        for count in held.values_mut().rev() {
            *count = room.min(*count);
            room -= *count;
        }
        let mut printed = 0;
        for (_, diagnostics) in &mut files {
            diagnostics.retain(|diagnostic| {
                let left = held.get_mut(&diagnostic.severity).filter(|left| **left > 0);
                left.map(|left| *left -= 1).is_some()
            });
            printed += diagnostics.len();
        }
        (files, added - printed)
    }
}
