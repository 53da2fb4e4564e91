//! Determines line breaks and indentation in one walk over tokens and comments.
//!
//! Lines are never broken inside a clause. A comment inside a clause moves after it. Other comments stay between
//! their clauses.

use std::ops::Range;

use super::{
    gap::{Gap, spaced},
    rewriter::Rewriter,
};
use crate::{
    clause_ranges::{assignments, ending_in, find, segments},
    diagnostic::Edit,
    directive::is_directive,
    span::Span,
    token::{Kind, Token, Tokens},
};

/// The width of lines that can be broken, in columns.
pub const WIDTH: usize = 100;

/// The edits that format a text without syntax errors.
pub fn edits(text: &str, tokens: &Tokens) -> Vec<Edit> {
    let mut layout = Layout {
        text,
        code: &tokens.code,
        comments: &tokens.comments,
        out: Rewriter::new(text),
        depth: 0,
        last: 0,
        after_comment: false,
        opening: true,
        above: Above::None,
    };
    layout.program();
    layout.out.finish()
}

struct Layout<'t> {
    text: &'t str,
    code: &'t [Token],
    /// The comments not yet written.
    comments: &'t [Span],
    out: Rewriter<'t>,
    /// The number of open repeat blocks.
    depth: usize,
    /// The start of the last token written.
    last: u32,
    /// Whether the line ends with a comment.
    after_comment: bool,
    /// Whether a file, block or map begins or ends here, without a comment, so that no blank line follows.
    opening: bool,
    /// A comment above that a blank line must separate from the next line.
    above: Above,
}

/// A comment that must not end up directly above the next line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Above {
    None,
    /// A comment moved to a separate line, which must not become the label of the next statement.
    Moved,
    /// A directive moved out of a clause. It must not cover the next line, even if that is another moved comment.
    Detached,
}

/// The indentation of comments on separate lines.
enum Margin {
    /// At this level, without blank lines.
    Tight(usize),
    /// At this level.
    Level(usize),
    /// Between a segment of this kind and the next one, with the last assignment of the production.
    After { segment: Kind, assignment: Option<usize> },
}

