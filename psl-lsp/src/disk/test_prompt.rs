//! The files that hold tests' prompts.

use std::{path::Path, sync::Arc};

use super::{bounded::read_regular, configs::Configs};

/// Reads the file that holds a test's prompt; its path starts from the program's folder.
///
/// # Errors
///
/// Why there is no text in it, in words. A program that has no folder cannot name files.
pub fn read_prompt(folder: Option<&Path>, file: &str) -> Result<String, String> {
    let Some(folder) = folder else {
        return Err("the program has no folder yet, where the path could start: save it first".to_owned());
    };
    // A file called `-` is not standard input.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let path = folder.join(file);
    let metadata = std::fs::metadata(&path).map_err(|error| format!("cannot read it: {error}"))?;
    // What a device or a pipe holds is gone after the first run.
    if !metadata.is_file() {
        return Err("this is not a file that can be read again and again".to_owned());
    }
    let config = Configs::default().of(&path).map(|found| Arc::clone(&found.config)).unwrap_or_default();
    let bytes = read_regular(&path, config.max_file_size()).map_err(|error| format!("cannot read it: {error}"))?;
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8: save the file as UTF-8".to_owned())
}
