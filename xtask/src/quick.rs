//! The tests that a change needs first.

use std::{collections::BTreeSet, process::Command};

use crate::{cargo, done, root};

/// The random cases of each suite. `.ci/run` tries more.
const CASES: &str = "20";

/// Runs the tests of the crates that have changed files, and of those that depend on them.
pub fn tests() -> bool {
    let Some(changed) = changed_crates() else {
        eprintln!("quick: `git status` does not run here: run `cargo xtask test`");
        return false;
    };
    if changed.is_empty() {
        println!("quick: no file of a crate has changed");
        return true;
    }
    if !done(Command::new("cargo-nextest").args(["nextest", "--version"]).stdout(std::process::Stdio::null())) {
        eprintln!("quick: cargo-nextest chooses the tests: install it, or run `cargo xtask test`");
        return false;
    }
    let reached: Vec<String> = changed.iter().map(|name| format!("rdeps(={name})")).collect();
    let chosen = ["nextest", "run", "--workspace", "--profile", "quick", "-E", &reached.join(" + ")];
    done(cargo(&chosen).env("CASES", CASES))
}

/// The packages that contain files with changes since the last commit, and those whose tests do. `None` without git.
fn changed_crates() -> Option<BTreeSet<String>> {
    let output = Command::new("git").args(["status", "--porcelain"]).current_dir(root()).output().ok()?;
    let status = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    Some(status.lines().filter_map(|line| package(line.get(3..)?)).collect())
}

/// The package of a file. The files in `tests` are those of `psl`.
fn package(path: &str) -> Option<String> {
    let folder = path.rsplit(" -> ").next()?.split('/').next()?;
    match folder {
        "psl" | "tests" | "examples" | "docs" => Some("psl-cli".to_owned()),
        "python" => Some("psl-python".to_owned()),
        "grammars" => Some("tree-sitter-psl".to_owned()),
        _ => root().join(folder).join("Cargo.toml").exists().then(|| folder.to_owned()),
    }
}
