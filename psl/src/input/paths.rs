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

/// The name of a path for data, with line ends and control characters if it has any.
pub fn raw_name(path: &Path) -> String {
    if is_stdin(path) { "<stdin>".to_owned() } else { path.display().to_string() }
}
