//! Numbers as text.

/// Rows with aligned columns, `gap` blanks apart.
pub fn table(gap: usize, rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let rows: Vec<Vec<String>> = rows.into_iter().collect();
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..).map_while(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}")).collect::<Vec<_>>();
        cells.join(&" ".repeat(gap)).trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

/// A row of a table.
pub fn labeled(label: &str, cells: impl IntoIterator<Item = String>) -> Vec<String> {
    [label.to_owned()].into_iter().chain(cells).collect()
}

/// One character for each whole number: a dot for 0 and a minus for -1.
pub fn digits(vector: &[f64]) -> String {
    let digit = |number: &f64| match number.to_string().as_str() {
        "0" | "-0" => ".".to_owned(),
        "-1" => "-".to_owned(),
        other => other.to_owned(),
    };
    vector.iter().map(digit).collect()
}

/// Four decimals, without a sign for zero.
pub fn decimals(number: f64) -> String {
    format!("{:.4}", (number * 1e4).round() / 1e4 + 0.0)
}
