//! Markdown shows the text of a program unchanged. No name of a register or a constant, no label and no text of a test
//! becomes a link, an image, HTML, a heading or emphasis.

use std::sync::{Arc, atomic::AtomicBool};

use psl_ide::{InlayHintSettings, WatchValues, completions, hover, inlay_hints, signature_help};
use psl_program::File;
use psl_syntax::{Span, token::quote};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, TextMergeStream};
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng, seq::IndexedRandom};

/// The plain word that each hostile word replaces and contains.
const PLAIN: &str = "zq";

/// Words with a meaning in Markdown, around the plain one.
const HOSTILE: [&str; 31] = [
    "![zq](http://evil) <img src=x> [l](command:psl.run)",
    "[zq](http://evil)",
    "<img src=zq>",
    "<http://zq.evil>",
    "zq http://evil.example/x?y=1",
    "zq HTTPS://evil.example",
    "zq (www.evil.example)",
    "zq WWW.evil.example",
    "zq ftp://evil.example",
    "zq mallory@evil.example",
    "`zq",
    "zq`",
    "``zq``",
    "a ``` zq ```` b",
    "~~~ zq ~~~",
    "```zq",
    "|zq|",
    "**zq**",
    "_zq_ *zq*",
    "~~zq~~",
    "&lt;zq&gt; &#33;",
    "<!-- zq",
    "\\zq\\",
    "zq \\[x](y)",
    "# zq",
    "- zq",
    "1. zq",
    "> zq",
    "[^zq]: x",
    "$zq$ $$zq$$",
    " zq ",
];

/// The pieces of random words.
const ALPHABET: [&str; 36] = [
    "`", "``", "```", "~~~", "*", "**", "_", "[", "]", "(", ")", "!", "<", ">", "&", "&amp;", "\\", "#", "- ", "1. ",
    "|", "~", "$", "\"", "'", " ", "    ", "a", "é🙂", "http://e", "www.e.e", "@e.e", "<b>", ":", "=", "\t",
];

const ERROR: &str = "where mark[N] ==\n";

fn random_word(rng: &mut ChaCha8Rng) -> String {
    let mut side = || {
        let length = rng.random_range(0..8);
        (0..length).map(|_| *ALPHABET.choose(rng).expect("a piece")).collect::<String>()
    };
    side() + PLAIN + &side()
}

/// A program with a word in every place that takes any word, followed by an error if it is not sound.
fn program(word: &str, sound: bool) -> String {
    let (constant, value) = (quote(word), quote(&format!("{word}v")));
    // Not every word is a valid short name.
    let short = if sound { "'m'".to_owned() } else { quote(&format!("s{word}e")) };
    let symbol = dense(word);
    let test = quote(&format!("A s{symbol}"));
    let error = if sound { "" } else { ERROR };
    format!(
        "//@ test {test} => {test}
registers: {{symbol: 's', position: 'p', mark: {short}, copy: 'c'}}
constants: {{A, {constant}, V: {value}}}
watch: [copy, mark]
# Label {word} it
where symbol[N] in [A, {constant}]:
    mark[N] = {constant}
# {word}
where_rm mark[n] == {constant} and mark[N] != V:
    copy[N] = mark[n]
    mark[N] = V
repeat:
    // {word}
    where copy[N] == {constant} and copy[N] != {constant}:
        copy[N] = mark[N]
        mark[N] = {constant}
until copy[N] == V
{error}"
    )
}

