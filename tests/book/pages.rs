//! The pages of a book and their order.

use std::{
    fs,
    path::{Path, PathBuf},
};

use pulldown_cmark::{Event, Parser, Tag};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The path in the folder of the book, without the extension.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    pub text: String,
}

impl Page {
    fn read(book: &Path, path: PathBuf) -> Self {
        let name = path.strip_prefix(book).expect("a page of the book").with_extension("");
        let text = fs::read_to_string(&path).expect("a page");
        Self { name: name.to_str().expect("UTF-8").to_owned(), path, text }
    }

    /// The text `docs/NAME.md:LINE: MESSAGE`.
    pub fn place(&self, line: usize, message: &str) -> String {
        format!("docs/{}.md:{line}: {message}", self.name)
    }
}

/// All pages in a folder, in the order of the summary. Pages that are missing from it are last.
pub fn pages(book: &Path) -> Vec<Page> {
    let order: Vec<_> = listed(book).into_iter().map(|(path, _)| path).collect();
    let mut pages: Vec<_> = files(book).into_iter().map(|path| Page::read(book, path)).collect();
    let place = |page: &Page| order.iter().position(|path| *path == page.path).unwrap_or(order.len());
    pages.sort_by_key(|page| (place(page), page.name.clone()));
    pages
}

/// The differences between the summary and the files: each page is listed once.
pub fn unlisted(book: &Path) -> Vec<String> {
    let (listed, files) = (listed(book), files(book));
    let missing = listed.iter().filter(|(path, _)| !path.exists());
    let mut found: Vec<_> =
        missing.map(|(path, line)| format!("docs/SUMMARY.md:{line}: {} does not exist", path.display())).collect();
    for path in &files {
        let times = listed.iter().filter(|(other, _)| other == path).count();
        if times != 1 {
            let page = Page::read(book, path.clone());
            found.push(page.place(1, &format!("docs/SUMMARY.md lists the page {times} times")));
        }
    }
    found
}

/// The pages in the summary with their 1-based lines.
fn listed(book: &Path) -> Vec<(PathBuf, usize)> {
    let summary = fs::read_to_string(book.join("SUMMARY.md")).expect("the summary");
    let events = Parser::new(&summary).into_offset_iter();
    let links = events.filter_map(|(event, range)| match event {
        Event::Start(Tag::Link { dest_url, .. }) => Some((dest_url.into_string(), range.start)),
        _ => None,
    });
    links.map(|(page, start)| (book.join(page), summary[..start].matches('\n').count() + 1)).collect()
}

/// The files of Markdown in a folder and the folders in it, without the summary.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") && !path.ends_with("SUMMARY.md") {
            found.push(path);
        }
    }
    found
}
