//! Reads, completes and explains random texts as `psl.toml`.

use psl_ide::{config_completions, config_hover};
use psl_program::Config;
use psl_syntax::Span;
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng, seq::IndexedRandom};

const PIECES: [&str; 32] = [
    "[severity]",
    "[paths]",
    "[",
    "]",
    "severity",
    "paths",
    "non-causal",
    "syntax",
    "stop",
    "max-file-size",
    "include",
    ".",
    "=",
    " ",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "#",
    "\"",
    "'",
    "\"\"\"",
    "\"off\"",
    "'error'",
    "1",
    "é",
    "𝔸",
    "{",
    "}",
    ",",
    "\\",
    "\u{feff}",
];

fn random_text(random: &mut ChaCha8Rng) -> String {
    (0..random.random_range(0..24)).map(|_| *PIECES.choose(random).expect("a piece")).collect()
}

fn is_part(span: Span, text: &str) -> bool {
    text.get(span.range()).is_some()
}

#[test]
fn random_texts_are_read_completed_and_explained() {
    let (mut read, mut completed, mut explained) = (0, 0, 0);
    for seed in 0..20_000 {
        let random = &mut ChaCha8Rng::seed_from_u64(seed);
        let text = random_text(random);
        match Config::parse(&text) {
            Ok(_) => read += 1,
            Err(errors) => {
                assert!(!errors.is_empty(), "{text:?}");
                assert!(errors.iter().all(|error| is_part(error.span, &text)), "{text:?}: {errors:?}");
                assert!(errors.is_sorted_by_key(|error| error.span.start), "{text:?}: {errors:?}");
            }
        }
        let offset = text.floor_char_boundary(random.random_range(0..=text.len())) as u32;
        let (items, replaced) = config_completions(&text, offset);
        assert!(is_part(replaced, &text) && replaced.touches(offset), "{text:?} at {offset}: {replaced:?}");
        completed += usize::from(!items.is_empty());
        if let Some(span) = config_hover(&text, offset).map(|hover| hover.span) {
            assert!(is_part(span, &text) && span.touches(offset), "{text:?} at {offset}: {span:?}");
            explained += 1;
        }
    }
    assert!(read > 1_000 && completed > 1_000 && explained > 100, "{read}, {completed}, {explained}");
}
