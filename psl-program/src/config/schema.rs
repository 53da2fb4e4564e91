//! The JSON schema of `psl.toml`, for editors of TOML.

use psl_syntax::Code;
use serde_json::{Map, Value as Json, json};

use super::{
    keys::{KEYS, Key, Value},
    values::{LEVELS, MAX_MAX_FILE_SIZE},
};

/// The JSON schema (draft 7) of `psl.toml`.
pub fn schema() -> Json {
    let mut schema = object(&json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "psl.toml",
        "description": "The configuration of the PSL tools for a folder of programs.",
    }));
    schema.extend(table(KEYS));
    Json::Object(schema)
}

fn table(keys: &[Key]) -> Map<String, Json> {
    let properties = keys.iter().map(|key| {
        let mut property = match key.value {
            Value::Table(keys) => table(keys),
            Value::Severities => severities(),
            // One symbol has no white space.
            Value::Symbol(_) => object(&json!({"type": "string", "pattern": "^\\S+$"})),
            Value::Size(_) => object(&json!({"type": "integer", "minimum": 1, "maximum": MAX_MAX_FILE_SIZE})),
            Value::Patterns(_) => object(&json!({"type": "array", "items": {"type": "string"}})),
        };
        property.insert("description".to_owned(), key.about.into());
        (key.name, property)
    });
    closed(properties)
}

fn severities() -> Map<String, Json> {
    let levels = LEVELS.map(|(name, _)| name);
    closed(Code::ALL.iter().map(|code| {
        let levels: &[&str] = if code.is_error() { &["error"] } else { &levels };
        (code.as_str(), object(&json!({"enum": levels, "description": code.entry().summary})))
    }))
}

/// A table that allows these properties only.
fn closed<'p>(properties: impl Iterator<Item = (&'p str, Map<String, Json>)>) -> Map<String, Json> {
    let properties: Map<String, Json> = properties.map(|(name, it)| (name.to_owned(), Json::Object(it))).collect();
    object(&json!({"type": "object", "additionalProperties": false, "properties": properties}))
}

fn object(value: &Json) -> Map<String, Json> {
    value.as_object().cloned().unwrap_or_default()
}
