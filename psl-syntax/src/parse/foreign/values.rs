//! Arithmetic, calls, and cells other than `n` and `N`.

use super::phrase_cursor::{Part, PhraseCursor, Rewrite, Rule, replace_with};
use crate::{
    diagnostic::Diagnostic,
    parse::parser::syntax,
    program::Function,
    roles::LAST_CELL,
    span::Span,
    token::{Kind, Token},
};

pub const RULES: &[Rule] = &[length, call, function_first, constant_function, member, computed_cell, arithmetic];

/// The tokens of a register of a cell without a function.
const PLACE: usize = 4;

/// `pos_increment(x[n])`.
fn call(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    if cursor.kind(0)? != Kind::Name || cursor.kind(1) != Some(Kind::OpenParen) || cursor.part == Part::Declaration {
        return None;
    }
    let name = cursor.word(0);
    let place = cursor.place(2).filter(|place| cursor.kind(2 + place) == Some(Kind::CloseParen))?;
    let length = place + 3;
    let span = cursor.span(0, length);
    let replacement = cursor.tokens(2, place).iter().copied();
    let right = format!("{}@{name}", cursor.str(2, place));
    let diagnostic = if Function::from_name(name).is_none() || place > 4 {
        syntax(cursor.span(0, 1), format!("unknown function `{name}`"))
            .help("write `@pos_increment` or `@pos_decrement` after a register: there are no other functions")
    } else {
        let diagnostic = function_after(cursor, span, &right);
        applied(cursor, diagnostic, span, length, &right)
    };
    Some(Rewrite::new(length, replacement, diagnostic))
}

/// `len(prompt)`, as if it were the other side of the comparison.
fn length(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let calls = cursor.kind(0)? == Kind::Name
        && cursor.kind(1) == Some(Kind::OpenParen)
        && cursor.kind(2) == Some(Kind::Name)
        && cursor.kind(3) == Some(Kind::CloseParen);
    let other = cursor.at.checked_sub(1 + PLACE).filter(|_| cursor.tests())?;
    let other = PhraseCursor { at: other, ..*cursor };
    if !calls || other.place(0) != Some(PLACE) || !["len", "length", "size", "count"].contains(&cursor.word(0)) {
        return None;
    }
    let message = format!("unknown function `{}`", cursor.word(0));
    Some(Rewrite::new(4, other.tokens(0, PLACE).iter().copied(), syntax(cursor.span(0, 4), message).help(LAST_CELL)))
}

/// `@pos_increment x[n]`. The function is left out.
fn function_first(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let function = cursor.word(1);
    if cursor.kind(0)? != Kind::At
        || cursor.after_operand()
        || Function::from_name(function).is_none()
        || cursor.place(2)? != PLACE
    {
        return None;
    }
    let (length, place) = (2 + PLACE, cursor.str(2, PLACE));
    let (span, right) = (cursor.span(0, length), format!("{place}@{function}"));
    let diagnostic = function_after(cursor, span, &right);
    let diagnostic = applied(cursor, diagnostic, span, length, &right);
    Some(Rewrite::new(length, cursor.tokens(2, PLACE).iter().copied(), diagnostic))
}

/// `n.x`.
fn member(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let cell = cursor.word(0);
    let kind = match cell {
        "n" => Kind::CellSource,
        "N" => Kind::CellUpdated,
        _ => return None,
    };
    if cursor.word(1) != "." || cursor.kind(2)? != Kind::Name || cursor.part == Part::Declaration {
        return None;
    }
    let (span, right) = (cursor.span(0, 3), format!("{}[{cell}]", cursor.word(2)));
    let diagnostic = cursor.instead_of(&right, span).help("write the register first, and its cell in brackets");
    let end = Span::new(span.end, span.end);
    let place = [Kind::OpenBracket, kind, Kind::CloseBracket].map(|kind| Token { kind, span: end });
    let replacement = cursor.token(2).into_iter().chain(place);
    Some(Rewrite::new(3, replacement, diagnostic.fix(replace_with(&right), span, right)))
}

/// The diagnostic of a function that is not after its register, as it is in `right`.
fn function_after(cursor: &PhraseCursor<'_>, span: Span, right: &str) -> Diagnostic {
    cursor.instead_of(right, span).help(format!("write the function after its register: `{right}`"))
}

/// `1@pos_increment`. The function is left out.
fn constant_function(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let constant = matches!(cursor.last?.kind, Kind::Name | Kind::String | Kind::Number);
    if cursor.kind(0)? != Kind::At
        || cursor.kind(1) != Some(Kind::Name)
        || !constant
        || cursor.part == Part::Declaration
    {
        return None;
    }
    let (found, function) = (cursor.last?.span.of(cursor.text), cursor.word(1));
    let diagnostic = syntax(cursor.last?.span, format!("expected a register before `@`, found `{found}`"))
        .help(format!("apply a function to a register, as in `position[N]@{function}`"));
    Some(Rewrite::new(2, [], diagnostic))
}

/// Adds the fix that replaces a phrase by `right`, a register with a function. On the left of a comparison, where no
/// function is allowed, the fix swaps the sides.
fn applied(cursor: &PhraseCursor<'_>, diagnostic: Diagnostic, span: Span, length: usize, right: &str) -> Diagnostic {
    if !cursor.starts_condition() {
        return diagnostic.fix(replace_with(right), span, right);
    }
    let (operator, count) = cursor.operator(length);
    let other = cursor.place(length + count).filter(|place| *place == 4 && ["==", "!="].contains(&operator));
    match other {
        Some(place) => {
            let whole = span.join(cursor.span(length + count, place));
            let swapped = format!("{} {operator} {right}", cursor.str(length + count, place));
            diagnostic.help(format!("write `{swapped}`")).fix(replace_with(&swapped), whole, swapped)
        }
        None => diagnostic.help(format!("write `{right}` on the right of a comparison")),
    }
}

