//! The table of colours, `grammars/colours.toml`, and what is made from it.

use std::collections::BTreeMap;

/// The table: by the name of what is coloured, each column's word.
pub type Table = BTreeMap<String, BTreeMap<String, String>>;

/// Reads the table.
pub fn table() -> Table {
    toml::from_str(include_str!("../../grammars/colours.toml")).expect("the table of colours is TOML")
}

/// A template with each `@name` of the table replaced by `@` and its word in a column. Names that start with `_`, and words of the
/// template that the table does not have, such as `@indent`, stay.
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
