//! The length of texts.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Words read in a minute.
pub const PER_MINUTE: usize = 200;

/// The number of words outside of blocks.
pub fn words(page: &str) -> usize {
    let mut is_block = false;
    let mut words = 0;
    for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => is_block = true,
            Event::End(TagEnd::CodeBlock) => is_block = false,
            Event::Text(text) if !is_block => words += text.split_whitespace().filter(|word| is_word(word)).count(),
            Event::Code(_) => words += 1,
            _ => {}
        }
    }
    words
}

fn is_word(word: &str) -> bool {
    word.chars().any(char::is_alphanumeric)
}
