//! Width and colors of text for people.

use std::{
    env,
    io::{self, IsTerminal},
};

use anstyle::{AnsiColor, Style};
use psl_syntax::Severity;
use terminal_size::terminal_size;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

use super::color::Color;

/// The columns assumed for a pipe or a file.
const PIPED: usize = 100;

/// Minimum number of columns to wrap at.
const NARROWEST: usize = 40;

/// Maximum columns of prose. Longer lines are hard to read.
const WIDEST_PROSE: usize = 120;

/// Code, and the names of things.
pub const CODE: Style = AnsiColor::Cyan.on_default();
/// Frames and line numbers.
pub const FRAME: Style = Style::new().dimmed();
/// Headings.
pub const STRONG: Style = Style::new().bold();

pub const fn severity_style(severity: Severity) -> Style {
    let color = match severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Info | Severity::Hint => AnsiColor::Cyan,
    };
    color.on_default()
}

/// The width and colors of standard output or standard error.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// Whether it shows colors.
    pub color: bool,
    /// Whether it shows more characters than ASCII.
    pub unicode: bool,
    /// The characters that fit in a line.
    pub columns: usize,
}

impl Terminal {
    /// Standard output.
    pub fn stdout(color: Color) -> Self {
        Self::new(color, io::stdout().is_terminal())
    }

    /// The width of a table on standard output, or `None` for a pipe or a file, where it is as wide as it needs.
    pub fn table_columns(color: Color) -> Option<usize> {
        let limited = io::stdout().is_terminal() || env::var_os("COLUMNS").is_some();
        limited.then(|| Self::stdout(color).columns)
    }

    /// Standard error.
    pub fn stderr(color: Color) -> Self {
        Self::new(color, io::stderr().is_terminal())
    }

    fn new(color: Color, is_terminal: bool) -> Self {
        let asked = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let own = || terminal_size().filter(|_| is_terminal).map(|(width, _)| usize::from(width.0));
        let columns = asked.or_else(own).unwrap_or(PIPED).max(NARROWEST);
        Self { color: color.on(is_terminal), unicode: !is_terminal || is_utf8(&locale()), columns }
    }

    /// The characters that fit in a line of prose.
    pub fn prose_columns(self) -> usize {
        self.columns.min(WIDEST_PROSE)
    }

    /// Styles the text if there are colors.
    pub fn paint(self, style: Style, text: &str) -> String {
        if self.color && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    /// Wraps prose at blanks, with one indent for the first line and another for the others.
    pub fn wrap(self, text: &str, first: &str, others: &str) -> Vec<String> {
        let options = Options::new(self.prose_columns())
            .initial_indent(first)
            .subsequent_indent(others)
            .break_words(false)
            .word_separator(WordSeparator::AsciiSpace)
            .word_splitter(WordSplitter::NoHyphenation)
            .wrap_algorithm(WrapAlgorithm::FirstFit);
        textwrap::wrap(text, options).into_iter().map(|line| line.trim_end().to_owned()).collect()
    }
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

    #[test]
    fn prose_breaks_at_blanks_and_colors_take_no_room() {
        let terminal = Terminal { color: true, unicode: true, columns: 40 };
        let word = terminal.paint(CODE, "unknown-register");
        let text = format!("{word} a-word-that-is-longer-than-the-whole-line-may-be b");
        assert_eq!(
            terminal.wrap(&text, "", "  "),
            [word, "  a-word-that-is-longer-than-the-whole-line-may-be".to_owned(), "  b".to_owned()]
        );
        let wide = Terminal { color: false, unicode: true, columns: 200 };
        assert_eq!(wide.wrap(&"word ".repeat(30), "", "")[0].len(), 119);
    }
}
