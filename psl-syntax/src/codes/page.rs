//! The page of a code and its parts.

/// The parts of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Page<'p> {
    /// The heading: the name of the code.
    pub title: &'p str,
    /// The level, such as `warning` or `warning, off by default`.
    pub level: &'p str,
    /// A summary in one sentence.
    pub summary: &'p str,
    /// Why it matters.
    pub why: &'p str,
    /// PSL that gets the code.
    pub example: &'p str,
    /// The repaired example.
    pub repair: &'p str,
}

/// Splits a page into its parts, or returns `None` if one is missing.
pub fn parts(page: &str) -> Option<Page<'_>> {
    let (title, rest) = page.strip_prefix("# ")?.split_once("\n\n**")?;
    let (level, rest) = rest.split_once("**: ")?;
    let (summary, rest) = rest.split_once("\n\n")?;
    let (why, rest) = rest.split_once("\n\nExample:\n\n```psl\n")?;
    let (example, rest) = rest.split_once("\n```\n\nUse instead:\n\n```psl\n")?;
    // More can follow, such as a table.
    let (repair, _) = rest.split_once("\n```\n")?;
    let page = Page { title, level, summary, why, example, repair };
    [title, level, summary, why, example, repair].iter().all(|part| !part.is_empty()).then_some(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_without_one_of_its_parts() {
        let page = "# a\n\n**error**: B.\n\nC.\n\nExample:\n\n```psl\nd\n```\n\nUse instead:\n\n```psl\ne\nf\n```\n";
        let whole = Page { title: "a", level: "error", summary: "B.", why: "C.", example: "d", repair: "e\nf" };
        assert_eq!(parts(page), Some(whole));
        assert_eq!(parts(&format!("{page}\nMore.\n")), Some(whole));
        for part in ["# a", "**error**: ", "C.\n\n", "Example:", "d\n", "Use instead:", "e\nf", "```\n"] {
            assert_eq!(parts(&page.replacen(part, "", 1)), None, "without {part:?}");
        }
        assert_eq!(parts(""), None);
    }
}
