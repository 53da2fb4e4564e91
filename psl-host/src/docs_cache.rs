//! Pages of documentation in the user's cache, for links that work offline.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

use crate::bounded::read_regular;

/// Writes a page of documentation to the user's cache, unless it is there. Returns its path.
///
/// # Errors
///
/// Returns the error of the system, for example if the user has no cache.
pub fn cache_page(name: &str, text: &str) -> io::Result<PathBuf> {
    let path = dirs::cache_dir().ok_or(io::ErrorKind::NotFound)?.join("psl").join(name);
    if read_regular(&path, text.len() as u64).is_ok_and(|there| there == text.as_bytes()) {
        return Ok(path);
    }
    let folder = path.parent().ok_or(io::ErrorKind::NotFound)?;
    fs::create_dir_all(folder)?;
    // Another server may be reading the page.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(&path)?;
    Ok(path)
}
