//! A new text as edits of an old one: pieces of the old text are kept, and what stands between them is written anew.

use crate::{diagnostic::Edit, span::Span};

/// The characters that end a line.
pub const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// Writes a text from pieces of another.
pub struct Rewriter<'t> {
    old: &'t str,
    line_end: &'static str,
    edits: Vec<Edit>,
    /// Where the last piece kept ends in the old text.
    kept: usize,
    /// What the new text has after it.
    gap: String,
    /// Whether pieces may come out of their order for now, so that all of them are written anew.
    loose: bool,
    empty: bool,
    column: usize,
}

impl<'t> Rewriter<'t> {
    /// A new text for an old one; its lines end as the old one's first line does, with `\n` or `\r\n`.
    pub fn new(old: &'t str) -> Self {
        let line_end = match old.find(LINE_ENDS).and_then(|at| old.get(at..at + 2)) {
            Some("\r\n") => "\r\n",
            _ => "\n",
        };
        let gap = String::new();
        Self { old, line_end, edits: Vec::new(), kept: 0, gap, loose: false, empty: true, column: 0 }
    }

    /// Keeps a piece of the old text, one line at most, which is so many columns wide.
    pub fn keep(&mut self, piece: Span, width: usize) {
        self.column += width;
        self.empty = false;
        if self.loose {
            self.gap.push_str(piece.of(self.old));
        } else {
            let range = piece.range();
            self.replace(range.start);
            self.kept = range.end;
        }
    }

    /// Inserts a text of one line, in ASCII.
    pub fn insert(&mut self, text: &str) {
        self.gap.push_str(text);
        self.column += text.len();
    }

    /// Starts a line, perhaps with a blank one before it; the first line is there already.
    pub fn start_line(&mut self, blank: bool, level: usize) {
        if !self.empty {
            self.gap.push_str(self.line_end);
            if blank {
                self.gap.push_str(self.line_end);
            }
        }
        (0..level).for_each(|_| self.gap.push_str("    "));
        self.column = 4 * level;
    }

    /// Pieces come out of their order from here on, until [`Self::in_order`].
    pub fn out_of_order(&mut self) {
        self.loose = true;
    }

    /// The next piece kept, and all after it, stand behind those kept so far.
    pub fn in_order(&mut self) {
        self.loose = false;
    }

    /// How many columns the line has so far.
    pub fn column(&self) -> usize {
        self.column
    }

    /// Whether nothing is written yet.
    pub fn is_empty(&self) -> bool {
        self.empty
    }

    /// The edits, in the order of the text.
    pub fn finish(mut self) -> Vec<Edit> {
        if !self.empty {
            self.gap.push_str(self.line_end);
        }
        self.replace(self.old.len());
        self.edits
    }

    /// Replaces the old text from the last piece kept up to `end` by the gap.
    fn replace(&mut self, end: usize) {
        let old = self.old.get(self.kept..end).unwrap_or_default();
        if old != self.gap {
            let mut at = self.kept;
            for (old, new) in lines_apart(old, &self.gap) {
                self.edits.extend(narrow(at, old, new));
                at += old.len();
            }
        }
        self.gap.clear();
    }
}

/// What is behind a line, what is before one and what is between them, where that is white space; else all as one.
fn lines_apart<'t>(old: &'t str, new: &'t str) -> [(&'t str, &'t str); 3] {
    let parts = |text: &'t str| {
        let first = text.find(LINE_ENDS)?;
        let last = text.rfind(LINE_ENDS)? + 1;
        let blank = text.bytes().all(|byte| byte.is_ascii_whitespace() || byte == 0x0B);
        blank.then_some(())?;
        Some((text.get(..first)?, text.get(first..last)?, text.get(last..)?))
    };
    match (parts(old), parts(new)) {
        (Some(old), Some(new)) => [(old.0, new.0), (old.1, new.1), (old.2, new.2)],
        _ => [(old, new), ("", ""), ("", "")],
    }
}

/// The edit that makes a new text of an old one, without what both begin and end with; none where they are the same.
fn narrow(at: usize, old: &str, new: &str) -> Option<Edit> {
    let mut prefix = shared(old.chars(), new.chars());
    if old.get(..prefix)?.ends_with('\r') {
        prefix -= 1;
    }
    let (old, new) = (old.get(prefix..)?, new.get(prefix..)?);
    let mut suffix = shared(old.chars().rev(), new.chars().rev());
    if splits_line_end(old, suffix) || splits_line_end(new, suffix) {
        suffix -= 1;
    }
    let start = at + prefix;
    let text = new.get(..new.len() - suffix)?.to_owned();
    (old != new).then(|| Edit { span: Span::from(start..start + old.len() - suffix), text })
}

/// How many bytes two texts share from their start on.
fn shared(left: impl Iterator<Item = char>, right: impl Iterator<Item = char>) -> usize {
    left.zip(right).take_while(|(left, right)| left == right).map(|(char, _)| char.len_utf8()).sum()
}

/// Whether the last so many bytes begin between `\r` and `\n`.
fn splits_line_end(text: &str, suffix: usize) -> bool {
    let (before, after) = text.split_at_checked(text.len() - suffix).unwrap_or_default();
    before.ends_with('\r') && after.starts_with('\n')
}
