//! Checks the texts of the repository against `docs/style.md`.

use std::{fs, path::Path};

use psl_syntax::check;

use super::{
    findings::{each_exempts, exempts, none},
    source::{all_files, root},
};

/// Texts with turns that are not written here, are generated, or quote them.
const EXEMPT: [&str; 6] =
    ["docs/style.md", "tests/house/style.rs", "tests/fuzz/corpus/*", "tests/golden/*", "LICENSE-APACHE", "LICENSE-MIT"];

/// A turn to avoid.
struct Turn {
    avoid: String,
    write: String,
    /// Longer turns that contain it and are fine.
    fine: Vec<String>,
}

/// The running text of a file: lower case, without comment marks, with one blank for each line break.
struct Text {
    words: String,
    /// The offset in `words` at which each line starts.
    lines: Vec<usize>,
}

fn extension(path: &str) -> Option<&str> {
    Path::new(path).extension()?.to_str()
}

fn turns() -> Vec<Turn> {
    let style = fs::read_to_string(root().join("docs/style.md")).expect("the style guide");
    let (_, list) = style.split_once("\n## Turns to avoid\n").expect("the list of turns");
    let rows = list.lines().filter(|line| line.starts_with("| ")).skip(1);
    rows.flat_map(row_turns).collect()
}

/// The turns of a row `| turn, … | write | fine, … | why |`.
fn row_turns(row: &str) -> Vec<Turn> {
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    let ["", avoid, write, fine, why, ""] = cells[..] else { panic!("expected four columns: {row}") };
    assert!(!write.is_empty() && !why.is_empty(), "nothing to write, or no reason: {row}");
    let list = |cell: &str| -> Vec<String> {
        cell.split(',').map(|turn| turn.trim().to_lowercase()).filter(|turn| !turn.is_empty()).collect()
    };
    let turn = |avoid| Turn { avoid, write: write.to_owned(), fine: list(fine) };
    list(avoid).into_iter().map(turn).collect()
}

/// The paths of the texts that are written here.
fn texts() -> Vec<String> {
    all_files().into_iter().filter(|path| !EXEMPT.iter().any(|exempt| exempts(exempt, path))).collect()
}

impl Text {
    fn new(text: &str) -> Self {
        let (mut words, mut lines) = (String::new(), Vec::new());
        for line in text.to_lowercase().lines() {
            lines.push(words.len());
            let line = line.trim().trim_start_matches(['/', '!', '#', '-', '*', ';']).trim();
            words.push_str(line.strip_suffix('\\').unwrap_or(line).trim_end());
            words.push(' ');
        }
        Self { words, lines }
    }

    /// The 1-based lines on which a turn starts that is not part of a fine one.
    fn find(&self, turn: &Turn) -> Vec<usize> {
        let is_word = |char: Option<char>| char.is_some_and(char::is_alphanumeric);
        let whole = |start: usize, end: usize| {
            !is_word(self.words[..start].chars().next_back())
                && (!is_word(turn.avoid.chars().next_back()) || !is_word(self.words[end..].chars().next()))
        };
        let is_fine = |start: usize, end: usize| {
            turn.fine.iter().any(|fine| {
                fine.match_indices(&turn.avoid).any(|(before, _)| {
                    start.checked_sub(before).is_some_and(|from| {
                        self.words.get(from..).is_some_and(|text| text.starts_with(fine.as_str()))
                            && from + fine.len() >= end
                    })
                })
            })
        };
        self.words
            .match_indices(&turn.avoid)
            .map(|(start, _)| (start, start + turn.avoid.len()))
            .filter(|&(start, end)| whole(start, end) && !is_fine(start, end))
            .map(|(start, _)| self.lines.partition_point(|&line| line <= start))
            .collect()
    }
}

