//! Clauses and entries, and the errors in them.

use std::ops::Range;

use super::{
    parser::{Parser, syntax},
    plain_text::STRAIGHT_QUOTES,
};
use crate::{
    grammar::{Grammar, mistake, prefix, whole},
    lines::line_breaks,
    span::Span,
    token::{Kind, Token, is_name, unquote},
};

/// Descriptions of what can follow the end of a clause, for error messages.
pub type Ends = &'static [&'static str];

impl Parser<'_> {
    /// Parses one clause or entry. If that fails, reports the error and returns the part that could be parsed. The
    /// flag is whether the clause is complete.
    pub(super) fn clause<T, G: Grammar<T>>(
        &mut self,
        range: Range<usize>,
        grammar: &G,
        ends: Ends,
    ) -> (Option<T>, bool) {
        let tokens = self.code.get(range.clone()).unwrap_or_default();
        if let Some(value) = whole(grammar, tokens) {
            return (Some(value), true);
        }
        if let Some(mistake) = mistake(grammar, tokens)
            && let misplaced = mistake.found.filter(|token| token.kind == Kind::Hole)
            && let holes = if G::HAS_HOLES { misplaced.map_or(u32::MAX, |token| token.span.start) } else { 0 }
            && !self.bad_characters(range.clone(), holes)
        {
            let mut expected = mistake.expected;
            if mistake.could_end {
                expected.extend(ends.iter().map(|&end| end.to_owned()));
            }
            // A cell or a function could follow any name, but is rarely the missing part.
            if expected.iter().any(|item| item != "`[`" && item != "`@`") {
                expected.retain(|item| item != "`[`" && item != "`@`");
            }
            if !tokens.iter().any(|token| token.kind == Kind::OpenParen) {
                expected.retain(|item| item != "`)`");
            }
            let span = mistake.found.map_or_else(|| self.gap(range.end), |token| token.span);
            let found = mistake.found.or_else(|| self.code.get(range.end).copied());
            let register = self
                .code
                .get(range.start)
                .filter(|token| token.kind == Kind::Name)
                .map(|token| token.span.of(self.text));
            let found = found_text(self.text, found);
            let mut diagnostic = syntax(span, format!("expected {}, found {found}", alternatives(&expected)));
            if mistake.found.is_some_and(|token| token.kind == Kind::Assign)
                && expected.iter().any(|item| item.contains("`==`"))
            {
                diagnostic = syntax(span, "expected `==`, found `=`").help("write `==` to compare: `=` assigns").fix(
                    "Replace with `==`",
                    span,
                    "==",
                );
            }
            if expected == ["`[`"]
                && let Some(register) = register
            {
                diagnostic = diagnostic.help(format!(
                    "add a cell: `{register}[N]`, the one being updated, or `{register}[n]`, the one it attends to"
                ));
            }
            if let Some(quoted) = mistake.found.filter(|token| token.kind == Kind::String)
                && let plain = unquote(quoted.span.of(self.text))
                && is_name(&plain)
                && expected == ["a register"]
            {
                let title = format!("Replace with `{plain}`");
                diagnostic = diagnostic.help("write the register without quotes").fix(title, span, plain);
            }
            self.diagnostics.push(diagnostic);
        }
        (prefix(grammar, tokens), false)
    }

    /// Reports the first invalid characters or the first unterminated string in the range. `?` is valid before the
    /// offset `holes`. Returns whether there were any.
    pub(super) fn bad_characters(&mut self, range: Range<usize>, holes: u32) -> bool {
        let tokens = self.code.get(range).unwrap_or_default();
        let is_bad = |token: &Token| match token.kind {
            Kind::Unknown | Kind::OpenString => true,
            Kind::Hole => token.span.start >= holes,
            _ => false,
        };
        let Some(bad) = tokens.iter().position(is_bad) else { return false };
        let run: Vec<Span> = tokens
            .iter()
            .skip(bad)
            .take(16)
            .take_while(|token| matches!(token.kind, Kind::Unknown | Kind::Hole))
            .map(|token| token.span)
            .collect();
        if let (Some(first), Some(last)) = (run.first(), run.last()) {
            let shown: String = run.iter().flat_map(|span| span.of(self.text).chars()).flat_map(shown).collect();
            let plural = if run.len() == 1 { "" } else { "s" };
            let message = format!("unexpected character{plural} `{shown}`");
            let diagnostic = syntax(first.join(*last), message);
            self.diagnostics.push(if shown.contains(['“', '”', '‘', '’']) {
                diagnostic.help(STRAIGHT_QUOTES)
            } else if shown.contains('…') {
                diagnostic.help("write out what `…` leaves out")
            } else {
                diagnostic
            });
        } else {
            let span = tokens.get(bad).map_or_else(Span::default, |token| token.span);
            let quote = span.of(self.text).chars().next().unwrap_or('"');
            self.diagnostics.push(
                syntax(span, "unterminated string").help(format!("end the string with `{quote}` on the same line")),
            );
        }
        true
    }

    /// Reports that the tokens of the range are unexpected.
    pub(super) fn unexpected(&mut self, range: Range<usize>, expected: &str) {
        if !self.bad_characters(range.clone(), 0) {
            self.expected(range, expected);
        }
    }

    /// Reports what was expected at the start of the range, or after the token before it if the range is empty.
    pub(super) fn expected(&mut self, range: Range<usize>, expected: &str) {
        let found = self.code.get(range.start).copied();
        let span =
            if range.is_empty() { self.gap(range.start) } else { found.map_or_else(Span::default, |token| token.span) };
        let mut diagnostic = syntax(span, format!("expected {expected}, found {}", found_text(self.text, found)));
        if found.is_some_and(|token| token.kind == Kind::Not) {
            diagnostic =
                diagnostic.help("write `!=`, or `not in` before a list: `not` cannot negate a whole condition");
        }
        self.diagnostics.push(diagnostic);
    }

    pub(super) fn expected_after(&mut self, keyword: Span, range: Range<usize>, expected: &str) {
        if range.is_empty() {
            let found = found_text(self.text, self.code.get(range.start).copied());
            let word = keyword.of(self.text);
            self.diagnostics.push(syntax(keyword, format!("expected {expected} after `{word}`, found {found}")));
        } else {
            self.unexpected(range, expected);
        }
    }

    /// The span to report for something missing before token `at`: that token if it is on the same line as the one
    /// before it, otherwise the one before it.
    pub(super) fn gap(&self, at: usize) -> Span {
        let before = at.checked_sub(1).and_then(|before| self.code.get(before)).map(|token| token.span);
        let next = self.code.get(at).map(|token| token.span);
        match (before, next) {
            (Some(before), Some(next)) if line_breaks(self.text, before.end, next.start) == 0 => next,
            (Some(before), _) => before,
            (None, next) => next.unwrap_or_default(),
        }
    }

    pub(super) fn kind(&self, at: usize, range: &Range<usize>) -> Option<Kind> {
        range.contains(&at).then(|| self.code.get(at).map(|token| token.kind)).flatten()
    }
}

fn alternatives(items: &[String]) -> String {
    match items {
        [] => "something else".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

pub(super) fn found_text(text: &str, token: Option<Token>) -> String {
    match token {
        None => "the end of the file".to_owned(),
        Some(token) => {
            let written = token.span.of(text);
            let short: String = written.chars().take(40).flat_map(shown).collect();
            if short.len() < written.len() { format!("`{short}…`") } else { format!("`{short}`") }
        }
    }
}

/// A visible form of a character: its code point if it is invisible.
fn shown(char: char) -> impl Iterator<Item = char> {
    let unseen = char.is_control()
        || (char.is_whitespace() && char != ' ')
        || matches!(char, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
    let text = if unseen { format!("U+{:04X}", char as u32) } else { char.to_string() };
    text.chars().collect::<Vec<_>>().into_iter()
}
