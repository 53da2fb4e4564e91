//! `registers`, `constants`, `system` and `watch`.

use std::ops::Range;

use super::{
    clauses::Ends,
    parser::{Parser, syntax},
};
use crate::{
    grammar::Grammar,
    lines::line_breaks,
    nearest::nearest,
    span::Span,
    token::{Kind, Token},
    tree::{Declaration, Entries},
};

/// The keywords of declarations.
const WORDS: [(&str, Kind); 4] =
    [("registers", Kind::Registers), ("constants", Kind::Constants), ("system", Kind::System), ("watch", Kind::Watch)];

/// Other words that people use for one of them, although they are spelled differently.
const OTHER_WORDS: [(&str, &str); 2] = [("roles", "system"), ("role", "system")];

const AFTER_ENTRY: Ends = &["`,`"];
/// The description of what can follow a declaration or start a text.
pub const AFTER_DECLARATION: &str = "a declaration or a production";

impl Parser<'_> {
    /// The intended declaration, if a misspelled one starts here: a name before a brace, or before a colon and a
    /// bracket, at the start of a line or after another declaration.
    pub(super) fn misspelled_declaration(&self, at: usize) -> Option<(&'static str, Kind)> {
        let token = self.code.get(at).filter(|token| token.kind == Kind::Name)?;
        let kind = |at: usize| self.code.get(at).map(|token| token.kind);
        let colon = usize::from(kind(at + 1) == Some(Kind::Colon));
        let list = match kind(at + 1 + colon) {
            Some(Kind::OpenBrace) => false,
            Some(Kind::OpenBracket) if colon == 1 => true,
            _ => return None,
        };
        let before = at.checked_sub(1).and_then(|before| self.code.get(before));
        let may_start = before.is_none_or(|before| {
            matches!(before.kind, Kind::CloseBrace | Kind::CloseBracket)
                || line_breaks(self.text, before.span.end, token.span.start) > 0
        });
        let written = token.span.of(self.text);
        let other = OTHER_WORDS.iter().find(|(other, _)| *other == written).map(|(_, word)| *word);
        let intended = other.or_else(|| nearest(written, WORDS.map(|(word, _)| word))).filter(|_| may_start)?;
        WORDS.into_iter().find(|(word, kind)| *word == intended && (*kind == Kind::Watch || !list))
    }

    /// Returns the token that starts a segment. A misspelled one is reported and corrected.
    pub(super) fn corrected(&mut self, first: Token, at: usize) -> Token {
        let Some((word, kind)) = self.misspelled_declaration(at) else { return first };
        let message = format!("unknown declaration `{}`", first.span.of(self.text));
        self.diagnostics.push(syntax(first.span, message).help(format!("did you mean `{word}`?")).suggest(
            format!("Replace with `{word}`"),
            first.span,
            word,
        ));
        Token { kind, ..first }
    }

    pub(super) fn declare(&mut self, first: Token, end: Span, broken: bool, entries: Entries) {
        let late = self.statement_seen;
        let span = first.span.join(end);
        let broken = broken || self.is_replaced(span);
        self.declarations.push(Declaration { keyword: first.span, span, late, broken, entries });
    }

    /// The entries between the brackets of a declaration, the span of its last token, and whether there was an error.
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
            match self.clause(start..comma, grammar, AFTER_ENTRY) {
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
            self.stray = true;
        }
        let last = self.code.get(end.min(range.end.saturating_sub(1))).map_or(first.span, |token| token.span);
        (names, last, broken)
    }
}
