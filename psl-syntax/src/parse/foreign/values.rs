//! Arithmetic, calls, and cells other than `n` and `N`.

use super::here::{Here, Part, Rewrite, Rule, replace_with};
use crate::{
    diagnostic::Diagnostic,
    parse::parser::syntax,
    program::Function,
    span::Span,
    token::{Kind, Token},
};

pub const RULES: &[Rule] = &[call, computed_cell, arithmetic];

/// `pos_increment(x[n])`.
fn call(here: &Here<'_>) -> Option<Rewrite> {
    if here.kind(0)? != Kind::Name || here.kind(1) != Some(Kind::OpenParen) || here.part == Part::Declaration {
        return None;
    }
    let name = here.word(0);
    let place = here.place(2).filter(|place| here.kind(2 + place) == Some(Kind::CloseParen))?;
    let taken = place + 3;
    let span = here.span(0, taken);
    let put = here.tokens(2, place).iter().copied();
    let right = format!("{}@{name}", here.str(2, place));
    let diagnostic = if Function::from_name(name).is_none() || place > 4 {
        syntax(here.span(0, 1), format!("unknown function `{name}`"))
            .help("write `@pos_increment` or `@pos_decrement` after a register: there are no other functions")
    } else {
        let diagnostic =
            here.instead_of(&right, span).help(format!("write the function after its register: `{right}`"));
        applied(here, diagnostic, span, taken, &right)
    };
    Some(Rewrite::new(taken, put, diagnostic))
}

/// Adds the fix that replaces a phrase by `right`, a register with a function. On the left of a comparison, where no
/// function is allowed, the fix swaps the sides.
fn applied(here: &Here<'_>, diagnostic: Diagnostic, span: Span, taken: usize, right: &str) -> Diagnostic {
    if !here.starts_condition() {
        return diagnostic.fix(replace_with(right), span, right);
    }
    let (operator, count) = here.operator(taken);
    let other = here.place(taken + count).filter(|place| *place == 4 && ["==", "!="].contains(&operator));
    match other {
        Some(place) => {
            let whole = span.join(here.span(taken + count, place));
            let swapped = format!("{} {operator} {right}", here.str(taken + count, place));
            diagnostic.help(format!("write `{swapped}`")).fix(replace_with(&swapped), whole, swapped)
        }
        None => diagnostic.help(format!("write `{right}` on the right of a comparison")),
    }
}

/// `x[M]`, `x[0]` and `x[N-1]`.
fn computed_cell(here: &Here<'_>) -> Option<Rewrite> {
    const MOST: usize = 6;
    let bracket = here.kind(0)? == Kind::OpenBracket && here.last?.kind == Kind::Name;
    let name_before = here.at.checked_sub(1).and_then(|before| here.code.get(before))?;
    let touches = name_before.span.end == here.span(0, 1).start;
    if !bracket || !touches || here.part == Part::Declaration || here.part == Part::Outside {
        return None;
    }
    let end = (1..MOST).find(|&ahead| here.kind(ahead) == Some(Kind::CloseBracket))?;
    let inside = here.tokens(1, end - 1);
    let exact = matches!(inside, [Token { kind: Kind::CellSource | Kind::CellUpdated | Kind::Hole, .. }]);
    let span = here.span(1, inside.len());
    let found = here.str(1, inside.len());
    let elsewhere = (1..=end).any(|ahead| here.starts_line(ahead) || here.kind(ahead) == Some(Kind::OpenBracket));
    if exact || inside.is_empty() || elsewhere {
        return None;
    }
    let name = name_before.span.of(here.text);
    let source = found.starts_with('n');
    let kind = if source { Kind::CellSource } else { Kind::CellUpdated };
    let put = [here.token(0)?, Token { kind, span }, here.token(end)?];
    let diagnostic = syntax(span, format!("expected `n` or `N`, found `{found}`"));
    let offset = match (found.chars().next(), found.get(1..).map(|rest| rest.replace(' ', "")).as_deref()) {
        (Some('n' | 'N'), Some("-1")) => Some("decrement"),
        (Some('n' | 'N'), Some("+1")) => Some("increment"),
        _ => None,
    };
    let number = inside.len() == 1 && here.kind(1) == Some(Kind::Number);
    let condition = match offset {
        Some(offset) => Some(format!("position[n] == position[N]@pos_{offset}")),
        None => number.then(|| format!("position[n] == {found}")),
    };
    let diagnostic = if let Some(condition) = condition {
        // With conditions of its own, `n` is another cell.
        diagnostic.help(if here.binds_source() {
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
    Some(Rewrite::new(end + 1, put, diagnostic))
}

/// `+ 1` and other calculations. The operand is kept.
fn arithmetic(here: &Here<'_>) -> Option<Rewrite> {
    let in_place = here.tests() || here.part == Part::Body;
    if !in_place || !here.after_operand() || here.starts_line(0) {
        return None;
    }
    let signed = here.kind(0)? == Kind::Number && here.word(0).starts_with('-');
    let (operator, count) = if signed { ("-", 0) } else { here.operator(0) };
    if !["+", "-", "*", "/", "%", "^"].contains(&operator) || (!signed && here.operand(count).is_none()) {
        return None;
    }
    let taken = if signed { 1 } else { count + here.operand(count)? };
    let place = place_before(here);
    let one = if signed { here.word(0) == "-1" } else { here.word(count) == "1" };
    let function = match operator {
        "+" => Some("pos_increment"),
        "-" => Some("pos_decrement"),
        _ => None,
    };
    let mark = if signed { Span::new(here.span(0, 1).start, here.span(0, 1).start + 1) } else { here.span(0, count) };
    let unknown = here.unknown_operator(mark);
    let diagnostic = match (place, function) {
        (Some(start), Some(function)) if one => {
            let from = Here { at: start, ..*here };
            let right = format!("{}@{function}", from.str(0, 4));
            let span = from.span(0, 4).join(here.span(0, taken));
            let last = start.checked_sub(1).and_then(|before| here.code.get(before)).copied();
            let from = Here { last, ..from };
            applied(&from, unknown.help(format!("write `{right}`")), span, 4 + taken, &right)
        }
        (Some(_), Some(function)) => {
            unknown.help(format!("apply `@{function}` in a production for each step: a function adds or subtracts 1"))
        }
        _ => unknown.help("count with `@pos_increment` and `@pos_decrement`: PSL has no other arithmetic"),
    };
    Some(Rewrite::new(taken, [], diagnostic))
}

/// The index of the register without a function that ends before this token.
fn place_before(here: &Here<'_>) -> Option<usize> {
    let start = here.at.checked_sub(4)?;
    let from = Here { at: start, ..*here };
    (from.place(0) == Some(4)).then_some(start)
}
