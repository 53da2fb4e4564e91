//! The tree-sitter grammar in `grammars/tree-sitter-psl`: that it is what its sources say, and what it makes of texts.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

mod cases;

use std::{
    fs,
    path::{Path, PathBuf},
};

use cases::golden;
use tree_sitter_generate::{OptLevel, generate_parser_in_directory};

/// The oldest version of tree-sitter's parsers that all editors read.
const ABI: usize = 14;

fn grammar() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../grammars/tree-sitter-psl")
}

#[test]
fn the_parser_is_what_the_grammar_makes() {
    const MADE: [&str; 6] = [
        "grammar.json",
        "node-types.json",
        "parser.c",
        "tree_sitter/alloc.h",
        "tree_sitter/array.h",
        "tree_sitter/parser.h",
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let mut said = Vec::new();
    let js_runtime = Some("native");
    generate_parser_in_directory(
        grammar(),
        Some(folder.path()),
        None::<&Path>,
        ABI,
        None,
        js_runtime,
        true,
        OptLevel::default(),
        &mut said,
    )
    .unwrap_or_else(|error| panic!("the grammar makes no parser: {error}"));
    assert!(said.is_empty(), "{}", said.iter().map(ToString::to_string).collect::<String>());
    let wrong: Vec<_> = MADE
        .iter()
        .filter_map(|name| {
            let made = fs::read_to_string(folder.path().join(name)).expect("it is made");
            golden::compare(&grammar().join("src").join(name), &made).err()
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
