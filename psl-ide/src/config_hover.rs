//! Hovers in a `psl.toml`.

use psl_program::config::{
    cursor_context::{Part, cursor_context},
    keys::{about, section},
};

use crate::hover::Hover;

/// Returns the description of the word at a byte offset of a `psl.toml`.
pub fn config_hover(text: &str, offset: u32) -> Option<Hover> {
    let place = cursor_context(text, offset)?;
    let word = place.word.of(text).trim_matches(['"', '\'']);
    let path = match place.part {
        Part::Table | Part::Key => [place.path.as_slice(), &[word]].concat(),
        Part::Value => place.path,
    };
    let markdown = about(&path)?;
    (!place.word.is_empty()).then(|| Hover { markdown, span: place.word, section: section(&path) })
}

#[cfg(test)]
mod tests {
    use psl_syntax::Code;

    use super::*;
    use crate::fixture::cursor;

    /// Checks the word that is explained, and the start of its explanation.
    fn check(marked: &str, expected: Option<(&str, &str)>) {
        let (file, offset) = cursor(marked);
        let found = config_hover(file.text(), offset);
        let found = found.as_ref().map(|hover| (hover.span.of(file.text()), hover.markdown.as_str()));
        match (found, expected) {
            (Some((word, about)), Some((expected, start))) => {
                assert_eq!(word, expected, "{marked}");
                assert!(about.starts_with(start), "{about}");
            }
            (found, expected) => assert_eq!(found, expected, "{marked}"),
        }
    }

    #[test]
    fn keys_tables_codes_and_values_are_explained() {
        check("st<|>op = \".\"", Some(("stop", "The symbol that ends")));
        check("[paths]\nexcl<|>ude = []", Some(("exclude", "Patterns")));
        check("[sev<|>erity]", Some(("severity", "The severity")));
        let code = Code::NonCausal.entry().markdown();
        check("[severity]\nnon-<|>causal = \"off\"", Some(("non-causal", &code)));
        check("[severity]\nnon-causal = \"o<|>ff\"", Some(("\"off\"", &code)));
        check("max-file-size = 1<|>0", Some(("10", "Maximum size")));
        check("[severity]\nother<|> = \"off\"", None);
        check("# st<|>op", None);
        check("stop = <|> ", None);
    }
}
