//! Assignments as other languages write them.

use super::phrase_cursor::{Part, PhraseCursor, Rewrite, Rule, missing_cell, remove, replace_with};
use crate::{
    parse::parser::syntax,
    span::Span,
    token::{Kind, Token},
};

pub const RULES: &[Rule] = &[counting, other_assignment, chain, comparison, without_cell, comma];

/// Other spellings of `=`.
const ASSIGNING: [&str; 12] = [":=", "<-", "->", "=>", "=:", "←", "→", "⟵", "⟶", "⇐", "⇒", "≔"];

/// Whether an assignment can start at this token.
fn starts(cursor: &PhraseCursor<'_>) -> bool {
    cursor.part == Part::Body && (cursor.after_operand() || cursor.last.is_some_and(|last| last.kind == Kind::Colon))
}

/// `x[N]++`, `x[N] += 1` and other operators that assign. The assignment is left out.
fn counting(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let place = cursor.place(0).filter(|_| starts(cursor))?;
    let (operator, count) = cursor.operator(place);
    let (function, length) = match operator {
        "++" => (Some("pos_increment"), place + count),
        "--" => (Some("pos_decrement"), place + count),
        "+=" | "-=" | "*=" | "/=" | "|=" | "&=" => {
            let step = if operator == "+=" { "pos_increment" } else { "pos_decrement" };
            let one = ["+=", "-="].contains(&operator) && cursor.word(place + count) == "1";
            (one.then_some(step), place + count + cursor.operand(place + count).unwrap_or_default())
        }
        _ => return None,
    };
    let diagnostic = cursor.unknown_operator(cursor.span(place, count));
    let diagnostic = match function {
        Some(function) if place == 4 => {
            let target = cursor.str(0, place);
            let written = format!("{target} = {target}@{function}");
            diagnostic.help(format!("write `{written}`")).suggest(
                replace_with(&written),
                cursor.span(0, length),
                written,
            )
        }
        _ => diagnostic.help("assign a value, as in `x[N] = A` or `x[N] = x[N]@pos_increment`"),
    };
    Some(Rewrite::new(length, [], diagnostic))
}

/// `:=`, `<-`, `->` and arrows for `=`.
fn other_assignment(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let place = cursor.place(0).filter(|_| starts(cursor))?;
    let (operator, count) = cursor.operator(place);
    if !ASSIGNING.contains(&operator) {
        return None;
    }
    let span = cursor.span(place, count);
    let diagnostic = cursor.expected("=", span).help("write `=` to assign");
    let replacement = cursor.tokens(0, place).iter().copied().chain([Token { kind: Kind::Assign, span }]);
    Some(Rewrite::new(place + count, replacement, diagnostic))
}

/// `x[N] = y[N] = A` in one line. The first assignment is left out.
fn chain(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let first = cursor.place(0).filter(|_| starts(cursor))?;
    let second = cursor.place(first + 1).filter(|_| cursor.kind(first) == Some(Kind::Assign))?;
    let value = first + second + 2;
    let operand = cursor.operand(value).filter(|_| cursor.kind(value - 1) == Some(Kind::Assign))?;
    if (1..value + operand).any(|ahead| cursor.starts_line(ahead)) {
        return None;
    }
    let [one, other] = [cursor.str(0, first), cursor.str(first + 1, second)];
    let right = cursor.str(value, operand);
    let before = cursor.text.get(..cursor.span(0, 1).start as usize)?.rsplit('\n').next().unwrap_or_default();
    let separator = if before.trim().is_empty() { format!("\n{before}") } else { " ".to_owned() };
    let diagnostic = syntax(cursor.span(value - 1, 1), "unexpected `=`: two assignments share a value")
        .help(format!("write one below the other: `{one} = {right}` and `{other} = {right}`"))
        .fix(
            "Write two assignments",
            cursor.span(0, value + operand),
            format!("{one} = {right}{separator}{other} = {right}"),
        );
    Some(Rewrite::new(first + 1, [], diagnostic))
}

/// `x[N] == A` as an assignment. Before a colon, it is a condition without its `where`, and at the end of a block it
/// may be one without its `until`.
fn comparison(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let place = cursor.place(0).filter(|_| starts(cursor))?;
    let operand = cursor.operand(place + 1).filter(|_| cursor.kind(place) == Some(Kind::Equal))?;
    let end = place + 1 + operand;
    let followed_by_assignment =
        cursor.place(end).is_some_and(|other| matches!(cursor.kind(end + other), Some(Kind::Assign | Kind::Equal)));
    let last = cursor.ends_statement(end) && !cursor.open_block;
    if !(last || followed_by_assignment && !cursor.colon_follows(end)) {
        return None;
    }
    let diagnostic = cursor.expected("=", cursor.span(place, 1)).help("write `=` to assign: `==` compares");
    let replacement = cursor.tokens(0, place).iter().copied().chain(cursor.as_kind(place, Kind::Assign));
    Some(Rewrite::new(place + 1, replacement, diagnostic))
}

/// `x = A`: only cell N can be assigned.
fn without_cell(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    if !starts(cursor) || cursor.kind(0)? != Kind::Name || cursor.kind(1) != Some(Kind::Assign) {
        return None;
    }
    let name = cursor.word(0);
    let end = cursor.span(0, 1).end;
    let after = Span::new(end, end);
    let diagnostic = missing_cell(name, cursor.span(0, 1))
        .help(format!("write `{name}[N]`: an assignment sets a register of cell `N`"))
        .fix("Insert `[N]`", after, "[N]");
    let cell = [Kind::OpenBracket, Kind::CellUpdated, Kind::CloseBracket].map(|kind| Token { kind, span: after });
    Some(Rewrite::new(1, cursor.token(0).into_iter().chain(cell), diagnostic))
}

/// A comma or `and` between assignments, or after the last one.
fn comma(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let separator = matches!(cursor.kind(0)?, Kind::Comma | Kind::And);
    let next = cursor.kind(1);
    let ends = next.is_none_or(Kind::starts_segment) || cursor.place(1).is_some();
    if cursor.part != Part::Body || !cursor.after_operand() || !separator || !ends || cursor.colon_follows(1) {
        return None;
    }
    let word = cursor.word(0);
    let span = cursor.span(0, 1);
    let from = cursor.at.checked_sub(1).and_then(|at| cursor.code.get(at))?.span.end;
    let diagnostic = syntax(span, format!("unexpected `{word}`"))
        .help("write the assignments one below the other")
        .fix(remove(word), Span::new(from, span.end), "");
    Some(Rewrite::new(1, [], diagnostic))
}
