//! Every `psl` command in the README runs.

#![allow(clippy::expect_used, reason = "a test may fail by panic")]

use std::{fs, path::Path, process::Command};

/// The lines of the README's shell blocks.
fn commands(readme: &str) -> Vec<String> {
    let mut inside = false;
    let mut commands = Vec::new();
    for line in readme.lines() {
        if line.starts_with("```") {
            inside = line == "```sh";
        } else if inside {
            commands.push(line.split(" # ").next().unwrap_or(line).trim().to_owned());
        }
    }
    commands
}

#[test]
fn every_command_of_the_readme_runs() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let binary = Path::new(env!("CARGO_BIN_EXE_psl")).parent().expect("a folder").to_owned();
    let readme = fs::read_to_string(repository.join("README.md")).expect("the README");
    let path = std::env::var("PATH").expect("PATH");
    let mut ran = 0;
    for command in commands(&readme) {
        // These build or install; the script that runs this test, and its user, have run them.
        if ["cargo install", "cargo bench", "bash tests/run"].iter().any(|start| command.starts_with(start)) {
            continue;
        }
        let command = command.replace("cargo run --release -- ", "psl ");
        assert!(command.contains("psl "), "`{command}` is no command that this test knows");
        let output = Command::new("bash")
            .args(["-c", &command])
            .env("PATH", format!("{}:{path}", binary.display()))
            .current_dir(&repository)
            .output()
            .expect("bash runs");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "`{command}` fails: {stderr}");
        ran += 1;
    }
    assert!(ran >= 8, "the README shows its commands in blocks marked sh");
}
