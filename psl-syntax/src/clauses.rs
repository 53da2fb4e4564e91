//! The clauses of a text: a keyword or header, a condition with its `and` or colon, an assignment, an entry of a declaration
//! with its comma. The layout breaks no line inside one, and an allow covers whole ones.

use std::ops::Range;

use crate::{
    span::Span,
    token::{Kind, Token},
};

/// A clause.
#[derive(Clone, Copy, Debug)]
pub struct Clause {
    /// From its first token to its last.
    pub span: Span,
    /// Where its last token starts.
    pub last: u32,
    /// What it is in its segment.
    pub part: Part,
}

/// What a clause is in its segment: a declaration, a statement's header or production, or an `until` clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The first one, of a segment with this span.
    Opening(Span),
    /// A condition, an assignment or an entry.
    Inner,
    /// The bracket at the end of a declaration.
    Closing,
}

/// The clauses of a text, in its order. They mean something only where the text's syntax is sound.
pub fn clauses(code: &[Token]) -> Vec<Clause> {
    let mut clauses = Clauses { code, found: Vec::new() };
    let mut at = 0;
    while at < code.len() {
        let end = clauses.find(at + 1..code.len(), Kind::starts_segment);
        clauses.segment(at..end);
        at = end;
    }
    clauses.found
}

struct Clauses<'t> {
    code: &'t [Token],
    found: Vec<Clause>,
}

impl Clauses<'_> {
    fn segment(&mut self, range: Range<usize>) {
        let Some(segment) = self.span(range.clone()) else { return };
        let opening = Part::Opening(segment);
        let second = range.start + 1;
        match self.code.get(range.start).map(|token| token.kind) {
            Some(Kind::Registers | Kind::Constants | Kind::System | Kind::Watch) => {
                let open = self.find(range.clone(), |kind| matches!(kind, Kind::OpenBrace | Kind::OpenBracket)) + 1;
                let close = (range.end - 1).max(open);
                self.push(range.start..open.min(range.end), opening);
                self.split(open..close, Kind::Comma);
                self.push(close..range.end, Part::Closing);
            }
            Some(Kind::Where | Kind::WhereLm | Kind::WhereRm) => {
                let colon = self.find(range.clone(), |kind| kind == Kind::Colon) + 1;
                self.push(range.start..second, opening);
                self.split(second..colon.min(range.end), Kind::And);
                let mut at = colon;
                while at < range.end {
                    let assign = self.find(at..range.end, |kind| kind == Kind::Assign);
                    let next = self.find(assign + 1..range.end, |kind| kind == Kind::Assign);
                    // The next target, `name[N]`, is four tokens long.
                    let end = if next < range.end { next.saturating_sub(4).max(at + 1) } else { range.end };
                    self.push(at..end, Part::Inner);
                    at = end;
                }
            }
            Some(Kind::Until) if self.code.get(second).is_none_or(|token| token.kind != Kind::NoChange) => {
                self.push(range.start..second, opening);
                self.split(second..range.end, Kind::And);
            }
            _ => self.push(range, opening),
        }
    }

    /// The clauses that end in a token of this kind, or with the range.
    fn split(&mut self, range: Range<usize>, kind: Kind) {
        let mut at = range.start;
        while at < range.end {
            let end = range.end.min(self.find(at..range.end, |found| found == kind) + 1);
            self.push(at..end, Part::Inner);
            at = end;
        }
    }

    fn push(&mut self, range: Range<usize>, part: Part) {
        if let (Some(span), Some(last)) = (self.span(range.clone()), self.code.get(range.end - 1)) {
            self.found.push(Clause { span, last: last.span.start, part });
        }
    }

    fn span(&self, range: Range<usize>) -> Option<Span> {
        let tokens = self.code.get(range)?;
        Some(tokens.first()?.span.join(tokens.last()?.span))
    }

    /// The first token in the range of such a kind, else the range's end.
    fn find(&self, range: Range<usize>, is: impl Fn(Kind) -> bool) -> usize {
        let tokens = self.code.get(range.clone()).unwrap_or_default();
        tokens.iter().position(|token| is(token.kind)).map_or(range.end, |found| range.start + found)
    }
}
