//! Every text of the fuzzing corpus, and every program of the repository, has the properties that fuzzing checks.

use std::{fs, path::Path};

use crate::properties;

/// The folders of texts, each with its minimum number of texts.
const FOLDERS: [(&str, usize); 5] =
    [("fuzz/corpus", 200), ("../examples", 2), ("../examples/rows", 8), ("programs", 1), ("golden/programs", 10)];

#[test]
fn the_corpus_has_the_properties() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    for (folder, least) in FOLDERS {
        let mut checked = 0;
        for entry in fs::read_dir(tests.join(folder)).expect("a folder of texts") {
            let path = entry.expect("a text").path();
            if path.is_dir() {
                continue;
            }
            println!("{}", path.display());
            let text = fs::read_to_string(path).expect("UTF-8");
            properties::parse(&text);
            properties::check(&text);
            properties::fix(&text);
            properties::format(&text);
            checked += 1;
        }
        assert!(checked >= least, "{folder} has {checked} texts, not {least}");
    }
}
