//! Lines added to a program.

use std::collections::{BTreeMap, BTreeSet};

use psl_program::File;
use psl_syntax::{
    Span, Tree,
    diagnostic::Edit,
    token::Kind,
    tree::{Directive, DirectiveKind},
};

use super::{lines::DataLines, reading::readings, test_lines::TestLines};

/// The program with its tests, and with comments on lines that the reference compiler reads differently.
pub fn text(program: &File, tests: &TestLines) -> String {
    let tree = &program.checked().tree;
    let lines = DataLines::new(&tree.text);
    let mut edits: Vec<Edit> = test_lines(tree, &lines, &tests.lines).into_iter().collect();
    edits.extend(comments(program, tree, &lines));
    edits.sort_by_key(|edit| edit.span);
    Edit::apply(&edits, &tree.text).unwrap_or_else(|| tree.text.to_string())
}

/// Inserts tests below the last test or, if there is none, below the comment at the start.
fn test_lines(tree: &Tree, lines: &DataLines<'_>, tests: &[String]) -> Option<Edit> {
    if tests.is_empty() {
        return None;
    }
    let end = tree.line_end();
    let tests = tests.join(end);
    let is_test = |directive: &&Directive| matches!(directive.kind, DirectiveKind::Test { .. });
    if let Some(last) = tree.directives.iter().rfind(is_test) {
        return Some(insert(last.span.end as usize, format!("{end}{tests}")));
    }
    let below_comment = (0..lines.count()).find(|line| !lines.is_comment(*line)).unwrap_or_default();
    let above = if below_comment > 0 { end } else { "" };
    let below = if lines.text(below_comment).trim().is_empty() { "" } else { end };
    Some(insert(lines.range(below_comment).start, format!("{above}{tests}{end}{below}")))
}

/// Inserts comments above the lines that the reference compiler reads differently.
fn comments<'t>(program: &File, tree: &'t Tree, lines: &DataLines<'t>) -> impl Iterator<Item = Edit> {
    let mut by_line: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for found in readings(program) {
        by_line.entry(lines.at(found.span.range().start)).or_default().insert(sentence(&found.message));
    }
    let mut by_place: BTreeMap<CommentPlace<'_>, BTreeSet<String>> = BTreeMap::new();
    for (line, sentences) in by_line {
        by_place.entry(CommentPlace::above(tree, lines, line)).or_default().extend(sentences);
    }
    by_place.into_iter().map(|(place, sentences)| place.comment(tree.line_end(), &sentences))
}

/// The line at which a comment is inserted.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct CommentPlace<'t> {
    /// The start of a line.
    start: usize,
    indentation: &'t str,
    /// Whether a blank line must follow, because the comment would otherwise become the label of a statement.
    blank_below: bool,
}

impl<'t> CommentPlace<'t> {
    /// Returns the place above a line. For the first line of a statement, that is above its comments.
    fn above(tree: &Tree, lines: &DataLines<'t>, line: usize) -> Self {
        let text = lines.text(line);
        let indentation = text.get(..text.len() - text.trim_start().len()).unwrap_or_default();
        let statement = starts_statement(tree, lines, line);
        let mut first = line;
        let mut blank_below = statement;
        while statement && let Some(above) = first.checked_sub(1).filter(|above| lines.is_comment(*above)) {
            first = above;
            blank_below &= lines.is_directive(above);
        }
        Self { start: lines.range(first).start, indentation, blank_below }
    }

    fn comment(self, line_end: &str, sentences: &BTreeSet<String>) -> Edit {
        // After a `#`, the reference compiler would end the comment at a `//` in the sentence.
        let line = |sentence: &String| format!("{}// {sentence}{line_end}", self.indentation);
        let lines: String = sentences.iter().map(line).collect();
        insert(self.start, if self.blank_below { lines + line_end } else { lines })
    }
}

/// Whether the first code on a line starts a statement, which can have a label.
fn starts_statement(tree: &Tree, lines: &DataLines<'_>, line: usize) -> bool {
    let range = lines.range(line);
    let tokens = &tree.tokens.code;
    let first = tokens.get(tokens.partition_point(|token| token.span.range().start < range.start));
    first.is_some_and(|first| {
        let statement = matches!(first.kind, Kind::Where | Kind::WhereLm | Kind::WhereRm | Kind::Repeat);
        statement && range.contains(&first.span.range().start)
    })
}

fn sentence(message: &str) -> String {
    let mut chars = message.chars();
    let first = chars.next().map(|char| char.to_ascii_uppercase());
    first.into_iter().chain(chars).chain(['.']).collect()
}

fn insert(at: usize, text: String) -> Edit {
    Edit { span: Span::from(at..at), text }
}
