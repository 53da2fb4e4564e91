//! Lists in the brackets of other languages, or in none.

use super::phrase_cursor::{PhraseCursor, Rewrite, Rule, edit};
use crate::{
    parse::parser::syntax,
    span::Span,
    token::{Kind, Token},
};

pub const RULES: &[Rule] = &[other_brackets, no_brackets];

const HELP: &str = "write a list in square brackets, as in `x[N] in [A, B]`";

/// `in (A, B)` and `in {A, B}`.
fn other_brackets(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let open = cursor.kind(0)?;
    let close = match open {
        Kind::OpenParen => Kind::CloseParen,
        Kind::OpenBrace => Kind::CloseBrace,
        _ => return None,
    };
    if cursor.last?.kind != Kind::In {
        return None;
    }
    let end = cursor.closing(0, open, close)?;
    let inside = cursor.tokens(1, end - cursor.at - 1);
    let listed =
        |token: &Token| matches!(token.kind, Kind::Name | Kind::String | Kind::Number | Kind::Hole | Kind::Comma);
    if !inside.iter().all(listed) {
        return None;
    }
    let [first, last] = [cursor.span(0, 1), cursor.code.get(end)?.span];
    let replacement = std::iter::once(Token { kind: Kind::OpenBracket, span: first })
        .chain(inside.iter().copied())
        .chain([Token { kind: Kind::CloseBracket, span: last }]);
    let diagnostic = syntax(first, format!("expected `[`, found `{}`", cursor.word(0)))
        .help(HELP)
        .fix_all("Replace with square brackets", vec![edit(first, "["), edit(last, "]")]);
    Some(Rewrite::new(inside.len() + 2, replacement, diagnostic))
}

/// `in A` and `in A, B`.
fn no_brackets(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    if cursor.last?.kind != Kind::In || !cursor.constant(0) {
        return None;
    }
    let mut count = 1;
    while cursor.kind(count) == Some(Kind::Comma) && cursor.constant(count + 1) && cursor.operator(count + 2).1 == 0 {
        count += 2;
    }
    let span = cursor.span(0, count);
    let [start, end] = [span.start, span.end].map(|at| Span::new(at, at));
    let replacement = std::iter::once(Token { kind: Kind::OpenBracket, span: start })
        .chain(cursor.tokens(0, count).iter().copied())
        .chain([Token { kind: Kind::CloseBracket, span: end }]);
    let diagnostic = syntax(cursor.span(0, 1), format!("expected `[`, found `{}`", cursor.word(0)))
        .help(HELP)
        .fix_all("Insert square brackets", vec![edit(start, "["), edit(end, "]")]);
    Some(Rewrite::new(count, replacement, diagnostic))
}
