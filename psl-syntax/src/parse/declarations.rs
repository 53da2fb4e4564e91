//! `registers`, `constants`, `system` and `watch`.

use std::ops::Range;

use super::{AFTER_DECLARATION, AFTER_ENTRY, Parser};
use crate::{
    grammar::Grammar,
    span::Span,
    token::{Kind, Token},
    tree::{Declaration, Entries},
};

impl Parser<'_> {
    pub(super) fn declare(&mut self, first: Token, end: Span, broken: bool, entries: Entries) {
        let late = self.statement_seen;
        let span = first.span.join(end);
        self.declarations.push(Declaration { keyword: first.span, span, late, broken, entries });
    }

    /// The entries between a declaration's brackets, the span of its last token, and whether something was wrong.
    pub(super) fn entries<T>(
        &mut self,
        first: Token,
        range: Range<usize>,
        grammar: &impl Grammar<T>,
    ) -> (Vec<T>, Span, bool) {
        let (open, close) = if first.kind == Kind::Watch {
            (Kind::OpenBracket, Kind::CloseBracket)
        } else {
            (Kind::OpenBrace, Kind::CloseBrace)
        };
        let mut at = range.start;
        let mut broken = false;
        if self.kind(at, &range) == Some(Kind::Colon) {
            at += 1;
        }
        if self.kind(at, &range) == Some(open) {
            at += 1;
        } else {
            self.expected(at..range.end, open.describe());
            broken = true;
        }
        let rest = self.code.get(at..range.end).unwrap_or_default();
        let end = rest.iter().position(|token| token.kind == close).map_or(range.end, |found| at + found);
        let mut names = Vec::new();
        let mut start = at;
        while start < end && !broken {
            let entry = self.code.get(start..end).unwrap_or_default();
            let comma = entry.iter().position(|token| token.kind == Kind::Comma).map_or(end, |found| start + found);
            match self.piece(start..comma, grammar, AFTER_ENTRY) {
                (Some(name), sound) => {
                    names.push(name);
                    broken |= !sound;
                }
                (None, _) => broken = true,
            }
            start = comma + 1;
        }
        if end == range.end {
            if !broken {
                self.expected(end..end, close.describe());
            }
            broken = true;
        } else if end + 1 < range.end {
            self.unexpected(end + 1..range.end, AFTER_DECLARATION);
            self.declarations_damaged = true;
        }
        self.declarations_damaged |= broken;
        let last = self.code.get(end.min(range.end.saturating_sub(1))).map_or(first.span, |token| token.span);
        (names, last, broken)
    }
}
