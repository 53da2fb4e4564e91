//! Reading QKVL, leniently: the reference's files and those that App. J describes.

mod layers;

use std::fmt;

use indexmap::IndexMap;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{Function, Program, Term, is_primed, list_primed};

/// Why a file is no QKVL program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Where, as a path such as `weights[3].weights.q.s`.
    pub place: String,
    /// What is wrong there.
    pub cause: String,
    /// What would be right.
    pub help: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}; {}", self.place, self.cause, self.help)
    }
}

impl std::error::Error for ReadError {}

pub(crate) type Read<T> = Result<T, ReadError>;

pub(crate) fn error<T>(place: &str, cause: impl Into<String>, help: impl Into<String>) -> Read<T> {
    Err(ReadError { place: place.to_owned(), cause: cause.into(), help: help.into() })
}

impl Program {
    /// Reads a QKVL file.
    ///
    /// Errors: text that is no JSON, a shape other than App. J's, a name that `register_map` does not list where only a
    /// register can stand, an unknown function, query and key that do not pair up.
    pub fn from_json(text: &str) -> Result<Self, ReadError> {
        match parse(text)? {
            Ok(json) => Self::from_value(&json),
            Err(cause) => error(TOP, format!("no JSON: {cause}"), "give the output of `psl compile --emit qkvl`"),
        }
    }

    /// The same for a file's JSON.
    pub fn from_value(json: &Value) -> Result<Self, ReadError> {
        let top = object(json, TOP)?;
        let (register_map, primed) = register_map(required(top, "register_map")?)?;
        let mut names = Names { register_map, primed };
        let constant_map = match top.get("constant_map").or_else(|| top.get("constants_map")) {
            Some(map) => constant_map(map)?,
            None => IndexMap::new(),
        };
        let system_map = system_map(top.get("system_map"), &names)?;
        let watch_list = match top.get("watch_list") {
            Some(list) => {
                let list = strings(list, "watch_list")?;
                list.into_iter().map(|name| names.register("watch_list", name)).collect::<Read<_>>()?
            }
            None => Vec::new(),
        };
        let weights = names.blocks("weights", required(top, "weights")?, 0)?;
        Ok(Self { register_map: names.register_map, constant_map, watch_list, system_map, weights })
    }
}

const TOP: &str = "the file";

/// Reads JSON that may nest as deep as repeat blocks do.
pub(crate) fn parse<T: DeserializeOwned>(text: &str) -> Read<serde_json::Result<T>> {
    // A repeat block opens two objects and a list at most.
    if bracket_depth(text) > 3 * Program::MAX_NESTING + 8 {
        return error(TOP, "the brackets nest too deep", nesting_help());
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    Ok(T::deserialize(&mut reader).and_then(|json| reader.end().map(|()| json)))
}

fn nesting_help() -> String {
    format!("repeat blocks may nest {} deep", Program::MAX_NESTING)
}

/// How deep the brackets nest, those in strings left out. Known before parsing, because the parser recurses.
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

fn object<'j>(json: &'j Value, place: &str) -> Read<&'j Map<String, Value>> {
    json.as_object().map_or_else(|| error(place, format!("expected an object, found {}", kind(json)), APP_J), Ok)
}

const APP_J: &str = "App. J of the paper describes the shape";

fn string<'j>(json: &'j Value, place: &str) -> Read<&'j str> {
    json.as_str().map_or_else(|| error(place, format!("expected a string, found {}", kind(json)), "quote it"), Ok)
}

fn strings<'j>(json: &'j Value, place: &str) -> Read<Vec<&'j str>> {
    match json.as_array() {
        Some(list) => list.iter().map(|entry| string(entry, place)).collect(),
        None => error(place, format!("expected a list, found {}", kind(json)), APP_J),
    }
}

fn required<'j>(object: &'j Map<String, Value>, key: &str) -> Read<&'j Value> {
    object.get(key).map_or_else(|| error(TOP, format!("`{key}` is missing"), APP_J), Ok)
}

