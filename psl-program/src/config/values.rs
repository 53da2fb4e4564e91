//! The contents and the errors of a `psl.toml`.

use psl_syntax::{Code, Levels, LineIndex, Severity, Span, nearest};

/// Default maximum size of a PSL, JSON or `psl.toml` file, in bytes.
pub const MAX_FILE_SIZE: u64 = 16 << 20;

/// Maximum value of `max-file-size`. Offsets in a text have 32 bits, and a text that is not UTF-8 grows when its
/// invalid bytes are replaced.
pub(super) const MAX_MAX_FILE_SIZE: u64 = 1 << 30;

/// The names of the levels in `psl.toml`, each with its severity.
pub const LEVELS: [(&str, Option<Severity>); 5] = [
    ("error", Some(Severity::Error)),
    ("warning", Some(Severity::Warning)),
    ("info", Some(Severity::Info)),
    ("hint", Some(Severity::Hint)),
    ("off", None),
];

/// The settings of a `psl.toml`. The default applies to a folder without one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The severities of diagnostics.
    pub levels: Levels,
    /// The symbol that ends a continuation, unless the program names one.
    pub stop: Option<String>,
    /// The files of the folder that count as programs, or `None` for all.
    pub include: Option<Patterns>,
    /// The files of the folder that do not count.
    pub exclude: Option<Patterns>,
    pub(super) max_file_size: Option<u64>,
}

/// File patterns, as in a `.gitignore`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patterns {
    /// Each pattern and its span in `psl.toml`.
    pub list: Vec<(String, Span)>,
    /// The span of the list.
    pub span: Span,
}

/// An error in a `psl.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The span of the error.
    pub span: Span,
    /// The message, without the path and the line.
    pub message: String,
}

/// Returns each message after `file:line:column`, for errors in a configuration with this text.
pub fn located<'e>(errors: &'e [ConfigError], file: &'e str, text: &str) -> impl Iterator<Item = String> + use<'e> {
    let lines = LineIndex::new(text);
    errors.iter().map(move |error| {
        let point = lines.point(error.span.start);
        format!("{file}:{}:{}: {}", point.line, point.column, error.message)
    })
}

impl Config {
    /// Maximum size in bytes of a program or another text that is read whole.
    pub fn max_file_size(&self) -> u64 {
        self.max_file_size.unwrap_or(MAX_FILE_SIZE)
    }
}

/// Returns the severity with this name for diagnostics of a code, or `None` for `off`.
///
/// # Errors
///
/// Returns a message if the severity is unknown, or if the code is an error and another severity is named.
pub fn level(code: Code, name: &str) -> Result<Option<Severity>, String> {
    let Some((_, level)) = LEVELS.into_iter().find(|(level, _)| *level == name) else {
        let names = LEVELS.map(|(name, _)| name);
        return Err(match nearest(name, names) {
            Some(near) => format!("unknown severity `{name}`; did you mean `{near}`?"),
            None => format!("unknown severity `{name}`; expected one of {}", names.join(", ")),
        });
    };
    if level != Some(Severity::Error) && code.is_error() {
        return Err(format!("`{}` is an error: its severity cannot be changed", code.as_str()));
    }
    Ok(level)
}
