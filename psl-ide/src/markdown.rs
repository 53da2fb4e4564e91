//! Text from programs inside Markdown.
//!
//! Invariant: text from a program is shown unchanged. It never becomes a link, an image, HTML, a heading, emphasis or
//! the end of a code block. All Markdown that contains such text is built with these functions.

/// Formats a text as inline code. Line ends, which inline code cannot hold, become `⏎`, and an empty text becomes a
/// pair of quotes.
pub fn code(text: &str) -> String {
    let text =
        if text.is_empty() { "\"\"".to_owned() } else { text.replace("\r\n", "⏎").replace(['\r', '\n'], "⏎") };
    let quotes = "`".repeat(longest_run(&text) + 1);
    // Markdown drops one blank at each end if both ends have one.
    let blank = |char: char| char == ' ' || char == '`';
    let pad =
        if (text.starts_with(blank) || text.ends_with(blank)) && !text.trim_matches(' ').is_empty() { " " } else { "" };
    format!("{quotes}{pad}{text}{pad}{quotes}")
}

/// Formats a text as a code block, without its last line end.
pub fn code_block(text: &str) -> String {
    let fence = "`".repeat((longest_run(text) + 1).max(3));
    format!("{fence}text\n{}\n{fence}\n", text.trim_end_matches('\n'))
}

/// The length of the longest run of backquotes.
fn longest_run(text: &str) -> usize {
    text.split(|char| char != '`').map(str::len).max().unwrap_or(0)
}

/// Converts a message of a diagnostic, whose names are between backquotes, to Markdown in one line.
pub fn message_markdown(text: &str) -> String {
    let pieces: Vec<&str> = text.split('`').collect();
    // An odd number of backquotes does not pair up, and inline code ends at a single one.
    if pieces.len().is_multiple_of(2) || text.contains("``") {
        return plain(text);
    }
    let piece = |(at, piece): (usize, &&str)| match at {
        0 => escaped(piece.trim_start(), None),
        at if at % 2 == 1 => code(piece),
        _ => escaped(piece, Some('`')),
    };
    let markdown: String = pieces.iter().enumerate().map(piece).collect();
    markdown.trim_end().to_owned()
}

/// Escapes a text for use anywhere in a line. Blanks at its ends are dropped, and line ends become blanks.
pub fn plain(text: &str) -> String {
    escaped(text.trim(), None)
}

