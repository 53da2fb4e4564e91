//! A token with its surroundings, and the replacement of the phrase that starts there.

use std::{borrow::Cow, collections::HashSet};

use crate::{
    diagnostic::{Diagnostic, Edit},
    lines::{line_breaks, on_one_line},
    parse::parser::syntax,
    span::Span,
    token::{Kind, Token, unquote},
};

/// Maximum number of tokens of a phrase, so that looking for its end takes constant time.
const MAX_PHRASE: usize = 512;

/// Returns the replacement of the phrase that starts here, or `None` if the rule does not apply.
pub type Rule = fn(&PhraseCursor<'_>) -> Option<Rewrite>;

/// The part of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Between statements, or in a statement without conditions.
    Outside,
    /// In a declaration.
    Declaration,
    /// In the conditions of a production.
    Head,
    /// In the conditions of `until`.
    Until,
    /// In the assignments.
    Body,
}

/// The declared registers.
#[derive(Default)]
pub struct Registers<'t> {
    names: HashSet<&'t str>,
    first: Option<&'t str>,
}

impl<'t> Registers<'t> {
    /// The registers that a text declares.
    pub fn declared(text: &'t str, code: &[Token]) -> Self {
        let mut registers = Self::default();
        let mut inside = false;
        for pair in code.windows(2) {
            let [name, next] = pair else { continue };
            if name.kind.starts_segment() {
                inside = name.kind == Kind::Registers;
            } else if inside && matches!(name.kind, Kind::Name | Kind::String) && next.kind == Kind::Colon {
                let name = name.span.of(text).trim_matches(['\'', '"']);
                registers.first = registers.first.or(Some(name));
                registers.names.insert(name);
            }
        }
        registers
    }

    /// Whether a register has this name.
    pub fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// A condition that holds in every cell.
    pub fn every_cell(&self) -> String {
        let name = ["position", "symbol"].into_iter().find(|name| self.contains(name)).or(self.first);
        let name = name.unwrap_or("symbol");
        format!("{name}[N] == {name}[N]")
    }

    /// The help to write that condition.
    pub fn write_every_cell(&self) -> String {
        format!("write `{}`, which holds in every cell", self.every_cell())
    }
}

/// A token with its surroundings.
pub struct PhraseCursor<'t> {
    pub text: &'t str,
    /// The tokens as written.
    pub code: &'t [Token],
    pub at: usize,
    pub part: Part,
    /// The translated token before it.
    pub last: Option<Token>,
    pub registers: &'t Registers<'t>,
    /// Whether an `or` was reported in these conditions.
    pub said_or: bool,
    /// Whether a repeat block has no `until`.
    pub open_block: bool,
}

/// The replacement of a phrase.
pub struct Rewrite {
    /// The number of tokens it replaces.
    pub length: usize,
    /// The tokens to put in their place.
    pub replacement: Vec<Token>,
    /// The index of a closing bracket to remove as well.
    pub closing: Option<usize>,
    /// The report, or `None` if the phrase is part of one that was reported.
    pub diagnostic: Option<Diagnostic>,
    /// Whether the phrase is an `or`.
    pub says_or: bool,
}

impl Rewrite {
    /// Replaces `length` tokens.
    pub fn new(length: usize, replacement: impl IntoIterator<Item = Token>, diagnostic: Diagnostic) -> Self {
        let replacement = replacement.into_iter().collect();
        Self { length, replacement, closing: None, diagnostic: Some(diagnostic), says_or: false }
    }
}

impl<'t> PhraseCursor<'t> {
    /// The token this far ahead.
    pub fn token(&self, ahead: usize) -> Option<Token> {
        self.code.get(self.at + ahead).copied()
    }

    /// The kind of the token this far ahead.
    pub fn kind(&self, ahead: usize) -> Option<Kind> {
        self.token(ahead).map(|token| token.kind)
    }

