//! Files of what is expected. With `UPDATE=1` they are written anew; they are to be read before they are committed.

use std::{env, fs, path::Path};

use super::diff::changed_lines;

/// Compares a file with what was found, or puts that into it.
///
/// # Errors
///
/// The lines that differ.
pub fn compare(path: &Path, found: &str) -> Result<(), String> {
    assert!(!found.is_empty(), "nothing was found for {}", path.display());
    if env::var_os("UPDATE").is_some() {
        return fs::write(path, found).map_err(|error| format!("cannot write {}: {error}", path.display()));
    }
    let expected = fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    if expected == found {
        return Ok(());
    }
    let changed = changed_lines(&expected, found);
    Err(format!("{} has other lines (UPDATE=1 writes them):\n{changed}", path.display()))
}
