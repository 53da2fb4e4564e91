//! Programs and examples of the reference implementation, as PSL with tests.
//!
//! ```text
//! Examples::parse(yaml)             -> the examples, or the first error with its place
//! TestLines::new(examples, program) -> `//@ test` lines, and notes about examples that changed
//! text(program, tests)              -> the program with its tests, and comments on lines that the reference reads differently
//! ```
//!
//! Invariant: the imported program is the given one with whole lines of comments added. It compiles to the same QKVL,
//! labels included.

mod examples;
mod insertion;
mod lines;
mod reading;
mod test_lines;

pub use examples::Examples;
pub use insertion::text;
pub use reading::with_readings;
pub use test_lines::TestLines;

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use psl_program::{Emit, File};
    use psl_syntax::program::TestPrompt;
    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng, seq::IndexedRandom};

    use super::*;

    const YAML: &str = "examples:\n  # tested\n  a:  {prompt: \"Q a\", gold: 'b .'}\n  'b c':\n    prompt: |\n      x\n      y\n    \
                        gold: &g \"\\\"z\\\" .\"\n  json: {prompt: 1 0, gold: *g, level: [1, {a: b}]}\n";

    const PROGRAM: &str = "# title\n# by me // here\nregisters {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B: 'b', \
                           slash: \"//\"}\n//@ max-new 9\n//@ test a \"A\" => \"B .\"\n\n# one # two\n//@ allow never-fires\nwhere \
                           symbol[N] != A and symbol[N] != B: # a\n    mark[N]\t= A\n    # inside // it\n    symbol[N] = B\n\
                           repeat:\n    //@ allow never-fires\n    where mark[n] == A and mark[n] == B: mark[N] = A where \
                           position[N] == position[N]:\n      mark[N] = slash\nuntil mark[N] == A\n";

    /// Pieces of both texts.
    const PIECES: [&str; 24] = [
        "\n",
        "\r",
        "\r\n",
        "\t",
        " ",
        "#",
        "//",
        "//@",
        "\"",
        "'",
        "\\",
        "\u{feff}",
        "\0",
        "é",
        "{",
        "}",
        "[",
        "&g ",
        "*g",
        ": ",
        "- ",
        "? ",
        "|\n",
        "where position[N] == position[N]:\n    mark[N] = A\n",
    ];

    /// A text with random edits: cuts, copies of its parts, and pieces.
    fn edited(text: &str, random: &mut ChaCha8Rng) -> String {
        let mut chars: Vec<char> = text.chars().collect();
        for _ in 0..random.random_range(0..6) {
            let start = random.random_range(0..=chars.len());
            let end = random.random_range(start..=chars.len().min(start + 20));
            let piece: Vec<char> = match random.random_range(0..3) {
                0 => Vec::new(),
                1 => {
                    let from = random.random_range(0..=chars.len());
                    chars.iter().skip(from).take(20).copied().collect()
                }
                _ => PIECES.choose(random).map_or_else(Vec::new, |piece| piece.chars().collect()),
            };
            let cut = if random.random() { start..start } else { start..end };
            chars.splice(cut, piece);
        }
        chars.into_iter().collect()
    }

    fn qkvl(file: &File) -> Option<String> {
        psl_program::compile(file, Emit::Qkvl).ok().map(|compiled| compiled.text)
    }

    /// The prompt and the gold of each test of a program.
    fn tests_of(file: &File) -> Vec<(TestPrompt, String)> {
        let tests = &file.program().tests;
        tests.iter().map(|test| (test.prompt.clone(), test.gold.clone())).collect()
    }

    #[test]
    fn every_text_is_imported_whole_or_refused() {
        let mut random = ChaCha8Rng::seed_from_u64(17);
        let (mut imported, mut tested) = (0, 0);
        for _ in 0..4000 {
            let program = edited(PROGRAM, &mut random);
            let program = File::new(program.trim_start_matches('\u{feff}'), Arc::default());
            let yaml = edited(YAML, &mut random);
            let examples = Examples::parse(&yaml).unwrap_or_default();
            let tests = TestLines::new(&examples, &program);
            let count = tests.lines.iter().filter(|line| line.starts_with("//@ test ")).count();
            let result = File::new(text(&program, &tests), Arc::default());
            let Some(expected) = qkvl(&program) else { continue };
            assert_eq!(qkvl(&result), Some(expected), "{}", program.text());
            let (before, after) = (tests_of(&program), tests_of(&result));
            assert_eq!(after.len(), before.len() + count, "{}", result.text());
            let added = result.text().split(['\n', '\r']).filter(|line| !program.text().contains(line));
            assert!(added.map(str::trim_start).all(|line| line.starts_with("//")), "{}", result.text());
            imported += 1;
            tested += count;
        }
        assert!(imported > 200 && tested > 200, "{imported} programs, {tested} tests");
    }
}