impl Layout<'_> {
    fn program(&mut self) {
        self.write_comments(0, &Margin::Level(0));
        let code = self.code;
        for range in segments(code) {
            let Some(&Token { kind, .. }) = code.get(range.start) else { return };
            if kind == Kind::Until {
                self.depth = self.depth.saturating_sub(1);
                self.opening = !self.after_comment;
            }
            self.start_line(range.start, self.depth);
            let assignment = self.segment(kind, range.clone());
            self.write_comments(range.end, &Margin::After { segment: kind, assignment });
        }
    }

    /// Writes a segment without the comments after it. Returns the start of its last assignment, if it has one.
    fn segment(&mut self, kind: Kind, range: Range<usize>) -> Option<usize> {
        match kind {
            Kind::Registers | Kind::Constants | Kind::System | Kind::Watch => self.declaration(range),
            Kind::Where | Kind::WhereLm | Kind::WhereRm => return self.production(range),
            Kind::Until if self.kind(range.start + 1) != Some(Kind::NoChange) => self.conditions(range),
            Kind::Repeat => {
                self.write(range);
                self.depth += 1;
                self.opening = true;
            }
            _ => self.write(range),
        }
        None
    }

    fn declaration(&mut self, range: Range<usize>) {
        let open = find(self.code, range.clone(), |kind| matches!(kind, Kind::OpenBrace | Kind::OpenBracket));
        let close = range.end - 1;
        let fits = self.out.column() + self.width(range.clone()) <= WIDTH;
        if fits && !self.comment_before(close) {
            self.write(range);
        } else {
            self.write(range.start..open + 1);
            self.entries(open, close, self.depth);
            self.write(close..range.end);
        }
    }

    /// Writes the entries between two brackets, one per line, and starts the line of the closing bracket at this level.
    fn entries(&mut self, open: usize, close: usize, level: usize) {
        self.opening = true;
        self.write_comments(open + 1, &Margin::Level(level + 1));
        for entry in ending_in(self.code, open + 1..close, Kind::Comma) {
            self.start_line(entry.start, level + 1);
            self.write(entry.clone());
            self.write_comments(entry.end, &Margin::Level(level + 1));
        }
        self.opening = !self.after_comment;
        self.start_line(close, level);
    }

    fn production(&mut self, range: Range<usize>) -> Option<usize> {
        let colon = find(self.code, range.clone(), |kind| kind == Kind::Colon);
        self.conditions(range.start..colon + 1);
        self.opening = true;
        let mut last = None;
        for assignment in assignments(self.code, colon + 1..range.end) {
            let start = assignment.start;
            self.write_comments(start, &Margin::Level(self.depth + 1));
            self.start_line(start, self.depth + 1);
            self.write(assignment);
            last = Some(start);
        }
        last
    }

    /// Writes a keyword and its conditions on as many lines as needed. Comments after the last condition are not
    /// written.
    fn conditions(&mut self, range: Range<usize>) {
        let level = self.depth + 1;
        self.write(range.start..range.start + 1);
        for Range { start: at, end } in ending_in(self.code, range.start + 1..range.end, Kind::And) {
            self.write_comments(at, &Margin::Tight(level));
            let first = at == range.start + 1;
            let width = self.width(at..end);
            let line = if first && !self.after_comment { self.out.column() + 1 } else { 4 * level };
            let open = find(self.code, at..end, |kind| kind == Kind::In) + 1;
            let list = self.code.get(open..end).unwrap_or_default();
            let close = list.iter().rposition(|token| token.kind == Kind::CloseBracket).map(|found| open + found);
            if let Some(close) = close
                && (line + width > WIDTH || self.comment_within(open, close))
            {
                self.continue_line(self.width(at..open + 1), first, level);
                self.write(at..open + 1);
                self.entries(open, close, level);
                self.write(close..end);
            } else {
                self.continue_line(width, first, level);
                self.write(at..end);
            }
        }
    }

    /// Continues with a part of this width, on the same line if it fits or `here` requires it, otherwise on a new line.
    fn continue_line(&mut self, width: usize, here: bool, level: usize) {
        if self.after_comment || (!here && self.out.column() + 1 + width > WIDTH) {
            self.break_line(false, level);
        } else {
            self.out.insert(" ");
        }
    }

    /// Starts a line for a token, after a blank line if the author left one.
    fn start_line(&mut self, at: usize, level: usize) {
        let blank = self.code.get(at).is_some_and(|token| self.gap(token.span).line_breaks > 1);
        self.break_line((blank || self.above != Above::None) && !self.opening, level);
    }

    fn break_line(&mut self, blank: bool, level: usize) {
        self.out.start_line(blank, level);
        self.after_comment = false;
        self.opening = false;
        self.above = Above::None;
    }

    /// Writes tokens on one line.
    fn write(&mut self, range: Range<usize>) {
        if self.comment_before(range.end - 1) {
            self.out.out_of_order();
        }
        for spaced in spaced_tokens(self.code, range) {
            if spaced.space {
                self.out.insert(" ");
            }
            self.out.keep(spaced.token.span, self.width_of(spaced.token));
            if spaced.colon {
                self.out.insert(":");
            }
            self.last = spaced.token.span.start;
        }
    }

    /// Writes the comments before token `next`. A comment that was at the end of a line stays there. Each other
    /// comment is on a separate line.
    fn write_comments(&mut self, next: usize, margin: &Margin) {
        while let Some((&comment, rest)) = self.comments.split_first()
            && self.code.get(next).is_none_or(|token| comment.start < token.span.start)
        {
            self.comments = rest;
            let gap = self.gap(comment);
            let at_end = gap.line_breaks == 0 && !self.out.is_empty();
            let between = matches!(margin, Margin::After { .. });
            let out_of_clause = between && comment.start < self.last;
            let directive = is_directive(comment.of(self.text));
            if at_end && !self.after_comment {
                self.out.insert("  ");
                self.opening = false;
            } else {
                let moved = out_of_clause || (between && at_end && !directive);
                let blank = gap.line_breaks > 1 && !matches!(margin, Margin::Tight(_));
                let apart = self.above == Above::Detached || (self.above == Above::Moved && !moved);
                let blank = (blank || apart) && !self.opening;
                self.break_line(blank, self.level(margin, next, gap.indentation));
                if moved {
                    self.above = Above::Moved;
                }
            }
            self.write_comment(comment);
            self.after_comment = true;
            if out_of_clause && directive {
                self.above = Above::Detached;
            }
        }
        self.out.in_order();
    }

    fn write_comment(&mut self, comment: Span) {
        let written = comment.of(self.text);
        let mut start = comment.start;
        if is_directive(written) && written.starts_with('#') {
            self.out.insert("//@");
            start += "#@".len() as u32;
        }
        self.out.keep(Span::new(start, comment.start + written.trim_end().len() as u32), 0);
    }

    /// The indentation level of a comment that was indented this far.
    fn level(&self, margin: &Margin, next: usize, indentation: usize) -> usize {
        let (segment, assignment) = match *margin {
            Margin::Tight(level) | Margin::Level(level) => return level,
            Margin::After { segment, assignment } => (segment, assignment),
        };
        let until = self.kind(next) == Some(Kind::Until);
        let below = self.code.get(next).map_or(0, |token| self.gap(token.span).indentation);
        if indentation <= below {
            return self.depth.saturating_sub(usize::from(until));
        }
        let assignment = assignment.and_then(|at| self.code.get(at)).map(|token| self.gap(token.span));
        let beside = assignment.is_some_and(|gap| gap.line_breaks > 0 && indentation >= gap.indentation);
        let production = matches!(segment, Kind::Where | Kind::WhereLm | Kind::WhereRm);
        self.depth + usize::from(production && (beside || !until))
    }

    fn gap(&self, before: Span) -> Gap {
        Gap::before(self.text, before.start)
    }

    fn kind(&self, at: usize) -> Option<Kind> {
        self.code.get(at).map(|token| token.kind)
    }

    /// Whether an unwritten comment precedes the token.
    fn comment_before(&self, at: usize) -> bool {
        let token = self.code.get(at);
        self.comments.first().zip(token).is_some_and(|(comment, token)| comment.start < token.span.start)
    }

    /// Whether an unwritten comment is between the two tokens.
    fn comment_within(&self, open: usize, close: usize) -> bool {
        let (Some(open), Some(close)) = (self.code.get(open), self.code.get(close)) else { return false };
        let within = self.comments.partition_point(|comment| comment.start < open.span.start);
        self.comments.get(within).is_some_and(|comment| comment.start < close.span.start)
    }

    /// The width of the tokens on one line.
    fn width(&self, range: Range<usize>) -> usize {
        let width =
            |token: SpacedToken| self.width_of(token.token) + usize::from(token.space) + usize::from(token.colon);
        spaced_tokens(self.code, range).map(width).sum()
    }

    fn width_of(&self, token: Token) -> usize {
        let text = token.span.of(self.text);
        if token.kind == Kind::String { text.chars().count() } else { text.len() }
    }
}

struct SpacedToken {
    token: Token,
    /// Whether a space precedes it.
    space: bool,
    /// Whether the colon after it was left out.
    colon: bool,
}

/// The tokens of one line, without the last comma of a list and with the colon after a keyword.
fn spaced_tokens(code: &[Token], range: Range<usize>) -> impl Iterator<Item = SpacedToken> {
    let kind = |at: usize| code.get(at).map(|token| token.kind);
    let tokens = code.get(range.clone()).unwrap_or_default();
    let mut left = None;
    range.zip(tokens).filter_map(move |(at, &token)| {
        let next = kind(at + 1);
        if token.kind == Kind::Comma && matches!(next, Some(Kind::CloseBrace | Kind::CloseBracket)) {
            return None;
        }
        let space = left.is_some_and(|left| spaced(left, token.kind));
        let colon = wants_colon(token.kind) && next != Some(Kind::Colon);
        left = Some(if colon { Kind::Colon } else { token.kind });
        Some(SpacedToken { token, space, colon })
    })
}

const fn wants_colon(kind: Kind) -> bool {
    matches!(kind, Kind::Registers | Kind::Constants | Kind::System | Kind::Watch | Kind::Repeat)
}