const fn kind(json: &Value) -> &'static str {
    match json {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Long to short name, with the primed names in our spelling, and the primed names as the file spells them.
type RegisterMap = (IndexMap<String, String>, IndexMap<String, String>);

fn register_map(json: &Value) -> Read<RegisterMap> {
    const PLACE: &str = "register_map";
    let entries = object(json, PLACE)?
        .iter()
        .map(|(long, short)| Ok((long.as_str(), string(short, &format!("{PLACE}.{long}"))?)))
        .collect::<Read<Vec<_>>>()?;
    let mut map = IndexMap::new();
    let mut primed = IndexMap::new();
    let mut taken = IndexMap::new();
    for &(long, short) in &entries {
        let place = format!("{PLACE}.{long}");
        let (base, count) = split_primes(short);
        let has_base = || entries.iter().any(|&(_, other)| other == base);
        let canonical = if is_primed(short) || (count > 0 && long.starts_with("alt_") && has_base()) {
            if !has_base() {
                return error(
                    &place,
                    format!("`{short}` is the primed form of no register"),
                    "declare the register too",
                );
            }
            let canonical = with_primes(base, count);
            primed.insert(short.to_owned(), canonical.clone());
            canonical
        } else {
            short.to_owned()
        };
        if canonical.is_empty() || canonical.contains('@') {
            return error(&place, format!("`{short}` cannot be a short name"), "give a name without `@`");
        }
        if let Some(other) = taken.insert(canonical.clone(), long) {
            return error(&place, format!("`{short}` is the short name of `{other}` already"), "give each its own");
        }
        map.insert(long.to_owned(), canonical);
    }
    Ok((map, primed))
}

/// A name without its primes, in either spelling, and their number.
fn split_primes(name: &str) -> (&str, usize) {
    let base = name.trim_end_matches(['`', '\'']);
    (base, name.len() - base.len())
}

fn with_primes(base: &str, count: usize) -> String {
    format!("{base}{}", "`".repeat(count))
}

fn constant_map(json: &Value) -> Read<IndexMap<String, String>> {
    const PLACE: &str = "constant_map";
    let entry = |(name, value): (&String, &Value)| {
        let value = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            // App. J: the associated string is optional.
            Value::Null => name.clone(),
            other => {
                return error(
                    &format!("{PLACE}.{name}"),
                    format!("a constant cannot be {}", kind(other)),
                    "give a string",
                );
            }
        };
        Ok((name.clone(), value))
    };
    object(json, PLACE)?.iter().map(entry).collect()
}

fn system_map(json: Option<&Value>, names: &Names) -> Read<IndexMap<String, String>> {
    const PLACE: &str = "system_map";
    const DEFAULT: [(&str, &str); 5] =
        [("symbol", "s"), ("position", "p"), ("output", "s"), ("parse", "a"), ("eop", "z")];
    let map: IndexMap<String, String> = match json {
        Some(json) => {
            let entry = |(role, name): (&String, &Value)| {
                let place = format!("{PLACE}.{role}");
                if !DEFAULT.iter().any(|(known, _)| known == role) {
                    return error(&place, "no such role", "there are symbol, position, output, parse and eop");
                }
                Ok((role.clone(), names.register(&place, string(name, &place)?)?))
            };
            object(json, PLACE)?.iter().map(entry).collect::<Read<_>>()?
        }
        None => DEFAULT
            .into_iter()
            .filter(|(_, short)| names.is_register(short))
            .map(|(role, short)| (role.to_owned(), short.to_owned()))
            .collect(),
    };
    match ["symbol", "output"].into_iter().find(|role| !map.contains_key(*role)) {
        Some(role) => error(PLACE, format!("no register has the role `{role}`"), "map it to a short name"),
        None => Ok(map),
    }
}

struct Names {
    register_map: IndexMap<String, String>,
    primed: IndexMap<String, String>,
}

impl Names {
    fn is_register(&self, short: &str) -> bool {
        self.register_map.values().any(|name| name == short && !is_primed(name))
    }

    /// A register by its short name, or by its long one.
    fn register(&self, place: &str, name: &str) -> Read<String> {
        if self.is_register(name) {
            return Ok(name.to_owned());
        }
        match self.register_map.get(name) {
            Some(short) if !is_primed(short) => Ok(short.clone()),
            _ => error(place, format!("`{name}` is no register"), "register_map lists them all"),
        }
    }

    /// A slot of query or key: a register's short name, primed or not.
    fn slot(&mut self, place: &str, name: &str) -> Read<String> {
        if self.is_register(name) {
            return Ok(name.to_owned());
        }
        if let Some(canonical) = self.primed.get(name) {
            return Ok(canonical.clone());
        }
        let (base, count) = split_primes(name);
        if count == 0 || !self.is_register(base) {
            return error(place, format!("`{name}` is no register"), "register_map lists them all");
        }
        let canonical = with_primes(base, count);
        list_primed(&mut self.register_map, &canonical);
        Ok(canonical)
    }

    fn term(&self, place: &str, text: &str) -> Read<Term> {
        const PRIMED: &str = "a primed name holds no value";
        if self.is_register(text) {
            return Ok(Term::Register(text.to_owned(), None));
        }
        if self.primed.contains_key(text) {
            return error(place, format!("`{text}` cannot be read: {PRIMED}"), "name the register without its primes");
        }
        let Some((name, function)) = text.rsplit_once('@').filter(|(name, _)| self.is_register(name)) else {
            return Ok(Term::Constant(text.to_owned()));
        };
        match Function::from_name(function) {
            Some(function) => Ok(Term::Register(name.to_owned(), Some(function))),
            None => {
                error(place, format!("there is no function `{function}`"), "there are pos_increment and pos_decrement")
            }
        }
    }

    fn constants(&self, place: &str, list: &[&str]) -> Read<Vec<String>> {
        match list.iter().find(|text| self.is_register(text)) {
            Some(text) => error(place, format!("`{text}` in a list is a register"), "lists hold constants only"),
            None => Ok(list.iter().map(|&text| text.to_owned()).collect()),
        }
    }
}
