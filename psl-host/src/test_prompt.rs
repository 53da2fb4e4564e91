//! Reads the files with tests' prompts.

use std::{path::Path, sync::Arc};

use crate::{
    bounded::{read_regular, without_mark},
    configs::Configs,
};

/// Reads a file with a test's prompt. Its path is relative to the program's folder.
///
/// # Errors
///
/// Returns a message if the file has no text. A program without a folder cannot name files.
pub fn read_prompt(folder: Option<&Path>, file: &str) -> Result<String, String> {
    let Some(folder) = folder else {
        return Err("save the program first: the path is relative to its folder".to_owned());
    };
    // A file named `-` is not standard input.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let path = folder.join(file);
    let metadata = std::fs::metadata(&path).map_err(|error| format!("cannot read it: {error}"))?;
    // The content of a device or a pipe is gone after the first run.
    if !metadata.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    let config = Configs::default().of(&path).map(|found| Arc::clone(&found.config)).unwrap_or_default();
    let bytes = read_regular(&path, config.max_file_size()).map_err(|error| format!("cannot read it: {error}"))?;
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8: save the file as UTF-8")?;
    Ok(without_mark(&text).to_owned())
}
