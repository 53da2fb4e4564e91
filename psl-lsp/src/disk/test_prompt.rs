//! The files that hold tests' prompts.

use std::path::Path;

use super::{bounded::read, configs::Configs};

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
    // A device or a pipe might never end.
    if !metadata.is_file() {
        return Err("this is not a file that can be read again and again".to_owned());
    }
    let limit = Configs::default().of(&path)?.config.max_file_size();
    let bytes = read(&path, limit).map_err(|error| format!("cannot read it: {error}"))?;
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8: save the file as UTF-8".to_owned())
}