/// Escapes a text that follows this character, or begins a line.
fn escaped(text: &str, mut before: Option<char>) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut in_number = before.is_none();
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let after = chars.peek().copied();
        let is_inside = [before, after].iter().all(|char| char.is_some_and(|char| !char.is_whitespace()));
        let is_markup = match char {
            '\\' | '`' | '*' | '[' | ']' | '~' | '|' | '$' => true,
            '_' => !(before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)),
            '<' | '&' => after.is_some_and(|after| !after.is_whitespace()),
            // At the start of a line: headings, quotations and lists.
            '#' | '>' | '+' | '-' | '=' | ':' => before.is_none(),
            ')' => in_number,
            // Many editors turn addresses into links, although Markdown does not.
            '.' => in_number || is_inside,
            '/' => after == Some('/'),
            '@' => is_inside,
            _ => false,
        };
        if is_markup {
            escaped.push('\\');
        }
        escaped.push(if matches!(char, '\r' | '\n') { ' ' } else { char });
        in_number &= char.is_ascii_digit();
        before = Some(char);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use pulldown_cmark::{Event, Options, Parser, Tag, TextMergeStream};
    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng, seq::IndexedRandom};

    use super::*;

    const PIECES: &str = "``*__~[](){}<>!&;\\#+-=.:/@|$^%'\"1aé🙂  \t\n\r";

    fn random_text(rng: &mut ChaCha8Rng) -> String {
        let pieces: Vec<char> = PIECES.chars().collect();
        let length = rng.random_range(1..12);
        (0..length).map(|_| *pieces.choose(rng).expect("a piece")).collect()
    }

    /// The tags around a text, and the text, as Markdown shows them.
    fn shown(markdown: &str) -> (Vec<String>, String) {
        let mut text = String::new();
        let mut tags = Vec::new();
        let options = Options::all() - Options::ENABLE_SMART_PUNCTUATION - Options::ENABLE_SUPERSCRIPT;
        for event in TextMergeStream::new(Parser::new_ext(markdown, options)) {
            match event {
                Event::Text(shown) | Event::Code(shown) => text.push_str(&shown),
                Event::Start(Tag::CodeBlock(_)) => tags.push("code block".to_owned()),
                Event::End(_) => {}
                other => tags.push(format!("{other:?}")),
            }
        }
        (tags, text)
    }

    #[test]
    fn every_text_is_shown_unchanged() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let paragraph = vec!["Start(Paragraph)".to_owned()];
        let strong = vec!["Start(Paragraph)".to_owned(), "Start(Strong)".to_owned()];
        for _ in 0..20_000 {
            let text = random_text(&mut rng);
            let line = text.replace("\r\n", "⏎").replace(['\r', '\n'], "⏎");
            assert_eq!(shown(&code(&text)), (paragraph.clone(), line.clone()), "{text:?}");
            assert_eq!(shown(&format!("**{}**", code(&text))), (strong.clone(), line), "{text:?}");
            let (tags, block) = shown(&code_block(&text));
            assert_eq!(tags, ["code block"], "{text:?}");
            assert_eq!(block.replace('\r', ""), text.trim_end_matches('\n').replace('\r', "") + "\n", "{text:?}");
            let words = text.trim().replace(['\r', '\n'], " ");
            if !words.is_empty() {
                assert_eq!(shown(&plain(&text)), (paragraph.clone(), words.clone()), "{text:?}");
                assert_eq!(
                    shown(&format!("**a {}**", plain(&text))),
                    (strong.clone(), format!("a {words}")),
                    "{text:?}"
                );
            }
        }
    }

    #[test]
    fn names_in_messages_are_code() {
        let check = |text: &str, expected: &str| assert_eq!(message_markdown(text), expected);
        check("expected `B`, got `* *`; `x`: y", "expected `B`, got `* *`; `x`: y");
        check("`a_b` is *never* read", "`a_b` is \\*never\\* read");
        check("# `x` <b>", "\\# `x` \\<b>");
        check("an odd `quote", "an odd \\`quote");
        check("`a``b`", "\\`a\\`\\`b\\`");
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for _ in 0..20_000 {
            let text = random_text(&mut rng);
            let words = text.trim().replace(['\r', '\n'], " ");
            let is_paired = words.matches('`').count().is_multiple_of(2) && !words.contains("``");
            let expected = if is_paired { words.replace('`', "") } else { words };
            let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let (tags, found) = shown(&message_markdown(&text));
            assert_eq!(squeezed(&found.replace('⏎', " ")), squeezed(&expected), "{text:?}");
            assert!(tags.is_empty() || tags == ["Start(Paragraph)"], "{text:?}: {tags:?}");
        }
    }

    #[test]
    fn words_are_escaped_only_if_they_have_a_meaning() {
        let check = |text: &str, expected: &str| assert_eq!(plain(text), expected);
        check(
            "P1 (56): prev_symbol - n < N, at the left-most cell.",
            "P1 (56): prev_symbol - n < N, at the left-most cell.",
        );
        check("![x](http://e) <img>", "!\\[x\\](http:\\//e) \\<img>");
        check("www.e.e, me@e.e, e.e. A", "www\\.e\\.e, me\\@e\\.e, e\\.e. A");
        check("1. a", "1\\. a");
        check("1.5", "1\\.5");
        check("_a_", "\\_a\\_");
        assert_eq!((code(""), code("a`"), code("a``b")), ("`\"\"`".into(), "`` a` ``".into(), "```a``b```".into()));
    }
}
