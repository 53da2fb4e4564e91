//! Runs every `psl` command in the README, in the page of the examples, and in the pages of the commands.

use std::{fs, path::Path, process::Command};

use serde_json::Value;

/// The lines of a page's shell blocks.
fn commands(page: &str) -> Vec<String> {
    let mut inside = false;
    let mut commands = Vec::new();
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```sh";
        } else if inside {
            commands.push(line.split(" # ").next().unwrap_or(line).trim().to_owned());
        }
    }
    commands
}

#[test]
fn the_configuration_in_the_page_is_valid() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = page("docs/reference/psl-toml.md");
    let toml = text.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a block of TOML");
    let folder = std::env::temp_dir().join(format!("psl-readme-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("psl.toml"), toml).expect("a file");
    fs::copy(repository.join("examples/induction.psl"), folder.join("a.psl")).expect("a program");
    let output = Command::new(env!("CARGO_BIN_EXE_psl"))
        .args(["check", "a.psl"])
        .current_dir(&folder)
        .output()
        .expect("psl runs");
    fs::remove_dir_all(&folder).expect("the folder can be removed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Runs commands in a folder of links to the repository, so new files with relative names do not end up in the
/// repository.
fn check(commands: impl Iterator<Item = String>, least: usize) {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let binary = Path::new(env!("CARGO_BIN_EXE_psl")).parent().expect("a folder").to_owned();
    let path = std::env::var("PATH").expect("PATH");
    let folder = tempfile::tempdir().expect("a folder");
    for entry in fs::read_dir(&repository).expect("the repository") {
        let entry = entry.expect("an entry");
        let link = folder.path().join(entry.file_name());
        std::os::unix::fs::symlink(entry.path().canonicalize().expect("a path"), link).expect("a link");
    }
    let mut ran = 0;
    for command in commands {
        // These build or install what this test runs on, or need the page that scripts/explorer builds.
        // python/tests_long builds the Python package.
        let skipped = [
            "cargo install",
            "cargo bench",
            "bash tests/run",
            "scripts/explorer",
            "scripts/playground",
            "scripts/package",
            "pip install",
            "psl explore",
        ];
        if skipped.iter().any(|start| command.starts_with(start)) {
            continue;
        }
        let command = command.replace("cargo run --release -- ", "psl ");
        assert!(command.contains("psl "), "unknown command `{command}`");
        let output = Command::new("bash")
            .args(["-c", &command])
            .env("PATH", format!("{}:{path}", binary.display()))
            .current_dir(&folder)
            .output()
            .expect("bash runs");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "`{command}` fails: {stderr}");
        ran += 1;
    }
    assert!(ran >= least, "{ran} commands in blocks marked `sh`");
}

fn page(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)).expect("a page")
}

#[test]
fn cargo_run_means_psl() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let members = metadata["workspace_default_members"].as_array().expect("a list of packages");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let targets = packages.iter().filter(|it| members.contains(&it["id"])).filter_map(|it| it["targets"].as_array());
    let binaries = targets.flatten().filter(|it| it["kind"][0] == "bin").map(|it| it["name"].as_str());
    assert_eq!(binaries.collect::<Vec<_>>(), [Some("psl")]);
}

#[test]
fn every_command_for_contributors_exists() {
    let tasks = page("xtask/src/main.rs");
    let exists = |name: &str| tasks.contains(&format!("name: \"{name}\""));
    assert!(!exists("nothing"));
    let mut found = 0;
    for line in commands(&page("CONTRIBUTING.md")).into_iter().chain(commands(&page("RELEASE.md"))) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["cargo", "xtask", name, ..] => {
                assert!(exists(name), "`{line}`");
                found += 1;
            }
            ["cargo", "build" | "xtask"] | ["bash", "tests/run"] | ["git", ..] => {}
            _ => panic!("unknown command `{line}`"),
        }
    }
    assert!(found >= 5, "{found} commands");
}

#[test]
fn the_readme_starts_with_the_main_job_and_the_tests() {
    let first: Vec<String> = commands(&page("README.md")).into_iter().take(2).collect();
    assert_eq!(first, ["cargo run --release -- demo", "bash tests/run"]);
}

#[test]
fn every_command_in_the_readme_runs() {
    check(commands(&page("README.md")).into_iter(), 9);
}

#[test]
fn every_command_that_installs_from_source_runs() {
    let page = page("docs/install.md");
    // tests/clients/test_package.py installs a release.
    let (_, from_source) = page.split_once("From source").expect("how to build it");
    check(commands(from_source).into_iter(), 1);
}

#[test]
fn every_command_in_the_pages_of_the_commands_runs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/commands");
    for entry in fs::read_dir(folder).expect("a folder") {
        let text = fs::read_to_string(entry.expect("an entry").path()).expect("a page");
        check(commands(&text).into_iter(), 0);
    }
}

#[test]
fn every_command_in_the_page_of_the_examples_runs() {
    check(commands(&page("examples/README.md")).into_iter(), 4);
}
