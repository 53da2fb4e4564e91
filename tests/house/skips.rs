//! The lists of tests that `tests/run` runs or skips.

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

#[test]
fn each_test_that_every_check_runs_exists() {
    let quick = fs::read_to_string(root().join("tests/clients/quick.txt")).expect("the list");
    let exists = |line: &&str| {
        let (file, test) = line.split_once("::").map_or((*line, None), |(file, test)| (file, Some(test)));
        let name = test.map(|test| test.split_once('[').map_or(test, |(name, _)| name));
        let source = fs::read_to_string(root().join("tests/clients").join(file)).unwrap_or_default();
        !source.is_empty() && name.is_none_or(|name| source.contains(&format!("def {name}(")))
    };
    let lines = quick.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let missing: Vec<_> = lines.filter(|line| !exists(line)).map(str::to_owned).collect();
    none(&missing, "tests/clients has no such tests: remove them from quick.txt.");
}
