//! JSON and checks of its shape.

use std::{collections::HashSet, fmt};

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::error::{Read, error};
use crate::qkvl::{program::Program, words::nesting_help};

pub(super) const TOP: &str = "the file";

/// Parses JSON that may be nested as deeply as repeat blocks. Readers of JSON differ in which of two values of a key
/// they take, so a key must not occur twice in an object.
pub(crate) fn parse<T: DeserializeOwned>(text: &str) -> Read<serde_json::Result<T>> {
    // A repeat block opens at most two objects and a list.
    if bracket_depth(text) > 3 * Program::MAX_NESTING + 8 {
        return error(TOP, "brackets are nested too deeply", nesting_help());
    }
    match read::<UniqueKeys>(text) {
        Err(cause) if cause.is_data() => error(TOP, cause.to_string(), "remove one of the two"),
        Err(cause) => Ok(Err(cause)),
        Ok(UniqueKeys) => Ok(read(text)),
    }
}

fn read<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    T::deserialize(&mut reader).and_then(|json| reader.end().map(|()| json))
}

/// Any JSON without an object that has a key twice.
struct UniqueKeys;

impl<'de> Deserialize<'de> for UniqueKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for UniqueKeys {
    type Value = Self;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self, A::Error> {
        let mut keys = HashSet::new();
        while let Some(key) = map.next_key::<String>()? {
            if keys.contains(&key) {
                return Err(A::Error::custom(format!("duplicate key `{key}`")));
            }
            keys.insert(key);
            map.next_value::<Self>()?;
        }
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self, A::Error> {
        while list.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }
}

/// The depth of the nested brackets outside strings. It is computed before parsing, because the parser recurses.
fn bracket_depth(text: &str) -> usize {
    let (mut depth, mut deepest, mut quoted, mut escaped) = (0_usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

pub(super) fn object<'j>(json: &'j Value, place: &str) -> Read<&'j Map<String, Value>> {
    json.as_object().map_or_else(|| error(place, format!("expected an object, found {}", kind(json)), APP_J), Ok)
}

pub(super) const APP_J: &str = "see App. J of the paper for the format";

pub(super) fn string<'j>(json: &'j Value, place: &str) -> Read<&'j str> {
    json.as_str()
        .map_or_else(|| error(place, format!("expected a string, found {}", kind(json)), "put it in quotes"), Ok)
}

pub(super) fn strings<'j>(json: &'j Value, place: &str) -> Read<Vec<&'j str>> {
    match json.as_array() {
        Some(list) => list.iter().map(|entry| string(entry, place)).collect(),
        None => error(place, format!("expected a list, found {}", kind(json)), APP_J),
    }
}

pub(super) fn required<'j>(object: &'j Map<String, Value>, key: &str) -> Read<&'j Value> {
    object.get(key).map_or_else(|| error(TOP, format!("`{key}` is missing"), APP_J), Ok)
}

pub(super) const fn kind(json: &Value) -> &'static str {
    match json {
        Value::Null => "null",
        Value::Bool(_) => "a Boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
