//! The programs of the repository.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The minimum number of programs: a test that finds fewer looks in the wrong place.
const AT_LEAST: usize = 150;

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All programs: their paths in the repository and their texts.
pub fn programs() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec!["examples".to_owned(), "tests".to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(repository().join(&folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let path = format!("{folder}/{}", entry.file_name().to_str().expect("a name"));
            if entry.file_type().expect("a type").is_dir() {
                folders.push(path);
            } else if entry.path().extension().is_some_and(|end| end == "psl") {
                let text = fs::read_to_string(entry.path()).expect("a text");
                found.push((path, text));
            }
        }
    }
    found.sort();
    assert!(found.len() >= AT_LEAST, "expected at least {AT_LEAST} programs, found {}", found.len());
    found
}
