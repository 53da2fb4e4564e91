//! Standard output and standard error as terminals.

use std::{
    env,
    io::{self, IsTerminal},
};

use psl_render::Terminal;
use terminal_size::terminal_size;

use super::color::Color;

/// Minimum number of columns to wrap at.
const NARROWEST: usize = 40;

/// Standard output.
pub fn stdout(color: Color) -> Terminal {
    terminal(color, io::stdout().is_terminal())
}

/// The width of a table on standard output, or `None` for a pipe or a file, where it is as wide as it needs.
pub fn table_columns(color: Color) -> Option<usize> {
    let limited = io::stdout().is_terminal() || env::var_os("COLUMNS").is_some();
    limited.then(|| stdout(color).columns)
}

/// Standard error.
pub fn stderr(color: Color) -> Terminal {
    terminal(color, io::stderr().is_terminal())
}

fn terminal(color: Color, is_terminal: bool) -> Terminal {
    let asked = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let own = || terminal_size().filter(|_| is_terminal).map(|(width, _)| usize::from(width.0));
    let columns = asked.or_else(own).unwrap_or(Terminal::PIPED).max(NARROWEST);
    Terminal { color: color.on(is_terminal), unicode: !is_terminal || is_utf8(&locale()), columns }
}

/// The locale of characters, or nothing if none is set.
fn locale() -> String {
    let set = |name| env::var(name).ok().filter(|value| !value.is_empty());
    ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).unwrap_or_default()
}

/// Whether a terminal shows UTF-8. Where no locale is set, almost all do.
fn is_utf8(locale: &str) -> bool {
    let locale = locale.to_ascii_lowercase();
    cfg!(windows) || locale.is_empty() || locale.contains("utf-8") || locale.contains("utf8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_names_its_characters() {
        assert!(["", "C.UTF-8", "de_DE.utf8", "ca_ES.UTF-8@valencia"].into_iter().all(is_utf8));
        assert_eq!(["C", "POSIX", "de_DE.ISO-8859-1"].map(is_utf8), [cfg!(windows); 3]);
    }
}
