//! The documentation that a diagnostic's code links to: a page of all diagnostics, which each version of the server
//! writes to the user's cache. The link works offline and matches this version.

use std::{
    collections::HashMap,
    fs,
    io::{self, Write},
    path::PathBuf,
    sync::OnceLock,
};

use lsp_types::Url;
use psl_syntax::{Code, codes};

use super::bounded::read_regular;

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
        let path = write(&text).ok()?;
        let sections = (1..).zip(text.lines()).filter_map(|(line, text)| {
            let name = text.strip_prefix("### ")?;
            Some((Code::from_name(name)?, line))
        });
        Some(Self { url: Url::from_file_path(path).ok()?, lines: sections.collect() })
    }
}

/// Writes the page unless it exists.
fn write(text: &str) -> io::Result<PathBuf> {
    let folder = dirs::cache_dir().ok_or(io::ErrorKind::NotFound)?.join("psl");
    let path = folder.join(concat!("diagnostics-", env!("CARGO_PKG_VERSION"), ".md"));
    if read_regular(&path, text.len() as u64).is_ok_and(|there| there == text.as_bytes()) {
        return Ok(path);
    }
    fs::create_dir_all(&folder)?;
    // Another server may be reading the page.
    let mut file = tempfile::NamedTempFile::new_in(&folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(&path)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

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
