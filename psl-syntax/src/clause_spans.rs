//! The clauses of a text as allows cover them: a keyword or header, a condition with its `and` or colon, an
//! assignment, or an entry of a declaration with its comma.

use std::ops::Range;

use crate::{
    clause_ranges::{assignments, ending_in, find, segments},
    span::Span,
    token::{Kind, Token},
};

#[derive(Clone, Copy, Debug)]
pub struct Clause {
    /// From its first token to its last.
    pub span: Span,
    /// The start of its last token.
    pub last: u32,
    /// The clause's role in the segment.
    pub kind: ClauseKind,
}

/// The role of a clause in its segment, which is a declaration, a production, the header of a statement, or an
/// `until` clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClauseKind {
    /// The first clause of a segment with this span.
    Opening(Span),
    /// A condition, an assignment or an entry.
    Inner,
    /// The closing bracket of a declaration.
    Closing,
}

/// The clauses of a text, in order. They are only meaningful if the text has no syntax errors.
pub fn clauses(code: &[Token]) -> Vec<Clause> {
    let mut clauses = Clauses { code, found: Vec::new() };
    segments(code).for_each(|segment| clauses.segment(segment));
    clauses.found
}

struct Clauses<'t> {
    code: &'t [Token],
    found: Vec<Clause>,
}

impl Clauses<'_> {
    fn segment(&mut self, range: Range<usize>) {
        let code = self.code;
        let Some(segment) = self.span(range.clone()) else { return };
        let opening = ClauseKind::Opening(segment);
        let second = range.start + 1;
        match code.get(range.start).map(|token| token.kind) {
            Some(Kind::Registers | Kind::Constants | Kind::System | Kind::Watch) => {
                let open = find(code, range.clone(), |kind| matches!(kind, Kind::OpenBrace | Kind::OpenBracket)) + 1;
                let close = (range.end - 1).max(open);
                self.push(range.start..open.min(range.end), opening);
                self.extend(ending_in(code, open..close, Kind::Comma));
                self.push(close..range.end, ClauseKind::Closing);
            }
            Some(Kind::Where | Kind::WhereLm | Kind::WhereRm) => {
                let colon = find(code, range.clone(), |kind| kind == Kind::Colon) + 1;
                self.push(range.start..second, opening);
                self.extend(ending_in(code, second..colon.min(range.end), Kind::And));
                self.extend(assignments(code, colon..range.end));
            }
            Some(Kind::Until) if code.get(second).is_none_or(|token| token.kind != Kind::NoChange) => {
                self.push(range.start..second, opening);
                self.extend(ending_in(code, second..range.end, Kind::And));
            }
            _ => self.push(range, opening),
        }
    }

    fn extend(&mut self, inner: impl Iterator<Item = Range<usize>>) {
        inner.for_each(|range| self.push(range, ClauseKind::Inner));
    }

    fn push(&mut self, range: Range<usize>, kind: ClauseKind) {
        if let (Some(span), Some(last)) = (self.span(range.clone()), self.code.get(range.end - 1)) {
            self.found.push(Clause { span, last: last.span.start, kind });
        }
    }

    fn span(&self, range: Range<usize>) -> Option<Span> {
        let tokens = self.code.get(range)?;
        Some(tokens.first()?.span.join(tokens.last()?.span))
    }
}
