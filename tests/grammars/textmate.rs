//! The `TextMate` grammar, generated from `grammars/psl.tmLanguage.template.json`. In the template, a scope is `@` and
//! a row of the color table, and `{{name}}` in a pattern stands for one of the `pieces`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::table::{Table, table};

/// The scope of a row, with the suffix for PSL.
pub fn scope(row: &BTreeMap<String, String>) -> String {
    format!("{}.psl", row["textmate"])
}

/// Generates the grammar.
pub fn grammar() -> String {
    let template = include_str!("../../grammars/psl.tmLanguage.template.json");
    let mut template: Map<String, Value> = serde_json::from_str(template).expect("the template is JSON");
    let pieces = template.remove("pieces").expect("the template has pieces");
    let made = filled(&Value::Object(template), &pieces, &table());
    serde_json::to_string_pretty(&made).expect("the grammar is JSON") + "\n"
}

fn filled(template: &Value, pieces: &Value, table: &Table) -> Value {
    let fill = |value| filled(value, pieces, table);
    match template {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), fill(value))).collect(),
        Value::Array(items) => items.iter().map(fill).collect(),
        Value::String(text) => match text.strip_prefix('@') {
            Some(row) => scope(table.get(row).unwrap_or_else(|| panic!("unknown row {row}"))).into(),
            None => put_together(text, pieces).into(),
        },
        other => other.clone(),
    }
}

fn put_together(pattern: &str, pieces: &Value) -> String {
    let Some((before, rest)) = pattern.split_once("{{") else { return pattern.to_owned() };
    let (name, after) = rest.split_once("}}").expect("a closing brace");
    let piece = pieces[name].as_str().unwrap_or_else(|| panic!("unknown piece {name}"));
    format!("{before}{}{}", put_together(piece, pieces), put_together(after, pieces))
}
