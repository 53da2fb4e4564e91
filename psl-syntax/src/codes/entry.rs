//! The entry of a code, from the table and its page.

use std::sync::LazyLock;

use super::{
    page::{Page, parts},
    table::{Code, Row},
};
use crate::severity::Severity;

/// The entry of a diagnostic code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeEntry {
    /// The name, such as `unknown-register`.
    pub name: &'static str,
    /// The default severity.
    pub severity: Severity,
    /// Whether the code is off by default.
    pub off: bool,
    /// A summary in one sentence.
    pub summary: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// A program that gets the code, or a part that follows [`DECLARATIONS`].
    pub example: &'static str,
    /// The repaired example.
    pub repair: &'static str,
    /// The file below `src` that reports it, or a description of the reporter.
    pub source: &'static str,
    page: &'static str,
}

/// Precedes every example and repair without declarations.
pub const DECLARATIONS: &str = "\
registers: {symbol: 's', position: 'p', mark: 'm', copy: 'c'}
constants: {\"A\", \"B\"}
watch: [mark, copy]
";

/// The entries in the order of the table.
static ENTRIES: LazyLock<Vec<CodeEntry>> = LazyLock::new(|| Code::ALL.iter().copied().map(CodeEntry::new).collect());

impl Code {
    /// The row of the code in the table, with the parts of its page.
    pub fn entry(self) -> CodeEntry {
        ENTRIES.get(self as usize).copied().unwrap_or_else(|| CodeEntry::new(self))
    }
}

impl CodeEntry {
    /// A test checks that every page has all parts.
    fn new(code: Code) -> Self {
        let Row { name, severity, source, .. } = code.row();
        let page = code.page();
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

    /// The page of the code, in Markdown.
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
