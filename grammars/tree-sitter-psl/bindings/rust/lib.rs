//! The tree-sitter grammar of PSL, the Production System Language.

#![allow(unsafe_code, reason = "the parser is written in C")]

use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_psl() -> *const ();
}

/// The grammar, for `tree_sitter::Language`.
// SAFETY: tree-sitter generated this function.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_psl) };
