//! The severity of a diagnostic.

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Shown only in editors, unobtrusively.
    Hint,
    /// Worth knowing.
    Info,
    /// Probably a mistake, but the program compiles.
    Warning,
    /// The program does not compile.
    Error,
}

impl Severity {
    /// The name on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hint => "hint",
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}
