//! `psl.toml`: how bad diagnostics are, which files belong to a folder, how large they may be, and the stop symbol of its
//! programs. Callers find the file that counts for a program, and match its patterns.

use std::ops::Range;

use psl_syntax::{Code, Levels, Severity, Span, nearest};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use crate::line_index::LineIndex;

/// The largest PSL, JSON or `psl.toml` that is read where nothing else is set, in bytes.
pub const MAX_FILE_SIZE: u64 = 16 << 20;

/// The largest `max-file-size`: offsets in a text are 32 bits wide, also where it is not UTF-8 and grows by the characters
/// that stand for its bytes.
const MAX_MAX_FILE_SIZE: u64 = 1 << 30;

const KEYS: [&str; 4] = ["max-file-size", "paths", "severity", "stop"];
const PATHS: [&str; 2] = ["exclude", "include"];
const LEVELS: [(&str, Option<Severity>); 5] = [
    ("error", Some(Severity::Error)),
    ("warning", Some(Severity::Warning)),
    ("info", Some(Severity::Info)),
    ("hint", Some(Severity::Hint)),
    ("off", None),
];

/// What a `psl.toml` says. The default is that of a folder without one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// How bad diagnostics are.
    pub levels: Levels,
    /// The symbol that ends a continuation, where the program does not name one.
    pub stop: Option<String>,
    /// The files of the folder that count as programs; nothing means all.
    pub include: Option<Patterns>,
    /// The files of the folder that do not.
    pub exclude: Option<Patterns>,
    max_file_size: Option<u64>,
}

/// Patterns of files, as in a `.gitignore`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patterns {
    /// Each pattern and where it stands in `psl.toml`.
    pub list: Vec<(String, Span)>,
    /// Where the list stands.
    pub span: Span,
}

/// What is wrong with a `psl.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// Where.
    pub span: Span,
    /// What, in words.
    pub message: String,
}

impl ConfigError {
    /// The error after `file:line:column`, for a configuration with this text.
    pub fn located(&self, file: &str, text: &str) -> String {
        let point = LineIndex::new(text).point(self.span.start);
        format!("{file}:{}:{}: {}", point.line, point.column, self.message)
    }
}

impl Config {
    /// Reads the text of a `psl.toml`.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with it, and where.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let table =
            DeTable::parse(text).map_err(|error| wrong(error.span().unwrap_or_default(), error.message().trim()))?;
        let mut config = Self::default();
        for (key, value) in table.get_ref() {
            let name: &str = key.get_ref();
            match name {
                "severity" => {
                    for (code, level) in self::table(name, value)? {
                        let code = self::code(code)?;
                        config.levels.set(code, self::severity(code, level)?);
                    }
                }
                "paths" => {
                    for (key, list) in self::table(name, value)? {
                        let name: &str = key.get_ref();
                        match name {
                            "include" => config.include = Some(patterns(name, list)?),
                            "exclude" => config.exclude = Some(patterns(name, list)?),
                            _ => return Err(wrong(key.span(), unknown("key of `paths`", name, &PATHS))),
                        }
                    }
                }
                "max-file-size" => config.max_file_size = Some(size(name, value)?),
                "stop" => match value.get_ref().as_str() {
                    Some(stop) if !stop.is_empty() && !stop.contains(char::is_whitespace) => {
                        config.stop = Some(stop.to_owned());
                    }
                    _ => return Err(wrong(value.span(), "`stop` is one symbol, as in `stop = \".\"`")),
                },
                _ => return Err(wrong(key.span(), unknown("key", name, &KEYS))),
            }
        }
        Ok(config)
    }

    /// The largest program, or other text that is read whole, in bytes.
    pub fn max_file_size(&self) -> u64 {
        self.max_file_size.unwrap_or(MAX_FILE_SIZE)
    }
}

fn wrong(span: Range<usize>, message: impl Into<String>) -> ConfigError {
    ConfigError { span: span.into(), message: message.into() }
}

fn table<'v, 'i>(name: &str, value: &'v Spanned<DeValue<'i>>) -> Result<&'v DeTable<'i>, ConfigError> {
    let table = value.get_ref().as_table();
    table.ok_or_else(|| wrong(value.span(), format!("`{name}` is a table, written under `[{name}]`")))
}

fn code(name: &Spanned<impl AsRef<str>>) -> Result<Code, ConfigError> {
    let names: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    let text = name.get_ref().as_ref();
    Code::from_name(text).ok_or_else(|| {
        let way_out = match nearest(text, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => Code::LISTED.to_owned(),
        };
        wrong(name.span(), format!("no diagnostic is called `{text}`; {way_out}"))
    })
}

fn severity(code: Code, value: &Spanned<DeValue<'_>>) -> Result<Option<Severity>, ConfigError> {
    let Some(name) = value.get_ref().as_str() else {
        let names = LEVELS.map(|(name, _)| name);
        return Err(wrong(value.span(), format!("a severity is one of {}, in quotes", names.join(", "))));
    };
    level(code, name).map_err(|why| wrong(value.span(), why))
}

