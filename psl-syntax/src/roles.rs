//! The roles by which the machine finds registers.

/// The roles, each with the short name that gives it by default.
pub const DEFAULT_ROLES: [(&str, &str); 5] =
    [("symbol", "s"), ("position", "p"), ("output", "s"), ("parse", "a"), ("eop", "z")];

/// The name of the register of rows: of its directive and, in QKVL, of its entry among the roles.
pub const ANSWER: &str = "answer";

/// The help for a program that looks for the end of the prompt.
pub const LAST_CELL: &str =
    "declare the register `eop: 'z'` and the constant `EOP`: `eop[n] == EOP` holds in the last cell of the prompt";

/// Whether a constant has a name for the end of a continuation.
pub fn is_named_end(constant: &str) -> bool {
    ["end", "eos", "stop"].iter().any(|name| constant.eq_ignore_ascii_case(name))
}

/// The label of a production or an `until` that needs a position.
pub const WITHOUT_N: &str = "without `n`, this finds its own cell by the position";

/// The message for a missing role.
pub fn missing_role(role: &str) -> String {
    format!("no register has the role `{role}`")
}
