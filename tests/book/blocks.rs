//! The blocks of a page and their directives.

use std::ops::Range;

/// A fenced block of a page.
pub struct CodeBlock {
    /// The line of its fence, 1-based.
    pub line: usize,
    /// The backquotes around it.
    pub fence: String,
    /// The language after the fence.
    pub language: String,
    /// The directive above it.
    pub directive: Option<Directive>,
    /// The lines between the fences, 0-based.
    pub body: Range<usize>,
    /// The text of the body.
    pub text: String,
}

/// An instruction in an HTML comment above a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Directive {
    /// The block is the whole file, with these codes.
    File(String, Vec<String>),
    /// The block continues the file, which then has these codes.
    Append(String, Vec<String>),
    /// The block continues a copy of another file, if there is one. The file of this name at the end of the page solves
    /// it.
    Exercise(String, Option<String>),
    /// The part of a program has these codes.
    Diagnostics(Vec<String>),
    /// The last command ends with this code.
    Exit(i32),
    /// The block is the hover at a line and a column of a file, both 1-based.
    Hover(String, usize, usize),
    /// The block is the result of a function.
    Computed(String),
    /// The block is the output of the Python program before it.
    Prints,
}

/// A failed test of a line, 1-based.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub line: usize,
    pub message: String,
}

impl Failure {
    pub fn new(line: usize, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }
}

impl Directive {
    fn parse(text: &str) -> Option<Self> {
        let (head, codes) = match text.split_once("diagnostics:") {
            Some((head, codes)) => (head.trim().trim_end_matches(',').trim_end(), Some(codes)),
            None => (text.trim(), None),
        };
        let words: Vec<_> = head.split_whitespace().collect();
        let codes: Option<Vec<_>> = codes.map(|codes| codes.split_whitespace().map(str::to_owned).collect());
        if codes.as_ref().is_some_and(Vec::is_empty) {
            return None;
        }
        Some(match (words.as_slice(), codes) {
            (["file", name], codes) => Self::File(inside(name)?, codes.unwrap_or_default()),
            (["append", name], codes) => Self::Append(inside(name)?, codes.unwrap_or_default()),
            (["exercise", name], None) => Self::Exercise(inside(name)?, None),
            (["exercise", name, "from", other], None) => Self::Exercise(inside(name)?, Some(inside(other)?)),
            ([], Some(codes)) => Self::Diagnostics(codes),
            (["exit", code], None) => Self::Exit(code.parse().ok()?),
            (["hover", name, place], None) => {
                let (line, column) = place.split_once(':')?;
                Self::Hover(inside(name)?, line.parse().ok()?, column.parse().ok()?)
            }
            (["computed", name], None) => Self::Computed((*name).to_owned()),
            (["prints"], None) => Self::Prints,
            _ => return None,
        })
    }

    fn fits(&self, language: &str) -> bool {
        match self {
            Self::File(..) | Self::Append(..) => true,
            Self::Diagnostics(_) | Self::Exercise(..) => language == "psl",
            Self::Exit(_) => language == "console",
            Self::Hover(..) | Self::Computed(_) | Self::Prints => language == "text",
        }
    }
}

/// The name of a file, or `None` if it is outside the working folder.
fn inside(name: &str) -> Option<String> {
    (!name.starts_with('/') && !name.split('/').any(|part| part == "..")).then(|| name.to_owned())
}

/// Returns the blocks of a page, and the lines that are not in its form.
pub fn blocks(page: &str) -> (Vec<CodeBlock>, Vec<Failure>) {
    let lines: Vec<&str> = page.lines().collect();
    let (mut blocks, mut failures) = (Vec::new(), Vec::new());
    let mut directive = None;
    let mut at = 0;
    while let Some(&line) = lines.get(at) {
        let number = at + 1;
        at += 1;
        if let Some(comment) = line.trim_start().strip_prefix("<!--") {
            let is_above = lines.get(at).is_some_and(|next| next.starts_with("```"));
            directive = comment.trim_end().strip_suffix("-->").and_then(Directive::parse);
            if directive.is_none() {
                failures.push(Failure::new(number, format!("unknown directive `{line}`")));
            } else if !is_above || !line.starts_with('<') {
                failures.push(Failure::new(number, "expected the directive on the line above a block, not indented"));
            }
            continue;
        }
        let trimmed = line.trim_start();
        let language = trimmed.trim_start_matches('`');
        let fence = &trimmed[..trimmed.len() - language.len()];
        // Another backquote on the line closes code within the text.
        if fence.len() < 3 || language.contains('`') {
            continue;
        }
        if trimmed != line {
            failures.push(Failure::new(number, "expected the block at the start of the line"));
        }
        let end = (at..lines.len()).find(|&end| {
            let line = lines[end].trim();
            line.len() >= fence.len() && line.chars().all(|char| char == '`')
        });
        let Some(end) = end else {
            failures.push(Failure::new(number, "the block has no end"));
            break;
        };
        let directive = directive.take();
        let language = language.trim().to_owned();
        if directive.as_ref().is_some_and(|directive: &Directive| !directive.fits(&language)) {
            failures.push(Failure::new(number - 1, format!("the directive is not for `{language}`")));
        }
        let text = lines[at..end].iter().flat_map(|line| [line, "\n"]).collect();
        blocks.push(CodeBlock { line: number, fence: fence.to_owned(), language, directive, body: at..end, text });
        at = end + 1;
    }
    (blocks, failures)
}

/// Replaces the text of blocks.
pub fn rewritten(page: &str, found: &[(&CodeBlock, &str)]) -> String {
    let mut lines: Vec<&str> = page.lines().collect();
    for (block, text) in found.iter().rev() {
        lines.splice(block.body.clone(), text.lines());
    }
    let end = if page.ends_with('\n') { "\n" } else { "" };
    lines.join("\n") + end
}
