//! Where segments and clauses lie among a text's tokens.
//!
//! A segment is a declaration, a statement's header or production, or an `until` clause. A clause is what no line is broken in:
//! a condition with its parentheses and its `and` or colon, an assignment, an entry with its comma.

use std::{iter, ops::Range};

use crate::token::{Kind, Token};

/// The segments, each from a token that starts one to the next such token.
pub fn segments(code: &[Token]) -> impl Iterator<Item = Range<usize>> {
    cut(0..code.len(), |at| find(code, at + 1..code.len(), Kind::starts_segment))
}

/// The clauses of a range that end in a token of this kind, or with the range.
pub fn ending_in(code: &[Token], range: Range<usize>, kind: Kind) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    cut(range, move |at| end.min(find(code, at..end, |found| found == kind) + 1))
}

/// The assignments of a range.
pub fn assignments(code: &[Token], range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    cut(range, move |at| {
        let assign = |from| find(code, from..end, |kind| kind == Kind::Assign);
        let next = assign(assign(at) + 1);
        // The next target, `name[N]`, is four tokens long.
        if next < end { next.saturating_sub(4).max(at + 1) } else { end }
    })
}

/// The first token in the range of such a kind, else the range's end.
pub fn find(code: &[Token], range: Range<usize>, is: impl Fn(Kind) -> bool) -> usize {
    let tokens = code.get(range.clone()).unwrap_or_default();
    tokens.iter().position(|token| is(token.kind)).map_or(range.end, |found| range.start + found)
}

/// Cuts a range where `end` says that the part that starts at a token ends.
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
