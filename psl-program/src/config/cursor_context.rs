//! The context of a cursor in a `psl.toml`, which may be unfinished and not yet valid TOML.

use psl_syntax::Span;

/// The keys around a cursor, and the word at it.
#[derive(Debug, PartialEq, Eq)]
pub struct CursorContext<'t> {
    /// The names of the surrounding tables and keys, without the word itself.
    pub path: Vec<&'t str>,
    /// The word at the cursor, with its quotes.
    pub word: Span,
    /// The kind of that word.
    pub part: Part,
    /// Whether an equals sign follows on the line.
    pub has_value: bool,
}

/// The kind of a word in a `psl.toml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The name of a table, in brackets.
    Table,
    /// The name of a key, before its equals sign.
    Key,
    /// The value of a key, after its equals sign.
    Value,
}

/// Returns the context at an offset, or `None` in a comment.
pub fn cursor_context(text: &str, offset: u32) -> Option<CursorContext<'_>> {
    let before = text.get(..offset as usize)?;
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(start..)?.lines().next().unwrap_or_default();
    let cursor = offset as usize - start;
    let bare = |sign: char| unquoted(line).find(|(_, char)| *char == sign).map(|(at, _)| at);
    if bare('#').is_some_and(|comment| comment < cursor) {
        return None;
    }
    let is_word = |char: char| char.is_ascii_alphanumeric() || "_-".contains(char);
    let is_quote = |char: char| char == '"' || char == '\'';
    let (ahead, rest) = (line.get(..cursor)?, line.get(cursor..)?);
    let mut from = ahead.trim_end_matches(is_word).len();
    let mut to = line.len() - rest.trim_start_matches(is_word).len();
    from -= usize::from(line.get(..from).is_some_and(|ahead| ahead.ends_with(is_quote)));
    to += usize::from(line.get(to..).is_some_and(|rest| rest.starts_with(is_quote)));
    let word = Span::from(start + from..start + to);
    let equals = bare('=');
    let tables = before.get(..start)?.lines().rev().find_map(table_of).unwrap_or_default();
    let has_value = equals.is_some();
    Some(if line.trim_start().starts_with('[') && equals.is_none() {
        let opened = line.get(..from).unwrap_or_default().trim_start().trim_start_matches('[');
        CursorContext { path: names(opened.trim_end().trim_end_matches('.')), word, part: Part::Table, has_value }
    } else if let Some(key) = equals.filter(|equals| *equals < cursor).and_then(|equals| line.get(..equals)) {
        CursorContext { path: [tables, names(key)].concat(), word, part: Part::Value, has_value }
    } else {
        let dotted = line.get(..from).unwrap_or_default().trim_end().trim_end_matches('.');
        CursorContext { path: [tables, names(dotted)].concat(), word, part: Part::Key, has_value }
    })
}

/// Returns the names of the table that a line opens.
fn table_of(line: &str) -> Option<Vec<&str>> {
    let name = line.trim_start().strip_prefix('[')?;
    let end = name.find(']')?;
    name.get(..end).map(names)
}

/// Splits a dotted key.
fn names(key: &str) -> Vec<&str> {
    let names = key.split('.').map(|name| name.trim().trim_matches(['"', '\'']));
    names.filter(|name| !name.is_empty()).collect()
}

/// The characters of a line outside strings.
fn unquoted(line: &str) -> impl Iterator<Item = (usize, char)> {
    let mut quote = None;
    line.char_indices().filter(move |(_, char)| {
        let outside = quote.is_none();
        match quote {
            Some(open) if open == *char => quote = None,
            None if matches!(char, '"' | '\'') => quote = Some(*char),
            _ => {}
        }
        outside
    })
}
