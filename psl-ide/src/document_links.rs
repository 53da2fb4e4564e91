//! Links in comments: web addresses, and files relative to the program.

use std::path::Path;

use psl_program::File;
use psl_syntax::{Span, tree::DirectiveKind};

use crate::prompt_files::prompt_files;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkTarget {
    /// A URL that starts with `http://` or `https://`.
    Web(String),
    /// A path as written, relative to the program's folder.
    File(String),
}

/// Returns the links of a file. The caller checks whether a path exists.
pub fn document_links(file: &File) -> Vec<(Span, LinkTarget)> {
    let tree = &file.checked().tree;
    let is_prompt = |comment: &Span| {
        let found = tree.directives.binary_search_by_key(comment, |directive| directive.span).ok();
        let kind = found.and_then(|found| tree.directives.get(found)).map(|directive| &directive.kind);
        matches!(kind, Some(DirectiveKind::Test { .. } | DirectiveKind::Stop(_)))
    };
    let comments = tree.tokens.comments.iter().filter(|comment| !is_prompt(comment));
    let words = comments
        .flat_map(|comment| words(*comment, tree.str(*comment)))
        .filter_map(|(span, word)| Some((span, web(word).or_else(|| path(word))?)));
    // The file of a prompt may have any extension.
    let prompt =
        |(quoted, path): (Span, &str)| (Span::new(quoted.start + 1, quoted.end - 1), LinkTarget::File(path.to_owned()));
    words.chain(prompt_files(file).map(prompt)).collect()
}

/// The words of a comment, without surrounding punctuation.
fn words(comment: Span, text: &str) -> impl Iterator<Item = (Span, &str)> {
    text.trim_start_matches(['#', '/', '@']).split_whitespace().map(move |word| {
        let word = word.trim_start_matches(['(', '<', '[', '"', '\'', '`']);
        let word =
            word.trim_end_matches(|char: char| char.is_ascii_punctuation() && !matches!(char, '/' | '=' | '-' | '_'));
        let start = comment.start + (word.as_ptr() as usize - text.as_ptr() as usize) as u32;
        (Span::new(start, start + word.len() as u32), word)
    })
}

fn web(word: &str) -> Option<LinkTarget> {
    let rest = word.strip_prefix("https://").or_else(|| word.strip_prefix("http://"))?;
    (!rest.is_empty()).then(|| LinkTarget::Web(word.to_owned()))
}

/// Only words with a file extension, such as `pargen.psl`.
fn path(word: &str) -> Option<LinkTarget> {
    Path::new(word).extension()?;
    Some(LinkTarget::File(word.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::file;

    #[test]
    fn comments_link_to_the_web_and_to_paths() {
        let text = "# see <https://example.org/a?b=c>, main.rs, (../Cargo.toml) and é none.rs\n\
                    //@ test \"main.rs\" => \"https://example.org\"\n\
                    where a[N] == 'main.rs' //main.rs http://\n\
                    //@ allow non-causal: https://example.org/x_\n\
                    //@ test a json '../Cargo.toml' => \"main.rs\"\n\
                    //@ test json 'none.json' => \"\"";
        let found: Vec<_> = document_links(&file(text)).iter().map(|(span, _)| span.of(text).to_owned()).collect();
        assert_eq!(
            found,
            [
                "https://example.org/a?b=c",
                "main.rs",
                "../Cargo.toml",
                "none.rs",
                "main.rs",
                "https://example.org/x_",
                "../Cargo.toml",
                "none.json"
            ]
        );
    }
}
