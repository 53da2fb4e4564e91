//! The table of codes. Each line has the variant, the name, the severity, the implications, and the file below `src`
//! that reports the code. The page of a code is `docs/diagnostics/NAME.md`.

use crate::severity::Severity;

/// A row of the table.
pub(super) struct Row {
    pub name: &'static str,
    pub severity: Severity,
    pub implies: &'static [Implication],
    pub source: &'static str,
}

/// A property of a code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Implication {
    /// Off by default.
    Off,
    /// The text at the diagnostic can be removed.
    Unnecessary,
    /// Running the tests of the file can add or remove diagnostics.
    DecidedByTests,
}

macro_rules! codes {
    ($($variant:ident $name:literal $severity:ident $([$($implies:ident),*])? $source:literal;)*) => {
        /// A kind of diagnostic.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(
                #[doc = concat!("`", $name, "`, which `", $source, "` reports.")]
                $variant,
            )*
        }

        impl Code {
            /// All codes, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            pub(super) const fn row(self) -> Row {
                match self {
                    $(Self::$variant => Row {
                        name: $name,
                        severity: Severity::$severity,
                        implies: &[$($(Implication::$implies,)*)?],
                        source: $source,
                    },)*
                }
            }

            // Not part of the row, so that a program that shows no pages does not contain them.
            pub(super) const fn page(self) -> &'static str {
                match self {
                    $(Self::$variant => include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/diagnostics/", $name, ".md")),)*
                }
            }
        }
    };
}

codes! {
    Syntax "syntax" Error "parse/parser.rs";
    NestedTooDeep "nested-too-deep" Error "parse/statements.rs";
    UnknownRegister "unknown-register" Error "declarations.rs";
    UnknownConstant "unknown-constant" Error "declarations.rs";
    UnknownRole "unknown-role" Error "declarations.rs";
    UnknownFunction "unknown-function" Error "resolve.rs";
    DuplicateRegister "duplicate-register" Error "declarations.rs";
    DuplicateConstant "duplicate-constant" Error "declarations.rs";
    DuplicateShortName "duplicate-short-name" Error "declarations.rs";
    BadShortName "bad-short-name" Error "declarations.rs";
    MissingRole "missing-role" Error "declarations.rs";
    LateDeclaration "late-declaration" Error "declarations.rs";
    AmbiguousName "ambiguous-name" Error "declarations.rs";
    AssignToN "assign-to-n" Error "resolve.rs";
    AssignToPosition "assign-to-position" Error "resolve.rs";
    AssignedTwice "assigned-twice" Error "resolve.rs";
    UnboundN "unbound-n" Error "resolve.rs";
    ActionReadsN "action-reads-N" Error "resolve.rs";
    SameCellComparison "same-cell-comparison" Error "resolve.rs";
    FunctionOnLeft "function-on-left" Error "resolve.rs";
    RegisterInList "register-in-list" Error "resolve.rs";
    EmptyProduction "empty-production" Error "resolve.rs";
    EmptyRepeat "empty-repeat" Error "resolve.rs";
    EmptyProgram "empty-program" Error "resolve.rs";
    Hole "hole" Error "holes.rs";
    IllTypedCondition "ill-typed-condition" Warning "rules/ill_typed.rs";
    NotAPosition "not-a-position" Warning "rules/not_a_position.rs";
    AlwaysTrue "always-true" Warning "rules/ill_typed.rs";
    NeverFires "never-fires" Warning [DecidedByTests] "rules/never_fires.rs";
    MayNotTerminate "may-not-terminate" Warning "rules/may_not_terminate.rs";
    NonCausal "non-causal" Warning [DecidedByTests] "rules/non_causal.rs";
    ReadBeforeWrite "read-before-write" Warning "rules/read_before_write.rs";
    StalePrev "stale-prev" Warning "rules/stale_prev.rs";
    DeadAssignment "dead-assignment" Warning [Unnecessary] "rules/dead_assignment.rs";
    RoleNotTaken "role-not-taken" Warning "rules/role_not_taken.rs";
    UnusedRegister "unused-register" Warning [Unnecessary] "rules/unused.rs";
    UnusedConstant "unused-constant" Warning [Unnecessary] "rules/unused.rs";
    NeverRead "never-read" Warning [Unnecessary] "rules/never_read.rs";
    DuplicateProduction "duplicate-production" Warning [Unnecessary] "rules/duplicate_production.rs";
    UnindentedAssignment "unindented-assignment" Warning "rules/unindented_assignment.rs";
    NotPortable "not-portable" Warning [Off] "rules/reference_compat.rs";
    SeparateLayers "separate-layers" Info [Off] "rules/separate_layers.rs";
    UnknownDirective "unknown-directive" Warning "directive.rs";
    UnusedAllow "unused-allow" Warning [Unnecessary] "allow.rs";
    FailingTest "failing-test" Warning [DecidedByTests] "whoever runs the tests";
}

impl Code {
    /// The name, such as `unknown-register`.
    pub const fn as_str(self) -> &'static str {
        self.row().name
    }

    /// The default severity.
    pub const fn severity(self) -> Severity {
        self.row().severity
    }

    /// Whether a program with this diagnostic does not compile, whatever the configuration.
    pub fn is_error(self) -> bool {
        self.severity() == Severity::Error
    }

    /// Whether the code is off by default.
    pub fn is_off(self) -> bool {
        self.implies(Implication::Off)
    }

    /// Whether the text at the diagnostic can be removed. Editors fade such text.
    pub fn is_unnecessary(self) -> bool {
        self.implies(Implication::Unnecessary)
    }

    /// Whether running the tests of the file can add or remove diagnostics of this code.
    pub fn is_decided_by_tests(self) -> bool {
        self.implies(Implication::DecidedByTests)
    }

    /// Help for an unknown code.
    pub const LISTED: &'static str = "run `psl explain` for a list";

    /// The code with this name, or `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == name)
    }

    fn implies(self, implication: Implication) -> bool {
        self.row().implies.contains(&implication)
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::Code;

    #[test]
    fn the_source_of_each_code_reports_it() {
        for code in Code::ALL.iter().filter(|code| **code != Code::FailingTest) {
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(code.row().source);
            let source = fs::read_to_string(&file).unwrap_or_default();
            assert!(source.contains(&format!("Code::{code:?}")), "{code:?} is not in {}", file.display());
        }
    }
}
