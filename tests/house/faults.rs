//! The faults of `tests/faults`, which `cargo xtask faults` plants: each applies, and the test that finds it exists.

use std::{fs, process::Command};

use super::source::root;

/// Whether git succeeds in the repository.
fn git(arguments: &[&str]) -> bool {
    Command::new("git").args(arguments).current_dir(root()).output().expect("git runs").status.success()
}

/// Whether the test of a command exists: the command ends with its name.
fn exists(finder: &str) -> bool {
    let name = finder.rsplit([':', ' ']).next().unwrap_or_default();
    let holds =
        |text: String, files: &str| git(&["grep", "--untracked", "--quiet", "--fixed-strings", &text, "--", files]);
    match finder.strip_prefix("pytest ").and_then(|test| test.split_once("::")) {
        Some((file, name)) => holds(format!("def {name}("), file),
        None if name.contains('/') => root().join(format!("tests/markers/{name}.txt")).exists(),
        None => holds(format!("fn {name}()"), "*.rs"),
    }
}

fn check(path: &str) {
    assert!(git(&["apply", "--check", path]), "{path} does not apply: make the same mistake in the present code");
    let text = fs::read_to_string(root().join(path)).expect("a text");
    let [_, finder, ""] = text.lines().take(3).collect::<Vec<_>>()[..] else {
        panic!("{path}: expected what is wrong, `Found by: COMMAND`, and an empty line");
    };
    let finder = finder.strip_prefix("Found by: ").unwrap_or_else(|| panic!("{path}: no `Found by: `"));
    assert!(exists(finder), "{path}: the test of `{finder}` does not exist");
}

#[test]
fn each_fault_applies_and_its_test_exists() {
    for entry in fs::read_dir(root().join("tests/faults")).expect("a folder") {
        check(&format!("tests/faults/{}", entry.expect("an entry").file_name().display()));
    }
}

#[test]
fn a_missing_test_is_seen() {
    assert!(exists("cargo test --workspace --test house faults::a_missing_test_is_seen"));
    assert!(exists("cargo test --workspace --test markers hints/repeated"));
    assert!(exists("pytest tests/clients/test_neovim.py::test_session"));
    for finder in
        ["cargo test no_such_test", "cargo test hints/no-such-case", "pytest tests/clients/test_dap.py::test_session"]
    {
        assert!(!exists(finder), "{finder}");
    }
}