#[test]
fn no_text_uses_a_turn_to_avoid() {
    let (turns, paths) = (turns(), all_files());
    assert!(turns.len() > 40 && paths.len() > 1000, "{} turns, {} texts", turns.len(), paths.len());
    let (mut found, mut exempt) = (Vec::new(), Vec::new());
    for path in paths {
        // Pictures are the only files that are not text.
        let Ok(text) = fs::read_to_string(root().join(&path)) else { continue };
        let text = Text::new(&text);
        let lines = |turn: &Turn| {
            let lines = text.find(turn).into_iter();
            lines.map(|line| format!("{path}:{line}: \"{}\": {}", turn.avoid, turn.write)).collect::<Vec<_>>()
        };
        if EXEMPT.iter().any(|exemption| exempts(exemption, &path)) {
            exempt.extend(turns.iter().any(|turn| !text.find(turn).is_empty()).then_some(path));
        } else {
            found.extend(turns.iter().flat_map(lines));
        }
    }
    none(&found, "Write what docs/style.md has in place of these turns.");
    each_exempts(&EXEMPT, &exempt);
}

/// Words that no docstring starts with: a noun phrase or a verb says more, and a pronoun leaves its subject open.
const OPENINGS: [&str; 17] = [
    "What ",
    "How ",
    "Where ",
    "Says ",
    "Nothing ",
    "It ",
    "They ",
    "Its ",
    "Their ",
    "This ",
    "These ",
    "The same ",
    "Whether it ",
    "Whether they ",
    "Whether there ",
    "Whether this ",
    "Whether that ",
];

/// The 1-based lines of docstrings that start with such words.
fn vague_openings(text: &str) -> Vec<usize> {
    let mut inside = false;
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let docs = line.trim_start().strip_prefix("///").or(line.strip_prefix("//!"));
        let opening = docs.filter(|_| !inside).map(str::trim_start).unwrap_or_default();
        if OPENINGS.iter().any(|word| opening.starts_with(word)) {
            found.push(number + 1);
        }
        inside = docs.is_some();
    }
    found
}

#[test]
fn docstrings_start_with_a_noun_or_a_verb() {
    let mut found = Vec::new();
    for path in texts().into_iter().filter(|path| extension(path) == Some("rs")) {
        let text = fs::read_to_string(root().join(&path)).expect("a file of Rust");
        found.extend(vague_openings(&text).into_iter().map(|line| format!("{path}:{line}")));
    }
    none(&found, "Start docstrings with a noun phrase that names its subject, or with a verb.");
}

#[test]
fn a_vague_opening_is_found_unless_it_continues_a_docstring() {
    for opening in OPENINGS {
        let text = format!("//! {opening}module.\n\n/// A docstring.\n/// {opening}line.\n    /// {opening}field.\n");
        assert_eq!(vague_openings(&text), [1], "{opening}");
        let field = format!("/// A type.\nstruct Type {{\n    /// {opening}field.\n    field: u8,\n}}\n");
        assert_eq!(vague_openings(&field), [3], "{opening}");
    }
    assert!(vague_openings("/// Whether its cells match.\n// It is a comment.\n/// Items.\n").is_empty());
}

/// Lines of comments that are too long for the editor's margin. The formatter does not wrap comments. Rows of tables
/// and lines of code stay whole.
fn wide_comments(text: &str) -> Vec<usize> {
    let mut code = false;
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        let Some(comment) = trimmed.strip_prefix("//") else { continue };
        let comment = comment.trim_start_matches(['/', '!']).trim_start();
        code ^= comment.starts_with("```");
        if !code && !comment.starts_with(['|', '@']) && line.chars().count() > 120 {
            found.push(number + 1);
        }
    }
    found
}

#[test]
fn comments_fit_in_120_columns() {
    let mut found = Vec::new();
    for path in texts().into_iter().filter(|path| extension(path) == Some("rs")) {
        let text = fs::read_to_string(root().join(&path)).expect("a file of Rust");
        found.extend(wide_comments(&text).into_iter().map(|line| format!("{path}:{line}")));
    }
    assert!(found.is_empty(), "{} lines:\n{}", found.len(), found.join("\n"));
}

