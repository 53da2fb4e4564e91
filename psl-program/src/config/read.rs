//! Reads a `psl.toml` with the table of its keys.

use std::ops::Range;

use psl_syntax::{Code, Span, nearest};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    keys::{KEYS, Key, Value},
    limits::{MAX_CONFIG_SIZE, MAX_LIST, MAX_PATTERNS, check_pattern, limited},
    values::{Config, ConfigError, LEVELS, MAX_MAX_FILE_SIZE, Patterns, level},
};

impl Config {
    /// Parses the text of a `psl.toml`.
    ///
    /// # Errors
    ///
    /// Returns the errors, in the order of the text.
    pub fn parse(text: &str) -> Result<Self, Vec<ConfigError>> {
        if text.len() as u64 > MAX_CONFIG_SIZE {
            let message = format!("the text is larger than {MAX_CONFIG_SIZE} bytes");
            return Err(vec![ConfigError { span: Span::default(), message }]);
        }
        let (table, broken) = DeTable::parse_recoverable(text);
        let mut reader = Reader { config: Self::default(), errors: Vec::new() };
        for error in &broken {
            reader.wrong(error.span().unwrap_or_default(), error.message().trim());
        }
        // A value read from broken TOML may not be the intended one.
        if broken.is_empty() {
            reader.keys(None, KEYS, table.get_ref());
        }
        if reader.errors.is_empty() { Ok(reader.config) } else { Err(limited(reader.errors)) }
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

    /// Reads the keys of a table: the file itself, or the table with this name.
    fn keys(&mut self, name: Option<&str>, keys: &[Key], table: &DeTable<'_>) {
        for (written, value) in table {
            let written_name: &str = written.get_ref();
            if let Some(key) = keys.iter().find(|key| key.name == written_name) {
                self.value(key, value);
                continue;
            }
            let names: Vec<&str> = keys.iter().map(|key| key.name).collect();
            let table = name.map_or_else(String::new, |name| format!(" in `{name}`"));
            let suggestion = match nearest(written_name, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("expected one of {}", names.join(", ")),
            };
            self.wrong(written.span(), format!("unknown key `{written_name}`{table}; {suggestion}"));
        }
    }

    fn value(&mut self, key: &Key, value: &Spanned<DeValue<'_>>) {
        let name = key.name;
        match (&key.value, value.get_ref()) {
            (Value::Table(keys), DeValue::Table(table)) => self.keys(Some(name), keys, table),
            (Value::Severities, DeValue::Table(table)) => self.severities(table),
            (Value::Table(_) | Value::Severities, _) => {
                self.wrong(value.span(), format!("`{name}` must be a table: write its keys under `[{name}]`"));
            }
            (Value::Symbol(set), value_read) => match value_read.as_str() {
                Some(symbol) if !symbol.is_empty() && !symbol.contains(char::is_whitespace) => {
                    set(&mut self.config, symbol.to_owned());
                }
                _ => self.wrong(value.span(), format!("`{name}` must be one symbol, such as `{name} = \".\"`")),
            },
            (Value::Size(set), value_read) => match size(value_read) {
                Some(size) => set(&mut self.config, size),
                None => {
                    self.wrong(
                        value.span(),
                        format!("`{name}` must be a number of bytes from 1 to {MAX_MAX_FILE_SIZE}"),
                    );
                }
            },
            (Value::Patterns(set), _) => match patterns(value) {
                Ok(patterns) => {
                    self.limits(name, &patterns);
                    set(&mut self.config, patterns);
                }
                Err(span) => {
                    self.wrong(span, format!("`{name}` must be a list of patterns, such as `{name} = [\"drafts/\"]`"));
                }
            },
        }
    }

    fn severities(&mut self, table: &DeTable<'_>) {
        for (name, value) in table {
            let written: &str = name.get_ref();
            let Some(code) = Code::from_name(written) else {
                let suggestion = match nearest(written, Code::ALL.iter().map(|code| code.as_str())) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => Code::LISTED.to_owned(),
                };
                self.wrong(name.span(), format!("unknown diagnostic `{written}`; {suggestion}"));
                continue;
            };
            let read = match value.get_ref().as_str() {
                Some(name) => level(code, name),
                None => {
                    Err(format!("expected a severity in quotes: one of {}", LEVELS.map(|(name, _)| name).join(", ")))
                }
            };
            match read {
                Ok(level) => self.config.levels.set(code, level),
                Err(why) => self.wrong(value.span(), why),
            }
        }
    }

    /// Checks the sizes of patterns.
    fn limits(&mut self, name: &str, patterns: &Patterns) {
        let wrong = |(pattern, span): &(String, Span)| {
            check_pattern(pattern.as_bytes()).err().map(|message| ConfigError { span: *span, message })
        };
        let mut errors: Vec<ConfigError> = patterns.list.iter().filter_map(wrong).collect();
        let length: usize = patterns.list.iter().map(|(pattern, _)| pattern.len()).sum();
        if errors.is_empty() && (patterns.list.len() > MAX_PATTERNS || length > MAX_LIST) {
            let message = format!("`{name}` has more than 1,000 patterns or 64 KiB: name folders instead of files");
            errors.push(ConfigError { span: patterns.span, message });
        }
        self.errors.extend(errors);
    }
}

fn size(value: &DeValue<'_>) -> Option<u64> {
    let number = value.as_integer()?;
    let size = u64::from_str_radix(number.as_str(), number.radix()).ok()?;
    (1..=MAX_MAX_FILE_SIZE).contains(&size).then_some(size)
}

/// Returns a list of strings, or the span of the value that is not one.
fn patterns(value: &Spanned<DeValue<'_>>) -> Result<Patterns, Range<usize>> {
    let array = value.get_ref().as_array().ok_or_else(|| value.span())?;
    let mut list = Vec::new();
    for entry in array {
        let pattern = entry.get_ref().as_str().ok_or_else(|| entry.span())?;
        list.push((pattern.to_owned(), entry.span().into()));
    }
    Ok(Patterns { list, span: value.span().into() })
}
