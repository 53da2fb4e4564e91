//! The tests that `tests/run` skips with the server's module for browsers.

use std::fs;

use super::{
    findings::none,
    source::{files, root},
};

#[test]
fn each_test_that_the_module_skips_exists() {
    let skipped = fs::read_to_string(root().join("tests/lsp/needs_a_process.txt")).expect("the list");
    let texts: Vec<_> = files("tests/lsp")
        .into_iter()
        .map(|path| (fs::read_to_string(root().join(&path)).expect("a file of text"), path))
        .collect();
    let exists = |test: &&str| {
        let (module, name) = test.rsplit_once("::").expect("a module and a test");
        let file = format!("/{}.rs", module.replace("::", "/"));
        texts.iter().any(|(text, path)| path.ends_with(&file) && text.contains(&format!("fn {name}(")))
    };
    let missing: Vec<_> = skipped.lines().filter(|test| !exists(test)).map(str::to_owned).collect();
    none(&missing, "tests/lsp has no such tests: remove them from needs_a_process.txt.");
}
