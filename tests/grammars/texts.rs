//! The valid and the broken programs of the repository.

use std::{fs, path::Path};

/// All `.psl` files in the folders of the tests: their paths and texts.
pub fn texts() -> Vec<(String, String)> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let mut found = Vec::new();
    for folder in ["programs", "golden/programs", "defects", "diagnostics"] {
        let before = found.len();
        collect(&tests.join(folder), &mut found);
        assert!(found.len() > before, "{folder} has no programs");
    }
    found
}

fn collect(folder: &Path, found: &mut Vec<(String, String)>) {
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "psl") {
            let text = fs::read_to_string(&path).expect("a text");
            found.push((path.display().to_string(), text));
        }
    }
}
