//! Messages that several readers share.

use super::program::Program;

pub(crate) const NO_HEADS: &str = "add a head, or remove the layer";
pub(crate) const BOTH_SIDES: &str = "add it to both or remove it";
pub(crate) const REGISTERS: &str = "declare it in register_map";
pub(crate) const ROLES: &str = "use symbol, position, output, parse or eop";
pub(crate) const TOO_DEEP: &str = "repeat blocks are nested too deeply";

/// The help for blocks that are nested too deeply.
pub(crate) fn nesting_help() -> String {
    format!("nest repeat blocks at most {} deep", Program::MAX_NESTING)
}
