//! The token ranges of segments and clauses.
//!
//! A segment is a declaration, a production, the header of a statement, or an `until` clause. A clause is a part in
//! which the formatter never breaks a line: a condition with its parentheses and its `and` or colon, an assignment,
//! or an entry with its comma.

use std::{iter, ops::Range};

use crate::token::{Kind, Token};

/// The segments. Each one ends where the next one starts.
pub fn segments(code: &[Token]) -> impl Iterator<Item = Range<usize>> {
    cut(0..code.len(), |at| find(code, at + 1..code.len(), Kind::starts_segment))
}

/// The clauses of a range. Each one ends with a token of that kind, or at the end of the range.
pub fn ending_in(code: &[Token], range: Range<usize>, kind: Kind) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    cut(range, move |at| end.min(find(code, at..end, |found| found == kind) + 1))
}

/// The assignments of a range, and the holes in place of one.
pub fn assignments(code: &[Token], range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    let is = move |at: usize, kind: Kind| at < end && code.get(at).is_some_and(|token| token.kind == kind);
    cut(range, move |at| {
        if is(at, Kind::Hole) && !is(at + 1, Kind::OpenBracket) {
            return at + 1;
        }
        let assign = |from| find(code, from..end, |kind| kind == Kind::Assign);
        let source = assign(at) + 1;
        let next = assign(source);
        // The next target, `name[N]`, has four tokens.
        let next = if next < end { next.saturating_sub(4).max(at + 1) } else { end };
        let cell = if is(source + 1, Kind::OpenBracket) { 3 } else { 0 };
        let function = if is(source + 1 + cell, Kind::At) { 2 } else { 0 };
        let after = source + 1 + cell + function;
        if after < next && is(after, Kind::Hole) { after } else { next }
    })
}

/// The index of the first token of such a kind in the range, or the end of the range.
pub fn find(code: &[Token], range: Range<usize>, is: impl Fn(Kind) -> bool) -> usize {
    let tokens = code.get(range.clone()).unwrap_or_default();
    tokens.iter().position(|token| is(token.kind)).map_or(range.end, |found| range.start + found)
}

/// Splits a range into parts. `end` returns the end of the part that starts at a token.
fn cut(range: Range<usize>, end: impl Fn(usize) -> usize) -> impl Iterator<Item = Range<usize>> {
    let mut at = range.start;
    iter::from_fn(move || {
        (at < range.end).then(|| {
            let start = at;
            at = end(start);
            start..at
        })
    })
}
