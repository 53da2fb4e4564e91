//! All codes by severity: as a list of links, and as one page.

use super::{
    entry::{CodeEntry, DECLARATIONS},
    table::Code,
};
use crate::severity::Severity;

/// The entries by severity, most severe first. Severities without entries are left out.
pub fn by_severity() -> Vec<(Severity, Vec<CodeEntry>)> {
    let of = |severity| Code::ALL.iter().map(|code| code.entry()).filter(move |entry| entry.severity == severity);
    let groups = [Severity::Error, Severity::Warning, Severity::Info, Severity::Hint]
        .map(|severity| (severity, of(severity).collect::<Vec<_>>()));
    groups.into_iter().filter(|(_, entries)| !entries.is_empty()).collect()
}

/// The text of `docs/diagnostics.md`: a list of all codes with links to their pages.
pub fn index() -> String {
    let mut index = head(
        "The diagnostics of `psl check` and the editors, with a page for each code. `psl explain CODE` shows the same page.\n\
         A test checks this list against the table in `psl-syntax/src/codes/table.rs`.",
    );
    for (severity, entries) in by_severity() {
        index.push_str(&list(severity, &entries, |entry| format!("diagnostics/{}.md", entry.name)));
    }
    index
}

/// The pages of all codes as one page, with a heading `### NAME` for each.
pub fn page() -> String {
    let mut page = head("The diagnostics of `psl check` and the editors. `psl explain CODE` shows the same text.");
    for (severity, entries) in by_severity() {
        page.push_str(&list(severity, &entries, |entry| format!("#{}", entry.name.to_lowercase())));
        page.extend(entries.iter().map(|entry| format!("\n##{}", entry.markdown())));
    }
    page
}

fn head(introduction: &str) -> String {
    format!(
        "# Diagnostics\n\n{introduction}\n\nAn example without declarations starts with these:\n\n\
         ```psl\n{DECLARATIONS}```\n"
    )
}

fn list(severity: Severity, entries: &[CodeEntry], link: impl Fn(&CodeEntry) -> String) -> String {
    let mut list = format!("\n## Severity: {}\n\n", severity.as_str());
    list.extend(entries.iter().map(|entry| format!("- [{}]({}): {}\n", entry.name, link(entry), entry.summary)));
    list
}
