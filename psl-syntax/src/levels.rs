//! The severity of each diagnostic: the default, or as configured.

use std::collections::BTreeMap;

use crate::{
    codes::Code,
    diagnostic::{Diagnostic, Severity},
};

/// The configured severities. Errors stay errors regardless.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    /// `None` means off.
    by_code: BTreeMap<Code, Option<Severity>>,
    warnings_denied: bool,
}

impl Levels {
    /// Sets the severity of a code, whatever evidence its diagnostics are based on. `None` turns it off.
    pub fn set(&mut self, code: Code, level: Option<Severity>) {
        self.by_code.insert(code, level);
    }

    /// Returns these levels with the ones that `others` sets.
    #[must_use]
    pub fn overridden_by(mut self, others: &Self) -> Self {
        self.by_code.extend(&others.by_code);
        self.warnings_denied |= others.warnings_denied;
        self
    }

    /// Turns all warnings into errors.
    pub fn deny_warnings(&mut self) {
        self.warnings_denied = true;
    }

    /// Whether the code is off.
    pub fn is_off(&self, code: Code) -> bool {
        !code.is_error() && self.by_code.get(&code).map_or(code.is_off(), Option::is_none)
    }

    /// The severity of the diagnostic, or `None` if it is off.
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
