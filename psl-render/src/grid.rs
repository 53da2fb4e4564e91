//! Short texts in rows and columns, such as registers by cells.

use std::{borrow::Cow, iter, ops::Range};

use unicode_width::UnicodeWidthStr;

/// Longer texts are cut, in characters.
const LONGEST: usize = 40;
/// The mark before a changed value.
const MARK: &str = "*";
/// The name of the row with the symbols that the cells start with. Layers may change the register `symbol`.
pub const START: &str = "start";
/// The line between two groups of columns.
const BAR: &str = "│";

/// The parts of a table that can have colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The heading of a block.
    Title,
    /// The name of a row.
    Name,
    /// The number of a cell.
    Number,
    /// The symbol of a cell.
    Symbol,
    /// A value of a register, or other text.
    Value,
    /// A value that a layer changed, and its mark.
    Changed,
    /// A symbol that differs from the expected one, and the caret below it.
    Wrong,
    /// The word for a passed test.
    Passed,
    /// A line between columns, or a remark.
    Frame,
}

/// Colors a part of a table. The result is as wide as the text.
pub type Paint<'p> = &'p dyn Fn(Part, &str) -> String;

/// Leaves the text as it is.
pub fn plain(_: Part, text: &str) -> String {
    text.to_owned()
}

/// Rows of texts that share columns. A column is as wide as its widest text.
pub struct Grid {
    rows: Vec<GridRow>,
    name_width: usize,
    /// The width of each column.
    widths: Vec<usize>,
    /// The column after the bar.
    bar: Option<usize>,
    gap: usize,
}

/// A row with its name.
pub struct GridRow {
    name: String,
    texts: Vec<(Part, String)>,
}

impl GridRow {
    /// A row of parts of one kind.
    pub fn new<T: AsRef<str>>(name: &str, part: Part, texts: impl IntoIterator<Item = T>) -> Self {
        Self::of_parts(name, texts.into_iter().map(|text| (part, text)))
    }

    /// A row of parts.
    pub fn of_parts<T: AsRef<str>>(name: &str, texts: impl IntoIterator<Item = (Part, T)>) -> Self {
        let texts = texts.into_iter().map(|(part, text)| (part, shortened(text.as_ref()))).collect();
        Self { name: shortened(name), texts }
    }
}

impl Grid {
    /// Aligns rows, with a bar before a column unless that is the first or beyond the last one.
    pub fn new(rows: Vec<GridRow>, bar: usize) -> Self {
        let columns = rows.iter().map(|row| row.texts.len()).max().unwrap_or(0);
        let widest = |column: usize| {
            rows.iter().filter_map(|row| row.texts.get(column)).map(|(_, text): &(_, String)| text.width()).max()
        };
        let widths = (0..columns).map(|column| widest(column).unwrap_or(0)).collect();
        let name_width = rows.iter().map(|row| row.name.width()).max().unwrap_or(0);
        let marked = rows.iter().flat_map(|row| &row.texts).any(|(part, _)| *part == Part::Changed);
        // A mark replaces a blank.
        let gap = if marked { 2 } else { 1 };
        Self { rows, name_width, widths, bar: Some(bar).filter(|bar| (1..columns).contains(bar)), gap }
    }

    /// The grid with two blanks between columns.
    #[must_use]
    pub fn wide(self) -> Self {
        Self { gap: 2, ..self }
    }

    /// Splits the columns into chunks no wider than `width`, if possible. Each has at least one column.
    pub fn chunks(&self, width: Option<usize>) -> Vec<Range<usize>> {
        let limit = width.unwrap_or(usize::MAX);
        let (mut chunks, mut start, mut used) = (Vec::new(), 0, self.name_width);
        for (column, width) in self.widths.iter().enumerate() {
            let bar = if self.bar == Some(column) { 1 + BAR.width() } else { 0 };
            let wide = bar + self.gap + width;
            if column > start && used + wide > limit {
                chunks.push(start..column);
                (start, used) = (column, self.name_width);
            }
            used += wide;
        }
        if start < self.widths.len() || chunks.is_empty() {
            chunks.push(start..self.widths.len());
        }
        chunks
    }

