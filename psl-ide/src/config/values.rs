//! What a `psl.toml` can say, and what can be wrong with it.

use psl_syntax::{Code, Levels, Severity, Span, nearest};

use crate::line_index::LineIndex;

/// The largest PSL, JSON or `psl.toml` that is read where nothing else is set, in bytes.
pub const MAX_FILE_SIZE: u64 = 16 << 20;

/// The largest `max-file-size`: offsets in a text are 32 bits wide, also where it is not UTF-8 and grows by the characters
/// that stand for its bytes.
pub(super) const MAX_MAX_FILE_SIZE: u64 = 1 << 30;

pub(crate) const LEVELS: [(&str, Option<Severity>); 5] = [
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
    pub(super) max_file_size: Option<u64>,
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
    /// The largest program, or other text that is read whole, in bytes.
    pub fn max_file_size(&self) -> u64 {
        self.max_file_size.unwrap_or(MAX_FILE_SIZE)
    }
}

/// The severity of that name, for diagnostics of a code; nothing for off.
///
/// # Errors
///
/// In words: no severity has that name, or the code is an error and can be nothing else.
pub fn level(code: Code, name: &str) -> Result<Option<Severity>, String> {
    let Some((_, level)) = LEVELS.into_iter().find(|(level, _)| *level == name) else {
        let names = LEVELS.map(|(name, _)| name);
        return Err(match nearest(name, names) {
            Some(near) => format!("no severity is called `{name}`; did you mean `{near}`?"),
            None => format!("no severity is called `{name}`; there are {}", names.join(", ")),
        });
    };
    if level != Some(Severity::Error) && code.is_error() {
        return Err(format!("`{}` is an error, and errors can be nothing else", code.as_str()));
    }
    Ok(level)
}