#[test]
fn a_wide_comment_is_found_unless_it_is_a_row_or_code() {
    let wide = "wide ".repeat(30);
    assert_eq!(
        wide_comments(&format!("/// Narrow.\n    // {wide}\n/// | {wide}\n//! ```\n//! {wide}\n//! ```\n")),
        [2]
    );
}

#[test]
fn a_turn_is_found_across_lines_and_not_within_a_fine_one() {
    let turn = Turn { avoid: "is no".into(), write: "is not a".into(), fine: vec!["there is no".into()] };
    let text = Text::new("/// It Is\n/// no cell.\n// There is no cell.\n# This noun is nothing.\n");
    assert_eq!(text.find(&turn), [1]);
}

#[test]
fn every_turn_of_the_list_is_found() {
    for turn in turns() {
        let planted = format!("A first line.\n/// The {}\n", turn.avoid);
        assert_eq!(Text::new(&planted).find(&turn), [2], "{}", turn.avoid);
        for fine in &turn.fine {
            assert!(Text::new(fine).find(&turn).is_empty(), "{fine}");
        }
    }
}

#[test]
fn a_row_of_the_list_has_several_turns_and_a_reason() {
    let turns = row_turns("| Is No, are no | is not a | there is no, there are no | sounds like a verdict |");
    let shown: Vec<_> = turns.iter().map(|turn| (&*turn.avoid, &*turn.write, turn.fine.len())).collect();
    assert_eq!(shown, [("is no", "is not a", 2), ("are no", "is not a", 2)]);
    assert!(std::panic::catch_unwind(|| row_turns("| is no | is not a | |")).is_err());
    assert!(std::panic::catch_unwind(|| row_turns("| is no | is not a | | |")).is_err());
}

/// Checks for lower case, except an abbreviation, and for no full stop.
fn check_phrase(kind: &str, text: &str, path: &str) {
    let mut chars = text.chars();
    let is_capitalized = chars.next().is_some_and(char::is_uppercase) && chars.next().is_some_and(char::is_lowercase);
    assert!(!is_capitalized, "{path}: a {kind} starts in lower case: {text}");
    assert!(!text.ends_with('.') && !text.ends_with('!'), "{path}: a {kind} has no full stop: {text}");
    assert!(text.matches('`').count().is_multiple_of(2), "{path}: a code mark is open: {text}");
}

/// Checks for a capital letter and no full stop.
fn check_title(text: &str, path: &str) {
    let first = text.chars().next().expect("a text");
    assert!(!first.is_lowercase(), "{path}: a title starts with a capital letter: {text}");
    assert!(!text.ends_with('.'), "{path}: a title has no full stop: {text}");
}

#[test]
fn diagnostics_have_their_form() {
    let mut seen = 0;
    for path in
        texts().into_iter().filter(|path| path.starts_with("tests/diagnostics/") && extension(path) == Some("psl"))
    {
        let text = fs::read_to_string(root().join(&path)).expect("a program");
        for diagnostic in check(&text).diagnostics {
            check_phrase("message", &diagnostic.message, &path);
            diagnostic.labels.iter().for_each(|label| check_phrase("label", &label.message, &path));
            diagnostic.help.iter().for_each(|help| check_phrase("help", help, &path));
            diagnostic.fixes.iter().for_each(|fix| check_title(&fix.title, &path));
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen} diagnostics");
}

#[test]
fn commands_of_the_editor_have_titles() {
    let path = "editors/vscode/package.json";
    let manifest = fs::read_to_string(root().join(path)).expect("the manifest");
    let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("JSON");
    let commands = manifest["contributes"]["commands"].as_array().expect("commands");
    assert!(!commands.is_empty());
    for command in commands {
        check_title(command["title"].as_str().expect("a title"), path);
    }
}
