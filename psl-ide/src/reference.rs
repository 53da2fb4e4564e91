//! The pages of the language reference, `docs/reference`, in the binary: for `psl explain`, and for links that work
//! offline.

/// The pages by name.
macro_rules! pages {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/reference/", $name, ".md")))),*]
    };
}

/// The name of each page, without `.md`, and its text.
pub const REFERENCE: [(&str, &str); 11] = pages! {
    "programs" "roles" "productions" "values" "repeat" "running" "directives" "compiled" "psl-toml" "decisions" "portability"
};

/// The page that `psl explain reference/NAME` prints, or `None` if the word is not the name of a page.
pub fn page(word: &str) -> Option<&'static str> {
    let name = word.strip_prefix("reference/")?;
    REFERENCE.into_iter().find_map(|(page, text)| (page == name).then_some(text))
}
