//! Reading a `psl.toml` by the table of its keys.

use std::ops::Range;

use psl_syntax::{Code, nearest};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    keys::{KEYS, Key, Value},
    values::{Config, ConfigError, LEVELS, MAX_MAX_FILE_SIZE, Patterns, level},
};

impl Config {
    /// Reads the text of a `psl.toml`.
    ///
    /// # Errors
    ///
    /// All that is wrong with it, in the order of the text.
    pub fn parse(text: &str) -> Result<Self, Vec<ConfigError>> {
        let (table, broken) = DeTable::parse_recoverable(text);
        let mut reader = Reader { config: Self::default(), errors: Vec::new() };
        for error in &broken {
            reader.wrong(error.span().unwrap_or_default(), error.message().trim());
        }
        // What is read of broken TOML may be something else than what is meant.
        if broken.is_empty() {
            reader.keys(None, KEYS, table.get_ref());
        }
        reader.errors.sort_by_key(|error| error.span.start);
        if reader.errors.is_empty() { Ok(reader.config) } else { Err(reader.errors) }
    }
}

struct Reader {
    config: Config,
    errors: Vec<ConfigError>,
}

impl Reader {
    fn wrong(&mut self, span: Range<usize>, message: impl Into<String>) {
        self.errors.push(ConfigError { span: span.into(), message: message.into() });
    }

    /// Reads a table of keys, of the file itself or of this name.
    fn keys(&mut self, name: Option<&str>, keys: &[Key], table: &DeTable<'_>) {
        for (written, value) in table {
            let written_name: &str = written.get_ref();
            if let Some(key) = keys.iter().find(|key| key.name == written_name) {
                self.value(key, value);
                continue;
            }
            let names: Vec<&str> = keys.iter().map(|key| key.name).collect();
            let kind = name.map_or_else(|| "key".to_owned(), |name| format!("key of `{name}`"));
            let way_out = match nearest(written_name, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are {}", names.join(", ")),
            };
            self.wrong(written.span(), format!("no {kind} is called `{written_name}`; {way_out}"));
        }
    }

    fn value(&mut self, key: &Key, value: &Spanned<DeValue<'_>>) {
        let name = key.name;
        match (&key.value, value.get_ref()) {
            (Value::Table(keys), DeValue::Table(table)) => self.keys(Some(name), keys, table),
            (Value::Severities, DeValue::Table(table)) => self.severities(table),
            (Value::Table(_) | Value::Severities, _) => {
                self.wrong(value.span(), format!("`{name}` is a table, written under `[{name}]`"));
            }
            (Value::Symbol(set), value_read) => match value_read.as_str() {
                Some(symbol) if !symbol.is_empty() && !symbol.contains(char::is_whitespace) => {
                    set(&mut self.config, symbol.to_owned());
                }
                _ => self.wrong(value.span(), format!("`{name}` is one symbol, as in `{name} = \".\"`")),
            },
            (Value::Size(set), value_read) => match size(value_read) {
                Some(size) => set(&mut self.config, size),
                None => {
                    self.wrong(value.span(), format!("`{name}` is a number of bytes, from 1 to {MAX_MAX_FILE_SIZE}"));
                }
            },
            (Value::Patterns(set), _) => match patterns(value) {
                Ok(patterns) => set(&mut self.config, patterns),
                Err(span) => {
                    self.wrong(span, format!("`{name}` is a list of patterns, as in `{name} = [\"drafts/\"]`"));
                }
            },
        }
    }

    fn severities(&mut self, table: &DeTable<'_>) {
        for (name, value) in table {
            let written: &str = name.get_ref();
            let Some(code) = Code::from_name(written) else {
                let way_out = match nearest(written, Code::ALL.iter().map(|code| code.as_str())) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => Code::LISTED.to_owned(),
                };
                self.wrong(name.span(), format!("no diagnostic is called `{written}`; {way_out}"));
                continue;
            };
            let read = match value.get_ref().as_str() {
                Some(name) => level(code, name),
                None => Err(format!("a severity is one of {}, in quotes", LEVELS.map(|(name, _)| name).join(", "))),
            };
            match read {
                Ok(level) => self.config.levels.set(code, level),
                Err(why) => self.wrong(value.span(), why),
            }
        }
    }
}

fn size(value: &DeValue<'_>) -> Option<u64> {
    let number = value.as_integer()?;
    let size = u64::from_str_radix(number.as_str(), number.radix()).ok()?;
    (1..=MAX_MAX_FILE_SIZE).contains(&size).then_some(size)
}

/// A list of strings, or where it is something else.
fn patterns(value: &Spanned<DeValue<'_>>) -> Result<Patterns, Range<usize>> {
    let array = value.get_ref().as_array().ok_or_else(|| value.span())?;
    let mut list = Vec::new();
    for entry in array {
        let pattern = entry.get_ref().as_str().ok_or_else(|| entry.span())?;
        list.push((pattern.to_owned(), entry.span().into()));
    }
    Ok(Patterns { list, span: value.span().into() })
}
