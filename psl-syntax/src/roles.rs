//! The roles by which the machine finds registers.

/// The roles, each with the short name that gives it by default.
pub const DEFAULT_ROLES: [(&str, &str); 5] =
    [("symbol", "s"), ("position", "p"), ("output", "s"), ("parse", "a"), ("eop", "z")];

/// The message for a missing role.
pub fn missing_role(role: &str) -> String {
    format!("no register has the role `{role}`")
}