    /// The text of the token this far ahead, or an empty one after the end.
    pub fn word(&self, ahead: usize) -> &'t str {
        self.token(ahead).map_or("", |token| token.span.of(self.text))
    }

    /// The span of this many tokens, at least one.
    pub fn span(&self, from: usize, count: usize) -> Span {
        let tokens = self.code.get(self.at + from..).unwrap_or_default();
        let tokens = tokens.get(..count.max(1)).unwrap_or(tokens);
        match tokens {
            [] => Span::default(),
            [first, ..] => tokens.iter().fold(first.span, |span, token| span.join(token.span)),
        }
    }

    /// The text of this many tokens, on one line and without comments.
    pub fn str(&self, from: usize, count: usize) -> Cow<'t, str> {
        on_one_line(self.text, self.tokens(from, count))
    }

    /// The tokens from this far ahead, or none if there are fewer than `count`.
    pub fn tokens(&self, from: usize, count: usize) -> &'t [Token] {
        self.code.get(self.at + from..self.at + from + count).unwrap_or_default()
    }

    /// The token this far ahead as one of another kind.
    pub fn as_kind(&self, ahead: usize, kind: Kind) -> Option<Token> {
        self.token(ahead).map(|token| Token { kind, ..token })
    }

    /// Whether the token this far ahead is the first one on its line.
    pub fn starts_line(&self, ahead: usize) -> bool {
        let (Some(token), Some(before)) = (self.token(ahead), (self.at + ahead).checked_sub(1)) else { return true };
        let before = self.code.get(before).map_or(0, |before| before.span.end);
        line_breaks(self.text, before, token.span.start) > 0
    }

    /// The number of tokens up to the end of the line.
    pub fn line(&self) -> usize {
        (1..MAX_PHRASE).find(|&ahead| self.token(ahead).is_none() || self.starts_line(ahead)).unwrap_or(MAX_PHRASE)
    }

    /// The number of tokens of `name[n]` or `name[N]`, with its function, if one starts this far ahead.
    pub fn place(&self, from: usize) -> Option<usize> {
        let is = |ahead: usize, kinds: &[Kind]| self.kind(from + ahead).is_some_and(|kind| kinds.contains(&kind));
        let plain = is(0, &[Kind::Name, Kind::Hole])
            && is(1, &[Kind::OpenBracket])
            && is(2, &[Kind::CellSource, Kind::CellUpdated, Kind::Hole])
            && is(3, &[Kind::CloseBracket]);
        plain.then(|| if is(4, &[Kind::At]) && is(5, &[Kind::Name, Kind::Hole]) { 6 } else { 4 })
    }

    /// Whether a constant starts this far ahead.
    pub fn constant(&self, from: usize) -> bool {
        matches!(self.kind(from), Some(Kind::Name | Kind::String | Kind::Number | Kind::Hole))
            && self.kind(from + 1) != Some(Kind::OpenBracket)
    }

    /// The number of tokens of a place or a constant, if one starts this far ahead.
    pub fn operand(&self, from: usize) -> Option<usize> {
        self.place(from).or_else(|| self.constant(from).then_some(1))
    }

    /// The operator this far ahead, without blanks inside, and the number of its tokens. Empty if there is none.
    pub fn operator(&self, from: usize) -> (&'t str, usize) {
        let part = |ahead: usize| {
            matches!(self.kind(from + ahead), Some(Kind::Unknown | Kind::Assign | Kind::Equal | Kind::NotEqual))
                || (self.kind(from + ahead) == Some(Kind::Colon) && self.kind(from + ahead + 1) == Some(Kind::Assign))
        };
        let joined = |ahead: usize| {
            let [one, other] = [ahead - 1, ahead].map(|ahead| self.span(from + ahead, 1));
            one.end == other.start
        };
        let count = (0..4).take_while(|&ahead| part(ahead) && (ahead == 0 || joined(ahead))).count();
        (if count == 0 { "" } else { self.span(from, count).of(self.text) }, count)
    }

    /// The index of the bracket that closes the one this far ahead.
    pub fn closing(&self, from: usize, open: Kind, close: Kind) -> Option<usize> {
        let mut depth = 0_usize;
        for (ahead, token) in self.code.iter().enumerate().skip(self.at + from).take(MAX_PHRASE) {
            if token.kind == open {
                depth += 1;
            } else if token.kind == close {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(ahead);
                }
            }
        }
        None
    }

    /// Whether an operand could end before this token.
    pub fn after_operand(&self) -> bool {
        let ends = [
            Kind::Name,
            Kind::String,
            Kind::OpenString,
            Kind::Number,
            Kind::CloseBracket,
            Kind::CloseParen,
            Kind::CloseBrace,
            Kind::NoChange,
            Kind::Hole,
        ];
        self.last.is_some_and(|last| ends.contains(&last.kind))
    }

    /// Whether a condition can start at this token.
    pub fn starts_condition(&self) -> bool {
        let before = [Kind::Where, Kind::WhereLm, Kind::WhereRm, Kind::Until, Kind::And, Kind::OpenParen];
        self.tests() && self.last.is_some_and(|last| before.contains(&last.kind))
    }

    /// Whether the token is among conditions.
    pub fn tests(&self) -> bool {
        matches!(self.part, Part::Head | Part::Until)
    }

    /// Whether an assignment starts at this token: on a new line, or after a colon.
    pub fn starts_assignment(&self) -> bool {
        let assigns = |place: usize| self.kind(place) == Some(Kind::Assign);
        let starts = self.starts_line(0) && self.after_operand();
        starts && self.place(0).is_some_and(assigns)
    }

    /// Whether a statement ends before the token this far ahead.
    pub fn ends_statement(&self, ahead: usize) -> bool {
        let Some(kind) = self.kind(ahead) else { return true };
        let word = kind == Kind::Name && self.starts_line(ahead) && self.kind(ahead + 1) != Some(Kind::OpenBracket);
        kind.starts_segment() || word && self.operator(ahead + 1).1 == 0
    }

    /// Whether a colon follows in the same statement.
    pub fn colon_follows(&self, ahead: usize) -> bool {
        let end = (ahead..MAX_PHRASE).find(|&at| self.ends_statement(at) || self.kind(at) == Some(Kind::Colon));
        end.is_some_and(|end| self.kind(end) == Some(Kind::Colon))
    }

    /// Whether a condition of the production around the token is on cell `n`.
    pub fn binds_source(&self) -> bool {
        let before = self.code.get(..self.at).unwrap_or_default().iter().rev().take(MAX_PHRASE);
        let back = before.take_while(|token| !token.kind.starts_segment()).count();
        let head = self.code.get(self.at - back..).unwrap_or_default().iter().take(MAX_PHRASE);
        let mut head = head.take_while(|token| token.kind != Kind::Colon && !token.kind.starts_segment());
        head.any(|token| token.kind == Kind::CellSource)
    }

    /// Whether the token is in a list.
    pub fn in_list(&self) -> bool {
        let mut closed = 0_usize;
        for token in self.code.get(..self.at).unwrap_or_default().iter().rev().take(MAX_PHRASE) {
            match token.kind {
                Kind::CloseBracket => closed += 1,
                Kind::OpenBracket if closed == 0 => return true,
                Kind::OpenBracket => closed -= 1,
                kind if kind.starts_segment() => return false,
                _ => {}
            }
        }
        false
    }

    /// The report of an unknown operator.
    pub fn unknown_operator(&self, span: Span) -> Diagnostic {
        syntax(span, format!("unknown operator {}", found(span.of(self.text))))
    }

    /// The report that this is written as `right` in PSL, with the certain fix.
    pub fn expected(&self, right: &str, span: Span) -> Diagnostic {
        self.instead_of(right, span).fix(replace_with(right), span, right)
    }

    /// The report that this is written as `right` in PSL.
    pub fn instead_of(&self, right: &str, span: Span) -> Diagnostic {
        syntax(span, format!("expected `{right}`, found {}", found(span.of(self.text))))
    }

    /// The value of a quoted or plain name.
    pub fn name(&self, ahead: usize) -> String {
        let word = self.word(ahead);
        if self.kind(ahead) == Some(Kind::String) { unquote(word) } else { word.to_owned() }
    }
}

/// A phrase in code marks. A character outside ASCII has its code point.
fn found(phrase: &str) -> String {
    let mut chars = phrase.chars();
    match (chars.next(), chars.next()) {
        (Some(char), None) if !char.is_ascii() => format!("`{char}` (U+{:04X})", char as u32),
        _ => format!("`{phrase}`"),
    }
}

/// The report of a register without a cell.
pub fn missing_cell(name: &str, span: Span) -> Diagnostic {
    syntax(span, format!("the cell of `{name}` is missing"))
}

pub fn replace_with(text: &str) -> String {
    format!("Replace with `{text}`")
}

pub fn remove(text: &str) -> String {
    format!("Remove `{text}`")
}

pub fn without(span: Span) -> Edit {
    Edit { span, text: String::new() }
}

pub fn edit(span: Span, text: &str) -> Edit {
    Edit { span, text: text.to_owned() }
}
