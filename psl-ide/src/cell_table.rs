//! A text table of registers: one column per cell, under the cell's symbol and number.

use unicode_width::UnicodeWidthStr;

/// Maximum line width in terminal columns. Further cells continue in another block below.
const WIDTH: usize = 76;

/// Returns a table of `rows`, each a name and the values of all cells, below the symbols of the cells. Columns are as
/// wide as their longest value. Cells that do not fit in a line continue in another block of lines.
pub fn cell_table(symbols: &[&str], rows: &[(&str, Vec<&str>)]) -> String {
    let cells = rows.iter().map(|(_, values)| values.len()).max().unwrap_or(0).max(symbols.len());
    let names: Vec<&str> = ["symbol", "cell"].into_iter().chain(rows.iter().map(|(name, _)| *name)).collect();
    let mut blocks = vec![Block::new(&names)];
    for cell in 0..cells {
        let number = (cell + 1).to_string();
        let at = |values: &[&'_ str]| values.get(cell).copied().unwrap_or_default().to_owned();
        let column: Vec<String> =
            [at(symbols), number].into_iter().chain(rows.iter().map(|(_, values)| at(values))).collect();
        let width = column.iter().map(|text| text.width()).max().unwrap_or(0);
        if let Some(last) = blocks.last()
            && last.cells > 0
            && last.width + 2 + width > WIDTH
        {
            blocks.push(Block::new(&names));
        }
        if let Some(last) = blocks.last_mut() {
            last.push(&column, width);
        }
    }
    let blocks: Vec<String> = blocks.into_iter().map(Block::text).collect();
    blocks.join("\n\n")
}

/// Lines of equal width.
struct Block {
    lines: Vec<String>,
    width: usize,
    cells: usize,
}

impl Block {
    fn new(names: &[&str]) -> Self {
        let mut block = Self { lines: vec![String::new(); names.len()], width: 0, cells: 0 };
        let width = names.iter().map(|name| name.width()).max().unwrap_or(0);
        block.append("", names, width);
        block
    }

    fn push(&mut self, column: &[String], width: usize) {
        let column: Vec<&str> = column.iter().map(String::as_str).collect();
        self.append("  ", &column, width);
        self.cells += 1;
    }

    fn append(&mut self, gap: &str, column: &[&str], width: usize) {
        for (line, text) in self.lines.iter_mut().zip(column) {
            line.push_str(gap);
            line.push_str(text);
            line.push_str(&" ".repeat(width - text.width()));
        }
        self.width += gap.len() + width;
    }

    fn text(self) -> String {
        let lines: Vec<&str> = self.lines.iter().map(|line| line.trim_end()).collect();
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_by_displayed_width() {
        let table = cell_table(&["Alpha", "世界", "."], &[("mark", vec!["∅", "XQ", "∅"]), ("ε", vec!["1"])]);
        let expected = "symbol  Alpha  世界  .\ncell    1      2     3\nmark    ∅      XQ    ∅\nε       1";
        assert_eq!(table, expected);
    }

    #[test]
    fn many_cells_continue_below() {
        let values: Vec<String> = (1..=50).map(|number| format!("v{number}")).collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let table = cell_table(&values, &[("x", values.clone())]);
        assert!(table.lines().all(|line| line.width() <= WIDTH), "{table}");
        let blocks: Vec<&str> = table.split("\n\n").collect();
        let heads: Vec<_> =
            blocks.iter().map(|block| block.lines().next().and_then(|line| line.split_whitespace().nth(1))).collect();
        assert_eq!(heads, [Some("v1"), Some("v16"), Some("v30"), Some("v44")]);
        assert_eq!(table.matches("v50").count(), 2);
    }

    #[test]
    fn an_empty_table_has_only_names() {
        assert_eq!(cell_table(&[], &[("x", Vec::new())]), "symbol\ncell\nx");
    }
}
