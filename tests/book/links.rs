//! Links between pages, and to other files of the repository.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The broken relative links of a page with their 1-based lines, and the number of all relative links.
pub fn broken(page: &Path) -> (Vec<(usize, String)>, usize) {
    let text = fs::read_to_string(page).expect("a page");
    let folder = page.parent().expect("a folder");
    let (mut broken, mut followed) = (Vec::new(), 0);
    for (event, range) in Parser::new_ext(&text, Options::ENABLE_TABLES).into_offset_iter() {
        let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event else { continue };
        if dest_url.contains("://") || dest_url.starts_with("mailto:") {
            continue;
        }
        followed += 1;
        let (path, anchor) = dest_url.split_once('#').map_or((&*dest_url, None), |(path, anchor)| (path, Some(anchor)));
        let target: PathBuf = if path.is_empty() { page.to_owned() } else { folder.join(path) };
        let problem = match anchor {
            _ if !target.exists() => Some(format!("`{path}` does not exist")),
            Some(anchor) if !anchors(&target).iter().any(|known| known == anchor) => {
                Some(format!("`{dest_url}` has no heading for its anchor"))
            }
            _ => None,
        };
        broken.extend(problem.map(|problem| (text[..range.start].matches('\n').count() + 1, problem)));
    }
    (broken, followed)
}

/// The anchors of the headings of a page, as GitHub writes them.
pub fn anchors(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap_or_default();
    let (mut anchors, mut heading) = (Vec::new(), None::<String>);
    let mut used: HashMap<String, usize> = HashMap::new();
    for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let anchor = slug(&heading.take().unwrap_or_default());
                let earlier = used.entry(anchor.clone()).or_default();
                anchors.push(if *earlier == 0 { anchor } else { format!("{anchor}-{earlier}") });
                *earlier += 1;
            }
            _ => {}
        }
    }
    anchors
}

fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|char| char.is_alphanumeric() || " -_".contains(*char));
    kept.map(|char| if char == ' ' { '-' } else { char }).flat_map(char::to_lowercase).collect()
}
