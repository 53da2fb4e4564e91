//! The color table, `grammars/colors.toml`, and the files generated from it.

use std::collections::BTreeMap;

/// The table: its rows by name, with a word for each column.
pub type Table = BTreeMap<String, BTreeMap<String, String>>;

/// Reads the table.
pub fn table() -> Table {
    toml::from_str(include_str!("../../grammars/colors.toml")).expect("the color table is TOML")
}

/// Replaces each `@name` in a template by `@` and the word of that row in a column. Names that start with `_` and names
/// without a row, such as `@indent`, stay.
pub fn captures(template: &str, table: &Table, column: &str) -> String {
    let mut made = String::new();
    for (index, part) in template.split('@').enumerate() {
        if index == 0 {
            made.push_str(part);
            continue;
        }
        let end = part.find(|c: char| !c.is_ascii_alphanumeric() && !"._-".contains(c)).unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        made.push('@');
        made.push_str(table.get(name).and_then(|row| row.get(column)).map_or(name, String::as_str));
        made.push_str(rest);
    }
    made
}
