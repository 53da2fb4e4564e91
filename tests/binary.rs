//! Runs the built binary as scripts do.

#![allow(dead_code, reason = "each test file uses a part of this one")]

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use tempfile::TempDir;

pub const DECLARATIONS: &str = "registers: {symbol: 's', position: 'p'}\nconstants: {A}\n";

/// The splits of the templatic generation data, Tables 1 and 10.
pub const SPLITS: [&str; 15] = [
    "train",
    "dev",
    "test",
    "ood_lexical",
    "ood_cons_len_3",
    "ood_cons_len_5",
    "ood_cons_len_7",
    "ood_cons_len_10",
    "ood_cons_count_3",
    "ood_cons_count_5",
    "ood_cons_count_7",
    "ood_cons_count_10",
    "dyn_ood_lexical",
    "dyn_ood_cons_len",
    "dyn_rev_cons_len",
];

pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Creates a temporary folder with files.
pub fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("a file");
    }
    folder
}

pub fn golden(name: &str) -> PathBuf {
    repository().join("tests/golden").join(name)
}

/// Runs `psl` in the repository with standard input.
pub fn psl_with(args: &[&str], input: &[u8]) -> Output {
    psl_in(&repository(), args, input)
}

/// Runs `psl` in a folder with standard input.
pub fn psl_in(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_psl"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("psl starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // Writing fails if the command ends before it reads its input.
    let writer = std::thread::spawn(move || stdin.write_all(&input).is_ok());
    let output = child.wait_with_output().expect("psl ends");
    writer.join().expect("the writer ends");
    output
}

pub fn psl(args: &[&str]) -> Output {
    psl_with(args, b"")
}

pub fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

pub fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

pub fn code(output: &Output) -> i32 {
    output.status.code().expect("no signal")
}
