//! `cargo xtask faults`: plants each fault of `tests/faults` in a copy of the repository, and sees that its test finds
//! it.

use std::{
    collections::BTreeSet,
    fs, io, path,
    process::{Command, Output},
};

use crate::root;

/// Builds what the tests of the clients read: psl with the page of the explorer, and the packages.
const PACKAGE: &str = r#"scripts/explorer && cargo build --workspace --bins &&
    strip -o "$CARGO_TARGET_DIR/psl" "$CARGO_TARGET_DIR/debug/psl" && rm -rf dist &&
    scripts/package --trial --no-book --no-wheel --binary "$CARGO_TARGET_DIR/psl""#;

/// A patch of `tests/faults`, and the command that finds its fault.
struct Fault {
    name: String,
    finder: String,
}

/// Tries the faults whose names contain a text. Returns whether each is found.
pub fn faults(rest: &[String]) -> bool {
    let part = rest.first().map_or("", String::as_str);
    try_faults(part).unwrap_or_else(|error| {
        eprintln!("{error}");
        false
    })
}

fn try_faults(part: &str) -> io::Result<bool> {
    let faults: Vec<Fault> = all_faults()?.into_iter().filter(|fault| fault.name.contains(part)).collect();
    let sound = copy()?;
    for finder in faults.iter().map(|fault| fault.finder.as_str()).collect::<BTreeSet<_>>() {
        println!("without a fault: {finder}");
        succeeds(&in_copy(&build(finder))?)?;
        succeeds(&in_copy(finder)?)?;
    }
    let mut missed = 0;
    for Fault { name, finder } in &faults {
        succeeds(&in_root(&format!("git apply --directory target/faults/tree tests/faults/{name}.patch"))?)?;
        succeeds(&in_copy(&build(finder))?)?;
        let found = !in_copy(finder)?.status.success();
        restore(&sound)?;
        missed += usize::from(!found);
        println!("{:<10}{name:<38}{finder}", if found { "found" } else { "NOT FOUND" });
    }
    println!("{} faults, {missed} not found", faults.len());
    Ok(!faults.is_empty() && missed == 0)
}

/// The faults by name.
fn all_faults() -> io::Result<Vec<Fault>> {
    let mut faults = Vec::new();
    for entry in fs::read_dir(root().join("tests/faults"))? {
        let patch = entry?.path();
        let text = fs::read_to_string(&patch)?;
        let Some(finder) = text.lines().find_map(|line| line.strip_prefix("Found by: ")) else { continue };
        let name = patch.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        faults.push(Fault { name, finder: finder.to_owned() });
    }
    faults.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(faults)
}

/// Copies the files that git does not ignore, and returns their tree in git. Unchanged files keep their times, so that
/// only the others are compiled again.
fn copy() -> io::Result<String> {
    let sound = succeeds(&in_root(
        "mkdir -p target/faults/tree && ln -sfn ../../../.tools target/faults/tree/.tools &&
         export GIT_INDEX_FILE=target/faults/index && git read-tree HEAD && git add --all && git write-tree",
    )?)?;
    restore(sound.trim())?;
    Ok(sound.trim().to_owned())
}

/// Makes the copy what it was without a fault.
fn restore(sound: &str) -> io::Result<String> {
    let index = "GIT_INDEX_FILE=$PWD/target/faults/index-of-copy";
    succeeds(&in_root(&format!("{index} git --work-tree=target/faults/tree read-tree --reset -u {sound}"))?)
}

/// The command that builds what a test needs.
fn build(finder: &str) -> String {
    if finder.starts_with("cargo test ") { format!("{finder} --no-run") } else { PACKAGE.to_owned() }
}

fn in_root(command: &str) -> io::Result<Output> {
    Command::new("bash").args(["-c", command]).current_dir(root()).output()
}

/// Runs a command in the copy, with the Python and Node.js of the tests.
fn in_copy(command: &str) -> io::Result<Output> {
    let folder = path::absolute(root().join("target/faults"))?;
    let mut path = folder.join("tree/.tools/venv/bin").into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut bash = Command::new("bash");
    // The variables of `tests/run` name the developer's files.
    for name in ["PSL", "PSL_MODULE", "PSL_SESSION", "PSL_TRANSCRIPTS"] {
        bash.env_remove(name);
    }
    bash.env("PATH", path).env("CARGO_TARGET_DIR", folder.join("build")).env("PSL_WASM_PROFILE", "wasm-quick");
    bash.args(["-c", command]).current_dir(folder.join("tree")).output()
}

/// The output of a command, or an error with all that it wrote.
fn succeeds(output: &Output) -> io::Result<String> {
    let written = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(written);
    }
    Err(io::Error::other(format!("{written}{}", String::from_utf8_lossy(&output.stderr))))
}
