//! Lines added to a program.

use std::collections::{BTreeMap, BTreeSet};

use psl_ide::File;
use psl_syntax::{
    Span, Tree,
    diagnostic::Edit,
    token::Kind,
    tree::{Directive, DirectiveKind},
};

use super::{reading::readings, test_lines::TestLines};

/// The program with its tests, and with comments on lines that the reference compiler reads differently.
pub fn text(program: &File, tests: &TestLines) -> String {
    let tree = &program.checked().tree;
    let mut comments: BTreeMap<Place<'_>, BTreeSet<String>> = BTreeMap::new();
    for found in readings(program) {
        comments.entry(Place::above(tree, found.span)).or_default().insert(sentence(&found.message));
    }
    let comments = comments.into_iter().map(|(place, sentences)| place.comment(tree.line_end(), &sentences));
    let mut edits: Vec<Edit> = test_lines(tree, &tests.lines).into_iter().chain(comments).collect();
    edits.sort_by_key(|edit| edit.span);
    Edit::apply(&edits, &tree.text).unwrap_or_else(|| tree.text.to_string())
}

/// Inserts tests below the last test or, if there is none, below the comment at the start.
fn test_lines(tree: &Tree, lines: &[String]) -> Option<Edit> {
    let (text, end) = (&tree.text, tree.line_end());
    if lines.is_empty() {
        return None;
    }
    let lines = lines.join(end);
    let is_test = |directive: &&Directive| matches!(directive.kind, DirectiveKind::Test { .. });
    if let Some(last) = tree.directives.iter().rfind(is_test) {
        return Some(insert(last.span.end as usize, format!("{end}{lines}")));
    }
    let mut at = 0;
    while is_comment(text, at) {
        at = next_line(text, at);
    }
    let above = if at > 0 { end } else { "" };
    let below = if line(text, at).trim().is_empty() { "" } else { end };
    Some(insert(at, format!("{above}{lines}{end}{below}")))
}

/// The place of a comment.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place<'t> {
    /// The start of a line.
    at: usize,
    indentation: &'t str,
    /// Whether a blank line must follow, because the comment would otherwise become the label of a statement.
    blank_below: bool,
}

impl<'t> Place<'t> {
    /// The place above the line on which a span starts and, for a statement, above the comments above that line.
    fn above(tree: &'t Tree, span: Span) -> Self {
        let text = &tree.text;
        let mut at = line_start(text, span.start as usize);
        let line = line(text, at);
        let indentation = line.get(..line.len() - line.trim_start().len()).unwrap_or_default();
        let mut blank_below = false;
        if starts_statement(tree, at) {
            blank_below = true;
            while let Some(above) = line_above(text, at).filter(|above| is_comment(text, *above)) {
                at = above;
                blank_below &= is_directive(text, above);
            }
        }
        Self { at, indentation, blank_below }
    }

    fn comment(self, line_end: &str, sentences: &BTreeSet<String>) -> Edit {
        // After a `#`, the reference compiler would end the comment at a `//` in the sentence.
        let line = |sentence: &String| format!("{}// {sentence}{line_end}", self.indentation);
        let lines: String = sentences.iter().map(line).collect();
        insert(self.at, if self.blank_below { lines + line_end } else { lines })
    }
}

/// A message as a sentence.
fn sentence(message: &str) -> String {
    let mut chars = message.chars();
    let first = chars.next().map(|char| char.to_ascii_uppercase());
    first.into_iter().chain(chars).chain(['.']).collect()
}

fn insert(at: usize, text: String) -> Edit {
    Edit { span: Span::from(at..at), text }
}

/// Whether the first code on the line that starts at an offset starts a statement, which can have a label.
fn starts_statement(tree: &Tree, start: usize) -> bool {
    let tokens = &tree.tokens.code;
    let first = tokens.get(tokens.partition_point(|token| token.span.range().start < start));
    first.is_some_and(|first| {
        let statement = matches!(first.kind, Kind::Where | Kind::WhereLm | Kind::WhereRm | Kind::Repeat);
        statement && first.span.range().start < start + line(&tree.text, start).len()
    })
}

const LINE_ENDS: [char; 2] = ['\n', '\r'];

const WHOLE_LINE_ENDS: [&str; 3] = ["\r\n", "\n", "\r"];

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind(LINE_ENDS)).map_or(0, |end| end + 1)
}

/// The start of the line above the one that starts at an offset.
fn line_above(text: &str, start: usize) -> Option<usize> {
    let before = text.get(..start)?;
    let above = WHOLE_LINE_ENDS.into_iter().find_map(|end| before.strip_suffix(end))?;
    Some(line_start(text, above.len()))
}

/// The line that starts at an offset, without its end.
fn line(text: &str, start: usize) -> &str {
    text.get(start..).and_then(|rest| rest.split(LINE_ENDS).next()).unwrap_or_default()
}

/// The start of the line after the one that starts at an offset, or the end of the text.
fn next_line(text: &str, start: usize) -> usize {
    let end = start + line(text, start).len();
    let rest = text.get(end..).unwrap_or_default();
    end + WHOLE_LINE_ENDS.into_iter().find(|end| rest.starts_with(end)).map_or(0, str::len)
}

fn is_comment(text: &str, start: usize) -> bool {
    let line = line(text, start).trim_start();
    line.starts_with('#') || line.starts_with("//")
}

fn is_directive(text: &str, start: usize) -> bool {
    let line = line(text, start).trim_start();
    line.starts_with("#@") || line.starts_with("//@")
}
