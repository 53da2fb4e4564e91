//! Files with expected results. `UPDATE=1` rewrites them. Read the changes before committing them.

use std::{env, fs, path::Path};

use super::diff::changed_lines;

/// Compares a file with a result, or writes the result to it.
///
/// # Errors
///
/// Returns the lines that differ.
pub fn compare(path: &Path, found: &str) -> Result<(), String> {
    assert!(!found.is_empty(), "the result for {} is empty", path.display());
    if env::var_os("UPDATE").is_some() {
        return fs::write(path, found).map_err(|error| format!("cannot write {}: {error}", path.display()));
    }
    let expected = fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    if expected == found {
        return Ok(());
    }
    let changed = changed_lines(&expected, found);
    Err(format!("{} differs (`UPDATE=1` rewrites it):\n{changed}", path.display()))
}
