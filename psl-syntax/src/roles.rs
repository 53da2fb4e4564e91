//! The roles by which the machine finds registers.

/// The roles, each with the short name that gives it by default.
pub const DEFAULT_ROLES: [(&str, &str); 5] =
    [("symbol", "s"), ("position", "p"), ("output", "s"), ("parse", "a"), ("eop", "z")];

/// The label of a production or an `until` that needs a position.
pub const WITHOUT_N: &str = "without `n`, this finds its own cell by the position";

/// The message for a missing role.
pub fn missing_role(role: &str) -> String {
    format!("no register has the role `{role}`")
}