fn size(name: &str, value: &Spanned<DeValue<'_>>) -> Result<u64, ConfigError> {
    let number = value.get_ref().as_integer();
    let size = number.and_then(|number| u64::from_str_radix(number.as_str(), number.radix()).ok());
    size.filter(|size| (1..=MAX_MAX_FILE_SIZE).contains(size))
        .ok_or_else(|| wrong(value.span(), format!("`{name}` is a number of bytes, from 1 to {MAX_MAX_FILE_SIZE}")))
}

fn patterns(name: &str, value: &Spanned<DeValue<'_>>) -> Result<Patterns, ConfigError> {
    let shape = || format!("`{name}` is a list of patterns, as in `{name} = [\"drafts/\"]`");
    let array = value.get_ref().as_array().ok_or_else(|| wrong(value.span(), shape()))?;
    let pattern = |entry: &Spanned<DeValue<'_>>| {
        let pattern = entry.get_ref().as_str().ok_or_else(|| wrong(entry.span(), shape()))?;
        Ok((pattern.to_owned(), entry.span().into()))
    };
    Ok(Patterns { list: array.iter().map(pattern).collect::<Result<_, _>>()?, span: value.span().into() })
}

/// The severity of that name, for diagnostics of a code; nothing for off.
///
/// # Errors
///
/// In words: no severity has that name, or the code is an error and can be nothing else.
pub fn level(code: Code, name: &str) -> Result<Option<Severity>, String> {
    let Some((_, level)) = LEVELS.into_iter().find(|(level, _)| *level == name) else {
        return Err(unknown("severity", name, &LEVELS.map(|(name, _)| name)));
    };
    if level != Some(Severity::Error) && code.is_error() {
        return Err(format!("`{}` is an error, and errors can be nothing else", code.as_str()));
    }
    Ok(level)
}

fn unknown(kind: &str, name: &str, names: &[&str]) -> String {
    match nearest(name, names.iter().copied()) {
        Some(near) => format!("no {kind} is called `{name}`; did you mean `{near}`?"),
        None => format!("no {kind} is called `{name}`; there are {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that a text is refused, where and why.
    fn check(text: &str, expected: &str) {
        let error = Config::parse(text).expect_err("it is wrong");
        assert_eq!(error.located("psl.toml", text), format!("psl.toml:{expected}"));
    }

    #[test]
    fn what_it_says() {
        let config = Config::parse("stop = '!'\nmax-file-size = 0x1_00\n[severity]\nnon-causal = 'error'\nunused-allow = 'off'\nsyntax = 'error'\n")
            .expect("it is right");
        assert_eq!((config.stop.as_deref(), config.max_file_size()), (Some("!"), 256));
        assert!(config.levels.is_off(Code::UnusedAllow));
        let mut levels = Levels::default();
        levels.set(Code::NonCausal, Some(Severity::Error));
        levels.set(Code::UnusedAllow, None);
        levels.set(Code::Syntax, Some(Severity::Error));
        assert_eq!(config.levels, levels);
        let empty = Config::parse("").expect("nothing is right too");
        assert_eq!((empty.levels.clone(), empty.max_file_size()), (Levels::default(), MAX_FILE_SIZE));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        check("[sevrity]\n", "1:2: no key is called `sevrity`; did you mean `severity`?");
        check("é = 1", "1:1: invalid unquoted key, expected letters, numbers, `-`, `_`");
        check("'é é' = 1", "1:1: no key is called `é é`; there are max-file-size, paths, severity, stop");
        check("max-file-size = 0", "1:17: `max-file-size` is a number of bytes, from 1 to 1073741824");
        check("max-file-size = '1 MiB'", "1:17: `max-file-size` is a number of bytes, from 1 to 1073741824");
        check("stop = 1", "1:8: `stop` is one symbol, as in `stop = \".\"`");
        check("severity = 1", "1:12: `severity` is a table, written under `[severity]`");
        check(
            "[severity]\nnon-casual = 'off'",
            "2:1: no diagnostic is called `non-casual`; did you mean `non-causal`?",
        );
        check(
            "[severity]\nnon-causal = 'of'",
            "2:14: no severity is called `of`; there are error, warning, info, hint, off",
        );
        check("[severity]\nnon-causal = 'hnit'", "2:14: no severity is called `hnit`; did you mean `hint`?");
        check("[severity]\nnon-causal = 0", "2:14: a severity is one of error, warning, info, hint, off, in quotes");
        check("[severity]\nsyntax = 'off'", "2:10: `syntax` is an error, and errors can be nothing else");
        check("[paths]\nexclud = []", "2:1: no key of `paths` is called `exclud`; did you mean `exclude`?");
        check("[paths]\nexclude = ['a', 1]", "2:17: `exclude` is a list of patterns, as in `exclude = [\"drafts/\"]`");
        check("stop = ", "1:8: string values must be quoted, expected literal string");
    }
}
