//! Cases of tree-sitter's corpus: a name between two lines of `=`, a text, a line of `-` and the tree as an
//! S-expression.

use std::{fmt::Write as _, iter};

/// A text with its tree.
pub struct Case {
    /// The name of the case.
    pub name: String,
    /// The text, without the line end before the divider.
    pub text: String,
}

const RULE: &str = "==================";
const DIVIDER: &str = "---";

/// Parses the cases of a file, without their trees.
pub fn cases(file: &str) -> Vec<Case> {
    let mut parts = file.split(RULE).map(str::trim).skip(1);
    let case = || {
        let (name, rest) = (parts.next()?, parts.next()?);
        let (text, _) = rest.split_once(&format!("\n{DIVIDER}")).unwrap_or((rest, ""));
        Some(Case { name: name.to_owned(), text: text.trim_end().to_owned() })
    };
    iter::from_fn(case).collect()
}

/// Writes the file for cases and their trees.
pub fn file<'c>(cases: impl IntoIterator<Item = (&'c Case, String)>) -> String {
    let mut file = String::new();
    for (Case { name, text }, tree) in cases {
        let tree = indented(&tree);
        writeln!(file, "{RULE}\n{name}\n{RULE}\n\n{text}\n\n{DIVIDER}\n\n{tree}\n").expect("writing to a string");
    }
    file
}

/// Formats an S-expression with one node per line.
fn indented(tree: &str) -> String {
    let (mut made, mut depth) = (String::new(), 0);
    for word in tree.split_inclusive([' ', ')']) {
        let label = word.ends_with(": ");
        if word.starts_with('(') || label {
            let after_label = made.ends_with(": ");
            if !made.is_empty() && !after_label {
                made.truncate(made.trim_end().len());
                made.push('\n');
                made.push_str(&"  ".repeat(depth));
            }
        }
        made.push_str(word);
        depth += word.matches('(').count();
        depth -= word.matches(')').count();
    }
    made.trim_end().to_owned()
}