/// All Markdown generated for a program.
fn markdown(text: &str) -> Vec<String> {
    let file = File::new(text, Arc::default());
    let mut found = Vec::new();
    let spans = file.checked().tree.tokens.code.iter().map(|token| token.span);
    for offset in spans.flat_map(|span| [span.start, span.end]) {
        found.extend(hover(&file, None, offset, None).map(|hover| hover.markdown));
        let (items, _) = completions(&file, offset);
        found.extend(items.iter().filter_map(|item| item.resolve_data.markdown()));
        let forms = signature_help(&file, offset).into_iter().flat_map(|help| help.forms);
        found.extend(forms.map(|form| form.meaning.to_owned()));
    }
    assert!(file.first_error().is_none() || text.ends_with(ERROR), "{:?}", file.first_error());
    let prompt = &file.program().tests.first().expect("a test").prompt;
    let watched = WatchValues::new(&file, prompt.into(), &AtomicBool::new(false));
    let hints = inlay_hints(&file, None, watched.as_ref(), Span::new(0, u32::MAX), InlayHintSettings::default());
    found.extend(hints.into_iter().filter_map(|hint| hint.tooltip));
    found
}

fn options() -> Options {
    Options::all() - Options::ENABLE_SMART_PUNCTUATION - Options::ENABLE_SUPERSCRIPT
}

/// The tags that Markdown shows, and its text without white space, which columns and line breaks change.
fn shown(markdown: &str) -> Vec<(String, String)> {
    let events = TextMergeStream::new(Parser::new_ext(markdown, options()));
    let show = |event: Event<'_>| match event {
        Event::Text(text) => ("text".to_owned(), dense(&text)),
        Event::Code(code) => ("code".to_owned(), dense(&code)),
        other => (format!("{other:?}"), String::new()),
    };
    events.map(show).collect()
}

fn dense(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The tags and text with a hostile word in place of the plain one.
fn with_word((kind, text): &(String, String), word: &str) -> (String, String) {
    (kind.clone(), text.replace(PLAIN, &dense(word)))
}

/// The addresses in plain text that editors turn into links by themselves.
fn bare_links(markdown: &str) -> Vec<String> {
    let mut in_block = false;
    let mut found = Vec::new();
    for (event, range) in Parser::new_ext(markdown, options()).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_block = true,
            Event::End(TagEnd::CodeBlock) => in_block = false,
            // An escape splits an address, so it is not seen as one.
            Event::Text(_) if !in_block => {
                let text = markdown.get(range).expect("a range of the text").to_lowercase();
                let is_inside = |sign: char| {
                    let sides = text.split(sign).zip(text.split(sign).skip(1));
                    let mut sides = sides.map(|(name, host)| (name.chars().last(), host.chars().next()));
                    let is_word = |side: Option<char>| side.is_some_and(char::is_alphanumeric);
                    sides.any(|(name, host)| is_word(name) && is_word(host))
                };
                let has_host = text.strip_prefix('/').unwrap_or(&text).contains("//");
                let is_address = has_host || is_inside('.') || is_inside('@');
                found.extend(is_address.then_some(text));
            }
            _ => {}
        }
    }
    found
}

#[test]
fn text_of_a_program_is_shown_unchanged() {
    let number = |name, default| std::env::var(name).map_or(default, |text| text.parse().expect("a number"));
    // Each word is tried in hundreds of places.
    let (words, seed) = (number("CASES", 240) / 20, number("SEED", 1));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let random: Vec<String> = (0..words).map(|_| random_word(&mut rng)).collect();
    for sound in [true, false] {
        let plain: Vec<_> = markdown(&program(PLAIN, sound)).iter().map(|markdown| shown(markdown)).collect();
        assert!(plain.len() > 100 && plain.iter().flatten().filter(|(_, text)| text.contains(PLAIN)).count() > 100);
        for word in HOSTILE.into_iter().chain(random.iter().map(String::as_str)) {
            let hostile = markdown(&program(word, sound));
            assert_eq!(hostile.len(), plain.len(), "{word:?} changes the number of parts");
            for (markdown, plain) in hostile.iter().zip(&plain) {
                let expected = plain.iter().map(|it| with_word(it, word)).collect::<Vec<_>>();
                assert_eq!(shown(markdown), expected, "{word:?} in\n{markdown}");
                assert_eq!(bare_links(markdown), Vec::<String>::new(), "{word:?} in\n{markdown}");
            }
        }
    }
}
