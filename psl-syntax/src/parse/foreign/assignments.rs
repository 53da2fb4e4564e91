//! Assignments as other languages write them.

use super::here::{Here, Part, Rewrite, Rule, missing_cell, remove, replace_with};
use crate::{
    parse::parser::syntax,
    span::Span,
    token::{Kind, Token},
};

pub const RULES: &[Rule] = &[counting, other_assignment, comparison, without_cell, comma];

/// Other spellings of `=`.
const ASSIGNING: [&str; 12] = [":=", "<-", "->", "=>", "=:", "←", "→", "⟵", "⟶", "⇐", "⇒", "≔"];

/// Whether an assignment can start at this token.
fn starts(here: &Here<'_>) -> bool {
    here.part == Part::Body && (here.after_operand() || here.last.is_some_and(|last| last.kind == Kind::Colon))
}

/// `x[N]++`, `x[N] += 1` and other operators that assign. The assignment is left out.
fn counting(here: &Here<'_>) -> Option<Rewrite> {
    let place = here.place(0).filter(|_| starts(here))?;
    let (operator, count) = here.operator(place);
    let (function, taken) = match operator {
        "++" => (Some("pos_increment"), place + count),
        "--" => (Some("pos_decrement"), place + count),
        "+=" | "-=" | "*=" | "/=" | "|=" | "&=" => {
            let step = if operator == "+=" { "pos_increment" } else { "pos_decrement" };
            let one = ["+=", "-="].contains(&operator) && here.word(place + count) == "1";
            (one.then_some(step), place + count + here.operand(place + count).unwrap_or_default())
        }
        _ => return None,
    };
    let diagnostic = here.unknown_operator(here.span(place, count));
    let diagnostic = match function {
        Some(function) if place == 4 => {
            let target = here.str(0, place);
            let written = format!("{target} = {target}@{function}");
            diagnostic.help(format!("write `{written}`")).suggest(replace_with(&written), here.span(0, taken), written)
        }
        _ => diagnostic.help("assign a value, as in `x[N] = A` or `x[N] = x[N]@pos_increment`"),
    };
    Some(Rewrite::new(taken, [], diagnostic))
}

/// `:=`, `<-`, `->` and arrows for `=`.
fn other_assignment(here: &Here<'_>) -> Option<Rewrite> {
    let place = here.place(0).filter(|_| starts(here))?;
    let (operator, count) = here.operator(place);
    if !ASSIGNING.contains(&operator) {
        return None;
    }
    let span = here.span(place, count);
    let diagnostic = here.expected("=", span).help("write `=` to assign");
    let put = here.tokens(0, place).iter().copied().chain([Token { kind: Kind::Assign, span }]);
    Some(Rewrite::new(place + count, put, diagnostic))
}

/// `x[N] == A` as an assignment. Before a colon, it is a condition without its `where`, and at the end of a block it
/// may be one without its `until`.
fn comparison(here: &Here<'_>) -> Option<Rewrite> {
    let place = here.place(0).filter(|_| starts(here))?;
    let operand = here.operand(place + 1).filter(|_| here.kind(place) == Some(Kind::Equal))?;
    let end = place + 1 + operand;
    let followed_by_assignment =
        here.place(end).is_some_and(|other| matches!(here.kind(end + other), Some(Kind::Assign | Kind::Equal)));
    let last = here.ends_statement(end) && !here.open_block;
    if !(last || followed_by_assignment && !here.colon_follows(end)) {
        return None;
    }
    let diagnostic = here.expected("=", here.span(place, 1)).help("write `=` to assign: `==` compares");
    let put = here.tokens(0, place).iter().copied().chain(here.as_kind(place, Kind::Assign));
    Some(Rewrite::new(place + 1, put, diagnostic))
}

/// `x = A`: only cell N can be assigned.
fn without_cell(here: &Here<'_>) -> Option<Rewrite> {
    if !starts(here) || here.kind(0)? != Kind::Name || here.kind(1) != Some(Kind::Assign) {
        return None;
    }
    let name = here.word(0);
    let end = here.span(0, 1).end;
    let after = Span::new(end, end);
    let diagnostic = missing_cell(name, here.span(0, 1))
        .help(format!("write `{name}[N]`: an assignment sets a register of cell `N`"))
        .fix("Insert `[N]`", after, "[N]");
    let cell = [Kind::OpenBracket, Kind::CellUpdated, Kind::CloseBracket].map(|kind| Token { kind, span: after });
    Some(Rewrite::new(1, here.token(0).into_iter().chain(cell), diagnostic))
}

/// A comma or `and` between assignments, or after the last one.
fn comma(here: &Here<'_>) -> Option<Rewrite> {
    let separator = matches!(here.kind(0)?, Kind::Comma | Kind::And);
    let next = here.kind(1);
    let ends = next.is_none_or(Kind::starts_segment) || here.place(1).is_some();
    if here.part != Part::Body || !here.after_operand() || !separator || !ends || here.colon_follows(1) {
        return None;
    }
    let word = here.word(0);
    let span = here.span(0, 1);
    let from = here.at.checked_sub(1).and_then(|at| here.code.get(at))?.span.end;
    let diagnostic = syntax(span, format!("unexpected `{word}`"))
        .help("write the assignments one below the other")
        .fix(remove(word), Span::new(from, span.end), "");
    Some(Rewrite::new(1, [], diagnostic))
}
