//! The roles that a program's registers have, by which the machine finds them.

/// The roles, each with the short name of the register that has it where nothing else is given.
pub const DEFAULT_ROLES: [(&str, &str); 5] =
    [("symbol", "s"), ("position", "p"), ("output", "s"), ("parse", "a"), ("eop", "z")];

/// That a role which every program needs is missing, in words.
pub fn missing_role(role: &str) -> String {
    format!("no register has the role `{role}`")
}
