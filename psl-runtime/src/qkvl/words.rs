//! Words that several refusals of programs share.

use super::program::Program;

pub(crate) const BOTH_SIDES: &str = "a condition needs both sides";
pub(crate) const REGISTERS: &str = "register_map lists them all";
pub(crate) const ROLES: &str = "there are symbol, position, output, parse and eop";
pub(crate) const TOO_DEEP: &str = "repeat blocks nest too deep";

/// How deep repeat blocks may nest.
pub(crate) fn nesting_help() -> String {
    format!("repeat blocks may nest {} deep", Program::MAX_NESTING)
}
