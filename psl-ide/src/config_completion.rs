//! Completion in a `psl.toml`.

use psl_program::config::{
    LEVELS,
    cursor_context::{CursorContext, Part, cursor_context},
    keys::{self, Value},
};
use psl_syntax::{Code, Span};

use crate::completion::{CompletionItem, CompletionKind, item, resolve_data::ResolveData};

/// Returns the completions at a byte offset of a `psl.toml`, and the span that they replace.
pub fn config_completions(text: &str, offset: u32) -> (Vec<CompletionItem>, Span) {
    let Some(place) = cursor_context(text, offset) else { return (Vec::new(), Span::new(offset, offset)) };
    let items = match place.part {
        Part::Table => tables(&place.path, ""),
        Part::Key => [names(&place), if place.path.is_empty() { tables(&[], "[") } else { Vec::new() }].concat(),
        Part::Value => severities(text, &place),
    };
    (items, place.word)
}

/// The tables in the table at a path, with the opening bracket unless it is already there.
fn tables(path: &[&str], bracket: &str) -> Vec<CompletionItem> {
    let keys = keys::keys(path).unwrap_or_default();
    let tables = keys.iter().filter(|key| matches!(key.value, Value::Table(_) | Value::Severities));
    let table = |key: &keys::Key| {
        let about = ResolveData::Setting([path, &[key.name]].concat().join("."));
        let label = if bracket.is_empty() { key.name.to_owned() } else { format!("[{}]", key.name) };
        CompletionItem { filter: Some(key.name.to_owned()), ..item(&label, CompletionKind::Keyword, "table", about) }
    };
    tables.map(table).collect()
}

/// The keys of the table around the cursor.
fn names(place: &CursorContext<'_>) -> Vec<CompletionItem> {
    let with_value = |mut item: CompletionItem, value: &str| {
        if !place.has_value {
            item.snippet = Some(format!("{} = {value}", item.label));
            item.text.push_str(" = ");
        }
        item
    };
    if let Some(Value::Severities) = keys::key(&place.path).map(|key| &key.value) {
        let code = |code: &Code| {
            let entry = code.entry();
            let about = ResolveData::Code(entry.name.to_owned());
            with_value(item(entry.name, CompletionKind::Directive, entry.summary, about), "\"$0\"")
        };
        return Code::ALL.iter().map(code).collect();
    }
    let keys = keys::keys(&place.path).unwrap_or_default().iter();
    let key = |key: &keys::Key| {
        let (detail, value) = match key.value {
            Value::Table(_) | Value::Severities => return None,
            Value::Symbol(_) => ("a symbol", "\"$0\""),
            Value::Size(_) => ("a number of bytes", "$0"),
            Value::Patterns(_) => ("a list of patterns", "[\"$0\"]"),
        };
        let about = ResolveData::Setting([place.path.as_slice(), &[key.name]].concat().join("."));
        Some(with_value(item(key.name, CompletionKind::Directive, detail, about), value))
    };
    keys.filter_map(key).collect()
}

/// The severities that a diagnostic can have.
fn severities(text: &str, place: &CursorContext<'_>) -> Vec<CompletionItem> {
    let [table @ .., code] = place.path.as_slice() else { return Vec::new() };
    let Some(Value::Severities) = keys::key(table).map(|key| &key.value) else { return Vec::new() };
    let errors_only = Code::from_name(code).is_some_and(Code::is_error);
    // A quote that is already typed is replaced, too.
    let mark = place.word.of(text).chars().next().filter(|first| matches!(first, '"' | '\''));
    let levels = LEVELS.into_iter().map(|(name, _)| name).filter(|name| !errors_only || *name == "error");
    let level = |name: &str| CompletionItem {
        filter: Some(mark.map_or_else(|| name.to_owned(), |mark| format!("{mark}{name}{mark}"))),
        ..item(&format!("\"{name}\""), CompletionKind::Constant, "severity", ResolveData::Setting(table.join(".")))
    };
    levels.map(level).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::cursor;

    /// Checks the text after accepting the first completion whose label contains `label`, without snippets, and the
    /// number of completions.
    fn check(marked: &str, label: &str, expected: &str, count: usize) {
        let (file, offset) = cursor(marked);
        let (items, replaced) = config_completions(file.text(), offset);
        assert_eq!(items.len(), count, "{marked}: {items:?}");
        let item = items.iter().find(|item| item.label.contains(label)).expect("it is offered");
        let mut text = file.text().to_owned();
        text.replace_range(replaced.range(), &item.text);
        assert_eq!(text, expected);
    }

    fn nothing(marked: &str) {
        let (file, offset) = cursor(marked);
        assert_eq!(config_completions(file.text(), offset).0, [], "{marked}");
    }

    #[test]
    fn keys_tables_codes_and_severities_are_completed() {
        let codes = Code::ALL.len();
        check("<|>", "stop", "stop = ", 4);
        check("st<|>op = \"a\"", "stop", "stop = \"a\"", 4);
        check("stop = \"a\"\nse<|>", "severity", "stop = \"a\"\n[severity]", 4);
        check("[s<|>]", "severity", "[severity]", 2);
        check("[paths]\n<|>", "include", "[paths]\ninclude = ", 2);
        check("paths.<|>", "include", "paths.include = ", 2);
        check("[severity]\nnon<|>", "non-causal", "[severity]\nnon-causal = ", codes);
        check("[severity] # a\nnon-causal = <|>", "off", "[severity] # a\nnon-causal = \"off\"", 5);
        check("[severity]\r\nnon-causal = \"o<|>\" # b", "off", "[severity]\r\nnon-causal = \"off\" # b", 5);
        check("[severity]\nsyntax = 'e<|>", "error", "[severity]\nsyntax = \"error\"", 1);
        check("severity.non-causal = <|>", "off", "severity.non-causal = \"off\"", 5);
    }

    #[test]
    fn comments_and_values_of_other_kinds_complete_to_nothing() {
        nothing("# <|>");
        nothing("stop = \"a\" # <|>");
        nothing("stop = <|>");
        nothing("[other]\n<|>");
        nothing("[paths]\ninclude = [\"<|>\"]");
        nothing("[severity.x]\n<|>");
    }
}
