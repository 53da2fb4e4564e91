//! Builds a new text as edits of an old one. Pieces of the old text are kept, and the text between them is replaced.

use crate::{diagnostic::Edit, span::Span};

/// The characters that end a line.
pub const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// Writes a text from pieces of another.
pub struct Rewriter<'t> {
    old: &'t str,
    line_end: &'static str,
    edits: Vec<Edit>,
    /// The end of the last kept piece in the old text.
    kept: usize,
    /// The new text after that piece.
    gap: String,
    /// Whether pieces may be out of order for now, so that all of them are rewritten.
    loose: bool,
    empty: bool,
    column: usize,
}

impl<'t> Rewriter<'t> {
    /// Starts a new text. Its lines end like the first line of the old one, with `\n` or `\r\n`.
    pub fn new(old: &'t str) -> Self {
        let line_end = match old.find(LINE_ENDS).and_then(|at| old.get(at..at + 2)) {
            Some("\r\n") => "\r\n",
            _ => "\n",
        };
        let gap = String::new();
        Self { old, line_end, edits: Vec::new(), kept: 0, gap, loose: false, empty: true, column: 0 }
    }

    /// Keeps a piece of the old text, at most one line, that has this width in columns.
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

    /// Inserts an ASCII text without line ends.
    pub fn insert(&mut self, text: &str) {
        self.gap.push_str(text);
        self.column += text.len();
    }

    /// Starts a line, after a blank one if requested. The first line already exists.
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

    /// Pieces may be out of order until [`Self::in_order`].
    pub fn out_of_order(&mut self) {
        self.loose = true;
    }

    /// All following pieces come after the ones kept so far.
    pub fn in_order(&mut self) {
        self.loose = false;
    }

    /// The number of columns of the current line.
    pub fn column(&self) -> usize {
        self.column
    }

    /// Whether nothing is written yet.
    pub fn is_empty(&self) -> bool {
        self.empty
    }

    /// The edits, in text order.
    pub fn finish(mut self) -> Vec<Edit> {
        if !self.empty {
            self.gap.push_str(self.line_end);
        }
        self.replace(self.old.len());
        self.edits
    }

    /// Replaces the old text between the last kept piece and `end` with the gap.
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

/// Splits white space into the end of a line, the lines between, and the start of a line. Any other text is one part.
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

/// The edit from an old text to a new one, without their common prefix and suffix, or `None` if they are the same.
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

/// The number of bytes in the common prefix of two texts.
fn shared(left: impl Iterator<Item = char>, right: impl Iterator<Item = char>) -> usize {
    left.zip(right).take_while(|(left, right)| left == right).map(|(char, _)| char.len_utf8()).sum()
}

/// Whether a suffix of this many bytes begins between `\r` and `\n`.
fn splits_line_end(text: &str, suffix: usize) -> bool {
    let (before, after) = text.split_at_checked(text.len() - suffix).unwrap_or_default();
    before.ends_with('\r') && after.starts_with('\n')
}
