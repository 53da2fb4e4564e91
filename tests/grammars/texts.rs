//! The valid and the broken programs of the repository.

use std::{fs, path::Path};

use psl_syntax::{Diagnostic, Span, token::tokenize};

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

/// Messages of psl about variables and lengths in the strings of tests and laws, which the grammars do not compare.
const STRINGS: [&str; 7] = [
    "the law has no variables",
    "the prompt lacks the variable",
    "contradicts the first limit",
    "has an invalid limit",
    "combinations of lengths",
    "the row has",
    "differ in length",
];

/// The comments that are tests or laws for the grammars, and not for psl because of what is in their strings.
pub fn in_form(text: &str, diagnostics: &[Diagnostic]) -> Vec<Span> {
    let about_strings = |found: &&Diagnostic| STRINGS.iter().any(|part| found.message.contains(part));
    let places: Vec<_> = diagnostics.iter().filter(about_strings).map(|found| found.span.start).collect();
    let holds_one = |comment: &Span| places.iter().any(|place| (comment.start..comment.end).contains(place));
    tokenize(text).comments.into_iter().filter(holds_one).collect()
}
