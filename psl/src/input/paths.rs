//! Paths on the command line.

use std::path::Path;

use psl_render::shown_line;

/// The name of standard input, and of standard output, on the command line.
pub const STDIN: &str = "-";

/// Whether a path stands for standard input.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == STDIN
}

/// The name of a path for messages.
pub fn name(path: &Path) -> String {
    shown_line(&raw_name(path))
}

/// A path as a word of a command, for messages: with quotes if a shell needs them. `None` if it cannot be written.
pub fn word(path: &Path) -> Option<String> {
    let path = path.to_str()?;
    // Not an option.
    let file = if path.starts_with('-') { format!("./{path}") } else { path.to_owned() };
    shlex::try_quote(&file).ok().map(|word| shown_line(&word))
}

/// The name of a path for data, with line ends and control characters if it has any.
pub fn raw_name(path: &Path) -> String {
    if is_stdin(path) { "<stdin>".to_owned() } else { path.display().to_string() }
}
