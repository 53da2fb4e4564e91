//! How bad a diagnostic is.

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Offered quietly, by editors only.
    Hint,
    /// Worth knowing.
    Info,
    /// Probably a mistake; the program compiles.
    Warning,
    /// The program does not compile.
    Error,
}

impl Severity {
    /// As the command line spells it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hint => "hint",
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}
