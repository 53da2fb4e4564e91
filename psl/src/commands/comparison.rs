//! An expected and a generated continuation, aligned symbol by symbol.

use psl_program::count;
use psl_render::{
    Terminal,
    grid::{Grid, GridRow, Part, fitting},
    shown,
};

use crate::output::part_colors::painter;

/// The indent of all lines.
const INDENT: &str = "  ";
/// The columns of the longest name, `expected`, and two blanks.
const NAMES: usize = 10;

/// Two continuations that differ.
pub struct Comparison<'c> {
    expected: Vec<&'c str>,
    got: Vec<&'c str>,
    /// The index of the first symbol that differs.
    wrong: usize,
}

impl<'c> Comparison<'c> {
    /// Compares continuations, symbols separated by white space.
    pub fn new(expected: &'c str, got: &'c str) -> Self {
        let [expected, got] = [expected, got].map(|text| text.split_whitespace().collect::<Vec<_>>());
        let wrong = expected.iter().zip(&got).take_while(|(expected, got)| expected == got).count();
        Self { expected, got, wrong }
    }

    /// The first difference, as text.
    pub fn difference(&self) -> String {
        let number = self.wrong + 1;
        match (self.expected.get(self.wrong), self.got.get(self.wrong)) {
            (Some(expected), Some(got)) => format!("symbol {number} is `{got}`, not `{expected}`"),
            (Some(expected), None) => format!("symbol {number}, `{expected}`, is missing"),
            (None, got) => format!("symbol {number}, `{}`, is unexpected", got.unwrap_or(&"")),
        }
    }

    /// The continuations below each other with a caret below the first difference. Of a long one, the part with the
    /// difference.
    pub fn lines(&self, terminal: Terminal) -> Vec<String> {
        let paint = painter(terminal);
        let columns = self.expected.len().max(self.got.len());
        let name = |name: &str| format!("{name:<width$}", width = NAMES - 1);
        let part = |(at, symbol): (usize, &&'c str)| {
            (if at == self.wrong { Part::Wrong } else { Part::Value }, (*symbol).to_owned())
        };
        let caret = (0..columns).map(|at| (Part::Wrong, if at == self.wrong { "^" } else { "" }));
        let rows = vec![
            GridRow::new(&name("expected"), Part::Value, &self.expected),
            GridRow::of_parts(&name("got"), self.got.iter().enumerate().map(part)),
            GridRow::of_parts(&name(""), caret),
        ];
        let grid = Grid::new(rows, 0);
        let chunks = grid.chunks(Some(terminal.columns.saturating_sub(INDENT.len())));
        let mut lines = Vec::new();
        if let Some(chunk) = chunks.iter().find(|chunk| chunk.contains(&self.wrong)) {
            if chunks.len() > 1 {
                let text = format!("symbols {}-{} of {columns}", chunk.start + 1, chunk.end);
                lines.push(format!("{INDENT}{}", paint(Part::Frame, &text)));
            }
            lines.extend(grid.lines(chunk.clone(), &paint).lines().map(|line| format!("{INDENT}{line}")));
        }
        lines
    }
}

/// A named line, cut to the width.
pub fn cut(name: &str, text: &str, terminal: Terminal) -> String {
    let left = terminal.columns.saturating_sub(INDENT.len() + NAMES);
    named(name, &shown(&fitting(text, left)), terminal).trim_end().to_owned()
}

/// A named paragraph.
pub fn paragraph(name: &str, text: &str, terminal: Terminal) -> Vec<String> {
    let first = named(name, "", terminal);
    terminal.wrap(&shown(text), &first, &" ".repeat(INDENT.len() + NAMES))
}

/// A named line, whole.
pub fn named(name: &str, text: &str, terminal: Terminal) -> String {
    let blanks = " ".repeat(NAMES.saturating_sub(name.len()));
    format!("{INDENT}{}{blanks}{text}", painter(terminal)(Part::Name, name))
}

/// The number of failures that were left out.
pub fn left_out(number: usize) -> String {
    format!("{} not shown (`--show failures` lists all)", count(number, "more wrong line"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Terminal = Terminal { color: false, unicode: true, columns: 40 };

    #[test]
    fn symbols_are_aligned_and_the_first_wrong_one_is_marked() {
        let comparison = Comparison::new("K Lima V F .", "K L V");
        let lines = ["  expected  K Lima V F .", "  got       K L    V", "              ^"];
        assert_eq!(comparison.lines(PLAIN), lines);
        assert_eq!(comparison.difference(), "symbol 2 is `L`, not `Lima`");
        let wide = Comparison::new("世界 A", "B A");
        assert_eq!(wide.lines(PLAIN), ["  expected  世界 A", "  got       B    A", "            ^"]);
    }

    #[test]
    fn one_may_be_longer() {
        let missing = Comparison::new("A B", "A");
        assert_eq!(missing.lines(PLAIN), ["  expected  A B", "  got       A", "              ^"]);
        assert_eq!(missing.difference(), "symbol 2, `B`, is missing");
        let more = Comparison::new("A", "A B");
        assert_eq!(more.lines(PLAIN), ["  expected  A", "  got       A B", "              ^"]);
        assert_eq!(more.difference(), "symbol 2, `B`, is unexpected");
    }

    #[test]
    fn of_long_continuations_the_part_that_differs_is_shown() {
        let gold = "A ".repeat(50);
        let got = format!("{}B {}", "A ".repeat(20), "A ".repeat(29));
        let lines = Comparison::new(&gold, &got).lines(PLAIN);
        let start = format!("  got       {}B ", "A ".repeat(6));
        assert_eq!(lines[0], "  symbols 15-28 of 50");
        assert!(lines[2].starts_with(&start), "{lines:?}");
        assert!(lines.iter().all(|line| line.chars().count() <= 40), "{lines:?}");
    }

    #[test]
    fn names_have_a_column() {
        assert_eq!(cut("prompt", &"A ".repeat(30), PLAIN), format!("  prompt    {}A…", "A ".repeat(13)));
        let lines = paragraph("why", "layer 21 wrote it in cell 22, which attends to cell 9", PLAIN);
        assert_eq!(lines, ["  why       layer 21 wrote it in cell", "            22, which attends to cell 9"]);
    }
}
