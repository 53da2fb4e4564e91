//! The files in reports of `psl check` and `psl test` are named from the root of their repository, as services show
//! them.

use std::{
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;
use tempfile::TempDir;

use crate::binary::{DECLARATIONS, code, folder, out};

fn program() -> String {
    format!("//@ max-new 1\n//@ test \"A\" => \"B\"\n{DECLARATIONS}where symbl[N] == A:\n    symbol[N] = A\n")
}

/// A repository with a program in a subfolder. Its name has characters that reports escape.
fn repository(files: &[(&str, &str)]) -> TempDir {
    let (broken, failing) = (program(), program().replace("symbl", "symbol"));
    let programs = [("deep/my é,1/broken.psl", broken.as_str()), ("deep/my é,1/failing.psl", &failing)];
    folder(&[&programs, files].concat())
}

fn psl(folder: &Path, workspace: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_psl"));
    command.args(args).current_dir(folder).env("GITHUB_WORKSPACE", workspace).output().expect("psl runs")
}

/// Checks that each report names the program in the folder `from` so, run from there, whatever path is given.
fn check_named(root: &Path, from: &str, workspace: &Path, expected: &str) {
    let folder = root.join(from);
    let absolute = root.join("deep/my é,1/broken.psl");
    let relative = absolute.strip_prefix(&folder).expect("it is inside");
    for given in [relative, absolute.as_path(), Path::new(".")] {
        let given = given.to_str().expect("UTF-8");
        let check = |format: &str| psl(&folder, workspace, &["check", "--format", format, given]);
        let github = check("github");
        assert_eq!(code(&github), 1);
        let property = expected.replace(',', "%2C");
        assert!(out(&github).contains(&format!("::error file={property},line=5,")), "{given}: {}", out(&github));
        let sarif: Value = serde_json::from_str(&out(&check("sarif"))).expect("JSON");
        let location = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        let uri = expected.replace(' ', "%20").replace('é', "%C3%A9").replace(',', "%2C");
        assert_eq!(location["artifactLocation"]["uri"], uri.as_str(), "{given}");
        let junit = out(&psl(&folder, workspace, &["test", "--format", "junit", given]));
        assert!(junit.contains(&format!("<testsuite name=\"{expected}\"")), "{given}: {junit}");
        assert!(
            junit.contains(&format!("classname=\"{expected}\"")) && junit.contains(&format!(" file=\"{expected}\""))
        );
        // People read the path that they can open from where they are.
        let short = out(&check("short"));
        assert!(!short.contains(expected) || given.ends_with(expected), "{short}");
    }
}

#[test]
fn the_root_is_that_of_git() {
    let repository = repository(&[(".git/HEAD", "")]);
    check_named(repository.path(), "deep/my é,1", Path::new(""), "deep/my é,1/broken.psl");
    check_named(repository.path(), "deep", Path::new("/none"), "deep/my é,1/broken.psl");
    // In a worktree and in a submodule, it is a file.
    let worktree = self::repository(&[("deep/.git", "gitdir: /elsewhere")]);
    check_named(worktree.path(), "deep/my é,1", Path::new(""), "my é,1/broken.psl");
}

#[test]
fn the_root_is_the_workspace_of_github_if_the_file_is_in_it() {
    let repository = repository(&[("deep/.git/HEAD", ""), ("other/a.psl", "")]);
    let root = repository.path();
    check_named(root, "deep/my é,1", root, "deep/my é,1/broken.psl");
    check_named(root, "deep/my é,1", &root.join("other"), "my é,1/broken.psl");
}

#[test]
fn standard_input_and_files_outside_keep_their_names() {
    let folder = folder(&[("sub/a.psl", &program())]);
    for (given, named) in [("-", "<stdin>"), ("sub/a.psl", "sub/a.psl")] {
        let report = out(&psl(folder.path(), Path::new(""), &["check", "--format", "github", given]));
        assert!(report.contains(&format!("::error file={named},line=")), "{report}");
    }
}
