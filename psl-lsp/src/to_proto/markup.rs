//! Markdown, and plain text for clients that do not show it.

use std::mem;

use gen_lsp_types as lsp;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// A text as Markdown.
pub fn markdown(value: String) -> lsp::MarkupContent {
    lsp::MarkupContent { kind: lsp::MarkupKind::Markdown, value }
}

/// Markdown for a client that shows it, and plain text for another one.
pub fn markup(value: String, shows_markdown: bool) -> lsp::MarkupContent {
    if shows_markdown {
        return markdown(value);
    }
    lsp::MarkupContent { kind: lsp::MarkupKind::PlainText, value: plain(&value) }
}

/// The indent of a block of code.
const CODE_INDENT: &str = "    ";

/// Markdown as plain text. Code in a line keeps its backquotes, as in messages, and a link has its address after it.
fn plain(markdown: &str) -> String {
    let mut page = Page::default();
    let mut links = Vec::new();
    for event in Parser::new(markdown) {
        match event {
            Event::Start(Tag::Item) => page.bullet = "- ",
            Event::Start(Tag::CodeBlock(_)) => page.is_code = true,
            Event::End(TagEnd::CodeBlock) => {
                page.end_of_block();
                page.is_code = false;
            }
            Event::Start(Tag::Link { dest_url, .. }) => links.push(dest_url),
            Event::End(TagEnd::Link) => {
                page.block.extend(links.pop().map(|address| format!(" ({address})")));
            }
            Event::Start(Tag::List(_)) | Event::End(TagEnd::Heading(_) | TagEnd::Paragraph | TagEnd::Item) => {
                page.end_of_block();
            }
            Event::Text(text) => page.block.push_str(&text),
            Event::Code(text) => page.block.extend(["`", &text, "`"]),
            Event::SoftBreak | Event::HardBreak => page.block.push(' '),
            _ => {}
        }
    }
    page.end_of_block();
    page.text
}

#[derive(Default)]
struct Page {
    text: String,
    /// The paragraph, item or code so far.
    block: String,
    is_code: bool,
    /// The start of an item, or empty.
    bullet: &'static str,
    /// Whether the last block was an item.
    after_item: bool,
}

impl Page {
    fn end_of_block(&mut self) {
        let block = mem::take(&mut self.block);
        let block = block.trim_end();
        if block.is_empty() {
            return;
        }
        let bullet = mem::take(&mut self.bullet);
        let is_item = !bullet.is_empty();
        if !self.text.is_empty() {
            self.text.push_str(if self.after_item && is_item { "\n" } else { "\n\n" });
        }
        self.after_item = is_item;
        self.text.push_str(bullet);
        let indent = if self.is_code { CODE_INDENT } else { "" };
        for (number, line) in block.lines().enumerate() {
            self.text.extend([if number > 0 { "\n" } else { "" }, if line.is_empty() { "" } else { indent }, line]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_plain_text() {
        let check = |markdown: &str, expected: &str| assert_eq!(plain(markdown), expected);
        check("", "");
        check(
            "**register** `mark`, short name `m`\n\nwritten\nby:\n\n- layer 1\n- layer 2\n\nend\n",
            "register `mark`, short name `m`\n\nwritten by:\n\n- layer 1\n- layer 2\n\nend",
        );
        check("# in\n\na \\*b\\_c\\* www\\.e &amp; `` a` ``", "in\n\na *b_c* www.e & `a``");
        check(
            "```psl\nwhere a[N] == A:\n\n    a[N] = A\n```\nafter",
            "    where a[N] == A:\n\n        a[N] = A\n\nafter",
        );
        check("Reference: [Null](file:///a%20b/values.md)", "Reference: Null (file:///a%20b/values.md)");
        check("- a\n- b\n\n  c\n- `d`", "- a\n- b\n\nc\n\n- `d`");
    }
}
