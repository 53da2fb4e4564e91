//! How bad each diagnostic is shown: as the table of codes says, or as configured.

use std::collections::BTreeMap;

use crate::{
    codes::Code,
    diagnostic::{Diagnostic, Severity},
};

/// What is configured. Errors stay errors, whatever is set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    /// Nothing stands for off.
    by_code: BTreeMap<Code, Option<Severity>>,
    warnings_denied: bool,
}

impl Levels {
    /// Shows every diagnostic of a code at one severity, whatever evidence it was found on, or, for nothing, not at all.
    pub fn set(&mut self, code: Code, level: Option<Severity>) {
        self.by_code.insert(code, level);
    }

    /// These, and where others set a code, what they set.
    #[must_use]
    pub fn overridden_by(mut self, others: &Self) -> Self {
        self.by_code.extend(&others.by_code);
        self.warnings_denied |= others.warnings_denied;
        self
    }

    /// Makes errors of all that would be shown as warnings.
    pub fn deny_warnings(&mut self) {
        self.warnings_denied = true;
    }

    /// Whether no diagnostic of the code is shown.
    pub fn is_off(&self, code: Code) -> bool {
        !code.is_error() && self.by_code.get(&code).map_or(code.is_off(), Option::is_none)
    }

    /// How bad the diagnostic is to be shown; nothing where it is not shown.
    pub fn of(&self, diagnostic: &Diagnostic) -> Option<Severity> {
        let code = diagnostic.code;
        if code.is_error() {
            return Some(Severity::Error);
        }
        if self.is_off(code) {
            return None;
        }
        match self.by_code.get(&code).copied().flatten().unwrap_or(diagnostic.severity) {
            Severity::Warning if self.warnings_denied => Some(Severity::Error),
            severity => Some(severity),
        }
    }
}
