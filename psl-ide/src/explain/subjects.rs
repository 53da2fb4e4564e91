//! Diagnostics by subject.

/// The subjects, and the codes of each.
pub const SUBJECTS: [(&str, &[&str]); 9] = [
    (
        "text",
        &[
            "syntax",
            "nested-too-deep",
            "unindented-assignment",
            "empty-production",
            "empty-repeat",
            "empty-program",
            "hole",
        ],
    ),
    (
        "declarations",
        &["duplicate-register", "duplicate-constant", "duplicate-short-name", "bad-short-name", "late-declaration"],
    ),
    (
        "names",
        &[
            "unknown-register",
            "unknown-constant",
            "unknown-function",
            "ambiguous-name",
            "unused-register",
            "unused-constant",
        ],
    ),
    ("roles", &["missing-role", "unknown-role", "role-not-taken"]),
    (
        "conditions",
        &[
            "same-cell-comparison",
            "function-on-left",
            "register-in-list",
            "ill-typed-condition",
            "not-a-position",
            "always-true",
            "never-fires",
        ],
    ),
    ("assignments", &["assign-to-n", "assign-to-position", "assigned-twice", "unbound-n", "action-reads-N"]),
    (
        "values from layer to layer",
        &[
            "read-before-write",
            "stale-prev",
            "dead-assignment",
            "never-read",
            "duplicate-production",
            "separate-layers",
        ],
    ),
    ("attention and repeat blocks", &["non-causal", "may-not-terminate"]),
    ("tests and tools", &["failing-test", "unknown-directive", "unused-allow", "not-portable"]),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use psl_syntax::Code;

    use super::*;

    #[test]
    fn every_code_has_one_subject() {
        let listed: Vec<&str> = SUBJECTS.iter().flat_map(|(_, codes)| codes.iter().copied()).collect();
        let all: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), all);
        assert_eq!(listed.len(), all.len());
    }
}
