//! Every text that fuzzing has found worth keeping, and every program there is, has the properties that fuzzing looks for.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail by panic")]

use std::{fs, path::Path};

#[path = "../../tests/fuzz/properties.rs"]
mod properties;

#[test]
fn the_corpus_has_the_properties() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    for folder in ["fuzz/corpus", "programs", "golden/programs"] {
        for entry in fs::read_dir(tests.join(folder)).expect("a folder of texts") {
            let path = entry.expect("a text").path();
            println!("{}", path.display());
            let text = fs::read_to_string(path).expect("UTF-8");
            properties::parse(&text);
            properties::check(&text);
            properties::fix(&text);
            properties::format(&text);
        }
    }
}
