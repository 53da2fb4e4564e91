//! The programs in folders.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use super::configs::Configs;

/// What paths stand for.
#[derive(Default)]
pub struct Found {
    /// Files, whether they exist or not.
    pub files: Vec<PathBuf>,
    /// Why some that a folder holds may be missing.
    pub problems: BTreeSet<String>,
}

/// The files that paths stand for: folders are searched for `*.psl`, honouring `.gitignore` and what `psl.toml` says of paths;
/// no path means this folder.
pub fn expand(paths: &[PathBuf], configs: &mut Configs) -> Found {
    let here = [PathBuf::from(".")];
    let mut all = Found::default();
    for path in if paths.is_empty() { &here } else { paths } {
        if path.is_dir() {
            let mut found = Vec::new();
            for entry in ignore::WalkBuilder::new(path).require_git(false).build() {
                match entry.map_err(|error| error.to_string()).and_then(|entry| program(entry.path(), configs)) {
                    Ok(program) => found.extend(program),
                    // One psl.toml counts for many files.
                    Err(problem) => drop(all.problems.insert(problem)),
                }
            }
            found.sort();
            all.files.extend(found);
        } else {
            all.files.push(path.clone());
        }
    }
    all
}

/// A program that the search of a folder came by; nothing for other files.
fn program(file: &Path, configs: &mut Configs) -> Result<Option<PathBuf>, String> {
    let is_program = file.extension().is_some_and(|extension| extension == "psl") && file.is_file();
    if !is_program || !configs.of(file)?.selects(file) {
        return Ok(None);
    }
    Ok(Some(file.strip_prefix(".").unwrap_or(file).to_owned()))
}
