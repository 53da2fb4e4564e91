//! Repeated texts.

use std::collections::BTreeMap;

use proc_macro2::{TokenStream, TokenTree};
use syn::Lit;

use super::source::{Source, is_punct};

/// Maximum length of a text that may be repeated, in characters.
const SHORT: usize = 25;

/// The repeated texts in the files, with their lines. Attributes do not count, because they cannot contain constants.
pub fn repeated(sources: &[&Source]) -> Vec<String> {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in sources {
        collect(&source.tokens, &mut |line, text| {
            places.entry(text).or_default().push(format!("{}:{line}", source.path));
        });
    }
    let repeated = places.into_iter().filter(|(text, places)| places.len() > 1 && text.chars().count() > SHORT);
    repeated.map(|(text, places)| format!("{text:?} in {}", places.join(", "))).collect()
}

fn collect(tokens: &TokenStream, found: &mut impl FnMut(usize, String)) {
    let mut after_hash = false;
    for tree in tokens.clone() {
        let hash = is_punct(&tree, '#') || after_hash && is_punct(&tree, '!');
        match tree {
            TokenTree::Group(group) if !after_hash => collect(&group.stream(), found),
            TokenTree::Literal(literal) => {
                let line = literal.span().start().line;
                match Lit::new(literal) {
                    Lit::Str(text) => found(line, text.value()),
                    Lit::ByteStr(bytes) => found(line, String::from_utf8_lossy(&bytes.value()).into_owned()),
                    _ => {}
                }
            }
            _ => {}
        }
        after_hash = hash;
    }
}

#[test]
fn a_repeated_text_is_reported() {
    let check = |text: &str, expected: &[&str]| assert_eq!(repeated(&[&Source::new("c/src/a.rs", text)]), expected);
    let found = "\"a text that is long enough\" in c/src/a.rs:1, c/src/a.rs:2";
    check("f(\"a text that is long enough\");\nformat!(r\"a text that is long enough\");", &[found]);
    check(
        "f(\"a text that is \\\n    long enough\");\nf(b\"a text that is long enough\");",
        &["\"a text that is long enough\" in c/src/a.rs:1, c/src/a.rs:3"],
    );
    check("f(\"not long\"); f(\"not long\");", &[]);
    check("/// A text that is long enough\nstruct A;\n/// A text that is long enough\nstruct B;", &[]);
    check(
        "#[cfg(test)] mod t { const A: &str = \"a text that is long enough\"; }\nf(\"a text that is long enough\")",
        &[],
    );
}
