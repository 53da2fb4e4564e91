//! The value of a changed program beside the examples that it passes.

use std::collections::HashSet;

use psl_program::text_warnings;
use psl_syntax::{Causality, Checked, Code, Diagnostic};

/// The warnings of a program before its changes.
pub(crate) struct Known(HashSet<(Code, String)>);

impl Known {
    pub(crate) fn new(before: &Checked) -> Self {
        Self(text_warnings(before).into_iter().map(|found| (found.code, found.message)).collect())
    }

    fn contains(&self, found: &Diagnostic) -> bool {
        self.0.contains(&(found.code, found.message.clone()))
    }

    /// The declared names that the program does not use, each by the message about it.
    fn unused_names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|(code, _)| is_unused_name(*code)).map(|(_, message)| message.as_str())
    }
}

fn is_unused_name(code: Code) -> bool {
    matches!(code, Code::UnusedConstant | Code::UnusedRegister)
}

/// The value of a changed program beside the examples that it passes.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// The numbers of examples that were held back and that it completes, and of all of them.
    pub held_back: Option<(usize, usize)>,
    /// The warnings that the program before did not have.
    pub new_warnings: Vec<Diagnostic>,
    /// The number of warnings, without those of unused names.
    warnings: usize,
    /// The number of names that are unused, and that the program before used.
    pub(crate) newly_unused: usize,
    /// The number of names that are used, and that the program before did not use.
    newly_used: usize,
    /// The productions that may read a cell to the right.
    look_ahead: usize,
}

impl Assessment {
    /// Assesses a program without errors. `before` are the warnings of the one that it is a change of.
    pub(crate) fn new(before: &Known, after: &Checked) -> Self {
        let found = text_warnings(after);
        let is_used = |name: &&str| found.iter().all(|found| found.message != *name);
        let newly_used = before.unused_names().filter(is_used).count();
        let newly_unused = found.iter().filter(|found| is_unused_name(found.code) && !before.contains(found)).count();
        Self { newly_unused, ..Self::with(before, after, found, newly_used) }
    }

    /// Assesses a program whose holes are filled. The warnings of a program with holes leave its unused names out.
    pub(crate) fn of_filling(before: &Known, after: &Checked, newly_used: usize) -> Self {
        Self::with(before, after, text_warnings(after), newly_used)
    }

    fn with(before: &Known, after: &Checked, found: Vec<Diagnostic>, newly_used: usize) -> Self {
        Self {
            held_back: None,
            warnings: found.iter().filter(|found| !is_unused_name(found.code)).count(),
            newly_unused: 0,
            newly_used,
            new_warnings: found.into_iter().filter(|found| !before.contains(found)).collect(),
            look_ahead: after.analysis.causality.iter().filter(|it| !matches!(it, Causality::Proved(_))).count(),
        }
    }

    /// The number of examples held back that it does not complete.
    pub(crate) fn wrong(&self) -> usize {
        self.held_back.map_or(0, |(right, all)| all - right)
    }

    /// Less is better.
    pub(crate) fn rank(&self) -> impl Ord + Copy + use<> {
        (self.look_ahead, self.warnings, self.newly_used)
    }
}
