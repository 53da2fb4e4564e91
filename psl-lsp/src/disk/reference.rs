//! The language reference, `docs/reference`, that hovers link to. Like the diagnostics, each version of the server
//! writes its pages to the user's cache.

use std::{collections::HashMap, io, sync::OnceLock};

use psl_host::cache_page;
use psl_ide::REFERENCE;
use psl_syntax::glossary::Section;

use crate::uri::Url;

/// Returns the URL of a section, or `None` if the pages cannot be written.
pub fn link(section: Section) -> Option<Url> {
    static URLS: OnceLock<Option<HashMap<&str, Url>>> = OnceLock::new();
    let mut url = URLS.get_or_init(|| write().ok()).as_ref()?.get(section.page)?.clone();
    url.set_fragment(Some(&format!("L{}", line(section)?)));
    Some(url)
}

/// Writes all pages, since they link to each other.
fn write() -> io::Result<HashMap<&'static str, Url>> {
    let write = |&(name, text): &(&'static str, &str)| {
        let path =
            cache_page(&format!("reference-{}/{name}.md", env!("CARGO_PKG_VERSION")), &without_outer_links(text))?;
        Ok((name, Url::from_file_path(path).map_err(|()| io::ErrorKind::InvalidFilename)?))
    };
    REFERENCE.iter().map(write).collect()
}

/// Replaces links to files outside of the reference, which are not in the cache, by their text.
fn without_outer_links(page: &str) -> String {
    let mut parts = page.split("](../");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if let Some(open) = text.rfind('[') {
            text.remove(open);
        }
        text.push_str(part.split_once(')').map_or(part, |(_, rest)| rest));
    }
    text
}

/// The 1-based line of a section's heading.
fn line(section: Section) -> Option<usize> {
    let (_, text) = REFERENCE.iter().find(|(name, _)| *name == section.page)?;
    // In a block, a comment starts like a heading.
    let mut in_block = false;
    let mut lines = (1..).zip(text.lines());
    let heading = lines.find(|(_, line)| {
        in_block ^= line.starts_with("```");
        !in_block && line.starts_with('#') && line.trim_start_matches('#').trim_start() == section.title
    });
    heading.map(|(line, _)| line)
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use super::*;

    #[test]
    fn every_word_links_to_a_heading() {
        let topics = psl_ide::topics().into_iter().flat_map(|of_kind| of_kind.topics);
        let mut links = 0;
        for topic in topics {
            match topic.section() {
                Some(section) => {
                    assert!(line(section).is_some(), "{}: {section:?}", topic.word);
                    links += 1;
                }
                // A diagnostic's own page explains its code.
                None => assert!(psl_syntax::Code::from_name(topic.word).is_some(), "{}", topic.word),
            }
        }
        assert!(links > 60, "{links} links");
    }

    #[test]
    fn words_and_pages_lead_to_every_page() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference");
        let files = fs::read_dir(folder).expect("the reference");
        let name =
            |file: fs::DirEntry| file.file_name().to_str().and_then(|name| name.strip_suffix(".md")).map(str::to_owned);
        let all: BTreeSet<String> = files.map(|file| name(file.expect("a file")).expect("a page")).collect();
        assert_eq!(REFERENCE.iter().map(|(name, _)| (*name).to_owned()).collect::<BTreeSet<_>>(), all);

        let topics = psl_ide::topics().into_iter().flat_map(|of_kind| of_kind.topics);
        let mut reached: BTreeSet<&str> = topics.filter_map(|topic| Some(topic.section()?.page)).collect();
        for _ in &REFERENCE {
            let from: Vec<&str> =
                REFERENCE.iter().filter(|(name, _)| reached.contains(name)).map(|(_, text)| *text).collect();
            let is_linked = |name: &&str| from.iter().any(|text| text.contains(&format!("]({name}.md")));
            reached.extend(REFERENCE.iter().map(|(name, _)| *name).filter(is_linked));
        }
        assert_eq!(reached.into_iter().map(str::to_owned).collect::<BTreeSet<_>>(), all);
    }

    #[test]
    fn a_section_has_its_line_in_the_cache() {
        let section = psl_syntax::glossary::at("values", "Null");
        let url = link(section).expect("the pages are written");
        let text = fs::read_to_string(url.to_file_path().expect("a path")).expect("a page");
        let line = url.fragment().and_then(|line| line.strip_prefix('L')).and_then(|line| line.parse::<usize>().ok());
        assert_eq!(text.lines().nth(line.expect("a line") - 1), Some("## Null"));
    }

    #[test]
    fn cached_pages_link_only_to_each_other() {
        let shortened = without_outer_links("a [`b`](../c/d.md), [e](f.md) and [g](../h.md).");
        assert_eq!(shortened, "a `b`, [e](f.md) and g.");
        for (name, text) in REFERENCE {
            let cached = without_outer_links(text);
            assert_eq!(cached.lines().count(), text.lines().count(), "{name}");
            assert!(!cached.contains("../"), "{name}");
        }
    }
}
