//! What is known about a code, from the table and its page.

use std::sync::LazyLock;

use super::{
    page::{Page, parts},
    table::{Code, Row},
};
use crate::severity::Severity;

/// What is known about a diagnostic code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The code's name, such as `unknown-register`.
    pub name: &'static str,
    /// How bad it is unless configured otherwise.
    pub severity: Severity,
    /// Whether it is left out unless asked for.
    pub off: bool,
    /// What it says, in one sentence.
    pub summary: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// A program, or the part of one that follows [`DECLARATIONS`], that gets it.
    pub example: &'static str,
    /// The example, repaired.
    pub repair: &'static str,
    /// Which file below this crate's `src` reports it, or who else does.
    pub source: &'static str,
    page: &'static str,
}

/// Stands before each example and repair that has no declarations of its own.
pub const DECLARATIONS: &str = "\
registers: {symbol: 's', position: 'p', mark: 'm', copy: 'c'}
constants: {\"A\", \"B\"}
watch: [mark, copy]
";

/// The entry of each code, in the order of the table.
static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| Code::ALL.iter().copied().map(Entry::new).collect());

impl Code {
    /// What is known about it.
    pub fn entry(self) -> Entry {
        ENTRIES.get(self as usize).copied().unwrap_or_else(|| Entry::new(self))
    }
}

impl Entry {
    /// A test holds that each page has all parts.
    fn new(code: Code) -> Self {
        let Row { name, severity, source, page, .. } = code.row();
        let Page { summary, why, example, repair, .. } = parts(page).unwrap_or_default();
        Self { name, severity, off: code.is_off(), summary, why, example, repair, source, page }
    }

    /// The example as a whole program.
    pub fn example_program(&self) -> String {
        whole(self.example)
    }

    /// The repair as a whole program.
    pub fn repair_program(&self) -> String {
        whole(self.repair)
    }

    /// The code's page, in Markdown.
    pub fn markdown(&self) -> String {
        self.page.to_owned()
    }
}

fn whole(program: &str) -> String {
    if program.contains("registers") || program.is_empty() {
        program.to_owned()
    } else {
        format!("{DECLARATIONS}{program}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_has_all_parts_and_agrees_with_its_row() {
        for code in Code::ALL {
            let entry = code.entry();
            let page = parts(entry.page).unwrap_or_else(|| panic!("{} lacks a part", entry.name));
            let off = if entry.off { ", off by default" } else { "" };
            let level = format!("{}{off}", entry.severity.as_str());
            assert_eq!((page.title, page.level), (entry.name, level.as_str()));
            assert_eq!(entry.name, code.as_str());
        }
    }
}