/// `x[M]`, `x[0]` and `x[N-1]`.
fn computed_cell(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    const MOST: usize = 6;
    let bracket = cursor.kind(0)? == Kind::OpenBracket && cursor.last?.kind == Kind::Name;
    let name_before = cursor.at.checked_sub(1).and_then(|before| cursor.code.get(before))?;
    let touches = name_before.span.end == cursor.span(0, 1).start;
    if !bracket || !touches || cursor.part == Part::Declaration || cursor.part == Part::Outside {
        return None;
    }
    let end = (1..MOST).find(|&ahead| cursor.kind(ahead) == Some(Kind::CloseBracket))?;
    let inside = cursor.tokens(1, end - 1);
    let exact = matches!(inside, [Token { kind: Kind::CellSource | Kind::CellUpdated | Kind::Hole, .. }]);
    let span = cursor.span(1, inside.len());
    let found = cursor.str(1, inside.len());
    let elsewhere = (1..=end).any(|ahead| cursor.starts_line(ahead) || cursor.kind(ahead) == Some(Kind::OpenBracket));
    if exact || inside.is_empty() || elsewhere {
        return None;
    }
    let name = name_before.span.of(cursor.text);
    let source = found.starts_with('n');
    let kind = if source { Kind::CellSource } else { Kind::CellUpdated };
    let replacement = [cursor.token(0)?, Token { kind, span }, cursor.token(end)?];
    let diagnostic = syntax(span, format!("expected `n` or `N`, found `{found}`"));
    let offset = match (found.chars().next(), found.get(1..).map(|rest| rest.replace(' ', "")).as_deref()) {
        (Some('n' | 'N'), Some("-1")) => Some("decrement"),
        (Some('n' | 'N'), Some("+1")) => Some("increment"),
        _ => None,
    };
    let number = inside.len() == 1 && cursor.kind(1) == Some(Kind::Number);
    let condition = match offset {
        Some(offset) => Some(format!("position[n] == position[N]@pos_{offset}")),
        None => number.then(|| format!("position[n] == {found}")),
    };
    let diagnostic = if let Some(condition) = condition {
        // With conditions of its own, `n` is another cell.
        diagnostic.help(if cursor.binds_source() {
            let copy = match offset {
                Some("decrement") => format!("prev_{name}"),
                Some(_) => format!("next_{name}"),
                None => format!("{name}_{found}"),
            };
            let cell = if source { "n" } else { "N" };
            format!(
                "copy it first, in a production above, `where {condition}: {copy}[N] = {name}[n]`, \
                 and read `{copy}[{cell}]` instead"
            )
        } else {
            format!("add the condition `{condition}`, and read `{name}[n]`")
        })
    } else {
        diagnostic
            .help("write `N` for the cell being updated, or `n` for the cell it attends to")
            .suggest(replace_with("N"), span, "N")
            .suggest(replace_with("n"), span, "n")
    };
    Some(Rewrite::new(end + 1, replacement, diagnostic))
}

/// `+ 1` and other calculations. The operand is kept.
fn arithmetic(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let in_place = cursor.tests() || cursor.part == Part::Body;
    if !in_place || !cursor.after_operand() || cursor.starts_line(0) {
        return None;
    }
    let signed = cursor.kind(0)? == Kind::Number && cursor.word(0).starts_with('-');
    let (operator, count) = if signed { ("-", 0) } else { cursor.operator(0) };
    if !["+", "-", "*", "/", "%", "^"].contains(&operator) || (!signed && cursor.operand(count).is_none()) {
        return None;
    }
    let length = if signed { 1 } else { count + cursor.operand(count)? };
    let place = place_before(cursor);
    let one = if signed { cursor.word(0) == "-1" } else { cursor.word(count) == "1" };
    let function = match operator {
        "+" => Some("pos_increment"),
        "-" => Some("pos_decrement"),
        _ => None,
    };
    let mark =
        if signed { Span::new(cursor.span(0, 1).start, cursor.span(0, 1).start + 1) } else { cursor.span(0, count) };
    let unknown = cursor.unknown_operator(mark);
    let diagnostic = match (place, function) {
        (Some(start), Some(function)) if one => {
            let from = PhraseCursor { at: start, ..*cursor };
            let right = format!("{}@{function}", from.str(0, 4));
            let span = from.span(0, 4).join(cursor.span(0, length));
            let last = start.checked_sub(1).and_then(|before| cursor.code.get(before)).copied();
            let from = PhraseCursor { last, ..from };
            applied(&from, unknown.help(format!("write `{right}`")), span, 4 + length, &right)
        }
        (Some(_), Some(function)) => {
            unknown.help(format!("apply `@{function}` in a production for each step: a function adds or subtracts 1"))
        }
        _ => unknown.help("count with `@pos_increment` and `@pos_decrement`: PSL has no other arithmetic"),
    };
    Some(Rewrite::new(length, [], diagnostic))
}

/// The index of the register without a function that ends before this token.
fn place_before(cursor: &PhraseCursor<'_>) -> Option<usize> {
    let start = cursor.at.checked_sub(4)?;
    let from = PhraseCursor { at: start, ..*cursor };
    (from.place(0) == Some(4)).then_some(start)
}
