//! Limits on a `psl.toml` and on ignore files.
//!
//! The library that compiles patterns recurses into each `{` and takes memory for every pattern, so both are limited
//! before it sees one.

use super::values::ConfigError;

/// Maximum size of a `psl.toml` or an ignore file, in bytes.
pub const MAX_CONFIG_SIZE: u64 = 1 << 20;

/// Maximum number of patterns in a list of `psl.toml`.
pub(super) const MAX_PATTERNS: usize = 1_000;

/// Maximum length of all patterns in a list of `psl.toml`, in bytes.
pub(super) const MAX_LIST: usize = 64 << 10;

/// Maximum number of errors to report.
const MAX_ERRORS: usize = 100;

/// Maximum length of a pattern, in bytes.
const MAX_LENGTH: usize = 1_000;

/// Maximum number of `{` in a pattern, and so of their depth.
const MAX_BRACES: usize = 50;

/// Checks the size of a file pattern.
///
/// # Errors
///
/// Returns a message if the pattern is too long or has too many `{`.
pub fn check_pattern(pattern: &[u8]) -> Result<(), String> {
    if pattern.len() > MAX_LENGTH {
        return Err("the pattern is longer than 1,000 bytes".to_owned());
    }
    if pattern.split(|byte| *byte == b'{').count() > MAX_BRACES + 1 {
        return Err(format!("the pattern has more than {MAX_BRACES} `{{`"));
    }
    Ok(())
}

/// Sorts errors by their spans. Keeps the first `MAX_ERRORS`, and adds one that counts the others.
pub fn limited(mut errors: Vec<ConfigError>) -> Vec<ConfigError> {
    errors.sort_by_key(|error| error.span.start);
    let more = errors.len().saturating_sub(MAX_ERRORS);
    if let Some(first) = errors.get(MAX_ERRORS) {
        let message = format!("{more} more error{} in this file", if more == 1 { "" } else { "s" });
        let span = first.span;
        errors.truncate(MAX_ERRORS);
        errors.push(ConfigError { span, message });
    }
    errors
}
