//! The documentation that a diagnostic's code links to: a page of all diagnostics, which each version of the server
//! writes to the user's cache. The link works offline and matches this version.

use std::{collections::HashMap, sync::OnceLock};

use psl_host::cache_page;
use psl_syntax::{Code, codes};

use crate::uri::Url;

struct Page {
    url: Url,
    /// The 1-based line of each code's section.
    lines: HashMap<Code, usize>,
}

/// Returns the URL of a code's section, or `None` if the page cannot be written.
pub fn link(code: Code) -> Option<Url> {
    static PAGE: OnceLock<Option<Page>> = OnceLock::new();
    let page = PAGE.get_or_init(Page::put).as_ref()?;
    let mut url = page.url.clone();
    url.set_fragment(Some(&format!("L{}", page.lines.get(&code)?)));
    Some(url)
}

impl Page {
    fn put() -> Option<Self> {
        let text = codes::page();
        let path = cache_page(concat!("diagnostics-", env!("CARGO_PKG_VERSION"), ".md"), &text).ok()?;
        let sections = (1..).zip(text.lines()).filter_map(|(line, text)| {
            let name = text.strip_prefix("### ")?;
            Some((Code::from_name(name)?, line))
        });
        Some(Self { url: Url::from_file_path(path).ok()?, lines: sections.collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_links_only_to_its_sections() {
        let text = codes::page();
        let targets: Vec<&str> = text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0)).collect();
        assert!(targets.len() >= Code::ALL.len(), "{} links", targets.len());
        for target in targets {
            let name = target.strip_prefix('#').unwrap_or_default();
            assert!(Code::ALL.iter().any(|code| code.as_str().to_lowercase() == name), "{target}");
        }
    }

    #[test]
    fn every_code_has_its_section() {
        let page = Page::put().expect("the page is written");
        let text = codes::page();
        let lines: Vec<&str> = text.lines().collect();
        for code in Code::ALL {
            assert_eq!(lines[page.lines[code] - 1], format!("### {}", code.as_str()));
        }
    }
}
