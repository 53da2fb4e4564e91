//! Renders Markdown for a terminal: headings, paragraphs, lists and code, the subset that all our explanations use.

use std::{fmt::Write as _, sync::Arc};

use anstyle::{AnsiColor, Style};
use psl_ide::{TokenType, semantic_tokens};
use psl_program::{Config, File};
use psl_render::{CODE, FRAME, STRONG, Terminal};
use psl_syntax::Span;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

/// Keeps a piece of code in one line while prose is broken at blanks.
const NO_BREAK: &str = "\u{a0}";

/// Maximum length of code that is kept in one line, in characters.
const LONGEST_UNBROKEN: usize = 30;

/// The indent of a block of code.
const CODE_INDENT: &str = "    ";

pub fn rendered(markdown: &str, terminal: Terminal) -> String {
    let mut page = Page { terminal, out: String::new(), prose: String::new(), style: None, item: false };
    let mut code: Option<String> = None;
    for event in Parser::new(markdown) {
        match event {
            Event::Start(Tag::Heading { .. } | Tag::Strong) => page.style = Some(STRONG),
            Event::End(TagEnd::Strong) => page.style = None,
            Event::Start(Tag::Item) => page.item = true,
            Event::End(TagEnd::Heading(_) | TagEnd::Paragraph | TagEnd::Item) => page.paragraph(),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => code = Some(language.to_string()),
            Event::End(TagEnd::CodeBlock) => code = None,
            Event::Text(text) => match &code {
                Some(language) => page.code_block(language, &text),
                None => page.text(&text),
            },
            Event::Code(text) => page.code(&text),
            Event::SoftBreak | Event::HardBreak => page.prose.push(' '),
            _ => {}
        }
    }
    page.out
}

struct Page {
    terminal: Terminal,
    out: String,
    /// The paragraph so far.
    prose: String,
    /// The style of the text.
    style: Option<Style>,
    /// Whether the paragraph starts an item of a list.
    item: bool,
}

impl Page {
    fn text(&mut self, text: &str) {
        let text = self.style.map_or_else(|| text.to_owned(), |style| self.terminal.paint(style, text));
        self.prose.push_str(&text);
    }

    /// Adds code in its color, or in backquotes without colors.
    fn code(&mut self, text: &str) {
        let text = if self.terminal.color { text.to_owned() } else { format!("`{text}`") };
        let text = if text.chars().count() > LONGEST_UNBROKEN { text } else { text.replace(' ', NO_BREAK) };
        self.prose.push_str(&self.terminal.paint(CODE, &text));
    }

    fn paragraph(&mut self) {
        self.style = None;
        let prose = std::mem::take(&mut self.prose);
        if prose.is_empty() {
            return;
        }
        let (first, others) = if std::mem::take(&mut self.item) { ("- ", "  ") } else { ("", "") };
        if first.is_empty() {
            self.blank_line();
        }
        for line in self.terminal.wrap(&prose, first, others) {
            let _ = writeln!(self.out, "{}", line.replace(NO_BREAK, " "));
        }
    }

    fn code_block(&mut self, language: &str, text: &str) {
        self.blank_line();
        let text =
            if language == "psl" && self.terminal.color { colored(text, self.terminal) } else { text.to_owned() };
        for line in text.lines() {
            let _ = writeln!(self.out, "{}", format!("{CODE_INDENT}{line}").trim_end());
        }
    }

    fn blank_line(&mut self) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
    }
}

/// Colors the tokens of a program.
fn colored(text: &str, terminal: Terminal) -> String {
    let file = File::new(text, Arc::new(Config::default()));
    let mut out = String::new();
    let mut done = 0;
    for token in semantic_tokens(&file, Span::new(0, text.len() as u32)) {
        let style = match token.kind {
            TokenType::Comment => FRAME,
            TokenType::Keyword => AnsiColor::Magenta.on_default(),
            TokenType::String | TokenType::Number => AnsiColor::Green.on_default(),
            TokenType::Function => AnsiColor::Blue.on_default(),
            _ => continue,
        };
        let range = token.span.range();
        out.push_str(text.get(done..range.start).unwrap_or_default());
        out.push_str(&terminal.paint(style, text.get(range.clone()).unwrap_or_default()));
        done = range.end;
    }
    out + text.get(done..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_broken_and_code_is_not() {
        let markdown = "# in\n\n**keyword**: Holds if the left side has\na value, `in [A, B]`.\n\n- one\n- two\n\n```psl\nwhere a[N] in [A]:\n    a[N] = A\n```\n";
        let plain = rendered(markdown, Terminal { color: false, unicode: true, columns: 40 });
        assert_eq!(
            plain,
            "in\n\nkeyword: Holds if the left side has a\nvalue, `in [A, B]`.\n- one\n- two\n\n    where a[N] in [A]:\n        a[N] = A\n"
        );
        let colored = rendered(markdown, Terminal { color: true, unicode: true, columns: 40 });
        assert!(colored.contains("\u{1b}[35mwhere\u{1b}[0m a[N]"), "{colored:?}");
        assert!(colored.contains("\u{1b}[36min [A, B]\u{1b}[0m"), "{colored:?}");
    }
}