    /// Some of the columns after the names, as lines without a line end after the last one.
    pub fn lines(&self, columns: Range<usize>, paint: Paint) -> String {
        let lines: Vec<String> = self.rows.iter().map(|row| self.line(row, columns.clone(), paint)).collect();
        lines.join("\n")
    }

    fn line(&self, row: &GridRow, columns: Range<usize>, paint: Paint) -> String {
        let mut line = paint(Part::Name, &row.name);
        line.extend(iter::repeat_n(' ', self.name_width - row.name.width()));
        for column in columns {
            if self.bar == Some(column) {
                line.push(' ');
                line.push_str(&paint(Part::Frame, BAR));
            }
            let (part, text) = row.texts.get(column).map_or((Part::Value, ""), |(part, text)| (*part, text.as_str()));
            let mark = if part == Part::Changed { MARK } else { "" };
            line.extend(iter::repeat_n(' ', self.gap - mark.len()));
            line.push_str(&paint(part, &format!("{mark}{text}")));
            let width = self.widths.get(column).copied().unwrap_or(0);
            line.extend(iter::repeat_n(' ', width - text.width()));
        }
        line.truncate(line.trim_end().len());
        line
    }
}

/// The text, or as much of it as fits into these columns with an ellipsis.
pub fn fitting(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut start = String::new();
    for char in text.chars() {
        start.push(char);
        if start.width() >= columns {
            start.pop();
            break;
        }
    }
    format!("{}…", start.trim_end())
}

/// A text without control characters, cut if it is long.
fn shortened(text: &str) -> String {
    let cut = match text.char_indices().nth(LONGEST) {
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or_default())),
        None => Cow::Borrowed(text),
    };
    cut.chars().map(|char| if char.is_control() { '?' } else { char }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(bar: usize) -> Grid {
        let rows = vec![
            GridRow::new("cell", Part::Number, ["1", "2", "3"]),
            GridRow::new("symbol", Part::Symbol, ["Alpha", "世界", "."]),
            GridRow::of_parts("ε", [(Part::Value, "∅"), (Part::Changed, "XQ")]),
        ];
        Grid::new(rows, bar)
    }

    #[test]
    fn columns_are_aligned_by_what_a_terminal_shows() {
        let text = grid(2).lines(0..3, &plain);
        assert_eq!(text, "cell    1      2    │  3\nsymbol  Alpha  世界 │  .\nε       ∅     *XQ   │");
    }

    #[test]
    fn columns_that_do_not_fit_are_in_another_chunk() {
        let ends = |grid: &Grid, width| grid.chunks(width).iter().map(|chunk| chunk.end).collect::<Vec<_>>();
        let grid = grid(2);
        assert_eq!(ends(&grid, None), [3]);
        assert_eq!(ends(&grid, Some(24)), [3]);
        assert_eq!(ends(&grid, Some(23)), [2, 3]);
        assert_eq!(ends(&grid, Some(1)), [1, 2, 3]);
        assert_eq!(grid.lines(2..3, &plain), "cell   │  3\nsymbol │  .\nε      │");
        assert_eq!(ends(&Grid::new(Vec::new(), 0), None), [0]);
    }

    #[test]
    fn a_bar_is_between_columns() {
        for bar in [0, 3, 4] {
            assert!(!grid(bar).lines(0..3, &plain).contains(BAR), "{bar}");
        }
    }

    #[test]
    fn long_texts_are_cut_and_lines_stay_lines() {
        assert_eq!(shortened(&"x".repeat(41)), format!("{}…", "x".repeat(40)));
        assert_eq!(shortened("a\nb\u{1b}"), "a?b?");
    }
}
