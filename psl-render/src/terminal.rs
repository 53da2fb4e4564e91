//! Width and colors of text for people.

use anstyle::{AnsiColor, Style};
use psl_syntax::Severity;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// Maximum columns of prose. Longer lines are hard to read.
const WIDEST_PROSE: usize = 120;

/// Code, and the names of things.
pub const CODE: Style = AnsiColor::Cyan.on_default();
/// Frames and line numbers.
pub const FRAME: Style = Style::new().dimmed();
/// Headings.
pub const STRONG: Style = Style::new().bold();

/// The style of a severity.
pub const fn severity_style(severity: Severity) -> Style {
    let color = match severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Info | Severity::Hint => AnsiColor::Cyan,
    };
    color.on_default()
}

/// The width and colors of what shows a text.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// Whether the terminal shows colors.
    pub color: bool,
    /// Whether the terminal shows more characters than ASCII.
    pub unicode: bool,
    /// The characters that fit in a line.
    pub columns: usize,
}

impl Terminal {
    /// The columns assumed for a pipe or a file.
    pub const PIPED: usize = 100;

    /// A text without colors, for a pipe or a file.
    pub const PLAIN: Self = Self { color: false, unicode: true, columns: Self::PIPED };

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

#[cfg(test)]
mod tests {
    use super::*;

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
