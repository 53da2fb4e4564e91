//! Conditions as other languages write them.

use super::phrase_cursor::{PhraseCursor, Rewrite, Rule, missing_cell, remove, replace_with};
use crate::{
    lines::removal,
    parse::parser::syntax,
    span::Span,
    token::{Kind, Token},
};

pub const RULES: &[Rule] = &[
    conjunction,
    disjunction,
    membership,
    chain,
    comparison,
    negation,
    swapped,
    without_cell,
    without_comparison,
    dangling,
];

/// Other spellings of comparisons.
const COMPARISONS: [(&str, &str, Kind); 12] = [
    ("===", "==", Kind::Equal),
    ("!==", "!=", Kind::NotEqual),
    ("<>", "!=", Kind::NotEqual),
    ("=!", "!=", Kind::NotEqual),
    ("~=", "!=", Kind::NotEqual),
    ("/=", "!=", Kind::NotEqual),
    ("is", "==", Kind::Equal),
    ("eq", "==", Kind::Equal),
    ("equals", "==", Kind::Equal),
    ("isnt", "!=", Kind::NotEqual),
    ("ne", "!=", Kind::NotEqual),
    (":=", "==", Kind::Equal),
];

const BY_SIZE: [&str; 10] = ["<", ">", "<=", ">=", "=<", "=>", "≤", "≥", "⩽", "⩾"];

const CELL: &str = "the one being updated, or";

/// `&&`, `&`, `AND` and a comma.
fn conjunction(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    if !cursor.tests() || !cursor.after_operand() {
        return None;
    }
    let (operator, count) = cursor.operator(0);
    let count = match (cursor.kind(0)?, cursor.word(0)) {
        (Kind::Name, "AND" | "And") => 1,
        (Kind::Comma, _) if condition_follows(cursor) && !cursor.in_list() => 1,
        _ if ["&&", "&", "∧"].contains(&operator) => count,
        _ => return None,
    };
    let span = cursor.span(0, count);
    let diagnostic = cursor.instead_of("and", span);
    let help = "join conditions with `and`";
    let diagnostic = if cursor.kind(0)? == Kind::Comma {
        let removed = removal(cursor.text, span);
        diagnostic.help(help).fix(replace_with("and"), Span::new(span.start, removed.end), " and ")
    } else {
        let word =
            |char: Option<char>| if char.is_some_and(|char| char.is_alphanumeric() || char == '_') { " " } else { "" };
        let before = word(cursor.text.get(..span.start as usize).and_then(|before| before.chars().next_back()));
        let after = word(cursor.text.get(span.end as usize..).and_then(|after| after.chars().next()));
        diagnostic.help(help).fix(replace_with("and"), span, format!("{before}and{after}"))
    };
    Some(Rewrite::new(count, [Token { kind: Kind::And, span }], diagnostic))
}

fn condition_follows(cursor: &PhraseCursor<'_>) -> bool {
    matches!(cursor.kind(1), Some(Kind::OpenParen | Kind::Not)) || cursor.place(1).is_some()
}

/// `or`, `||` and `|`. Only the first one of the conditions is reported.
fn disjunction(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    if !cursor.tests() || !cursor.after_operand() {
        return None;
    }
    let (operator, count) = cursor.operator(0);
    let count = match cursor.word(0) {
        "or" | "OR" | "Or" | "xor" if cursor.kind(0)? == Kind::Name => 1,
        _ if ["||", "|", "∨"].contains(&operator) => count,
        _ => return None,
    };
    let span = cursor.span(0, count);
    let replacement = Token { kind: Kind::And, span };
    let mut diagnostic = cursor
        .unknown_operator(span)
        .help("write one production for each case, or a list of values, as in `x[N] in [A, B]`");
    if cursor.said_or {
        let silent = Rewrite::new(count, [replacement], diagnostic);
        return Some(Rewrite { diagnostic: None, ..silent });
    }
    if let Some((whole, list)) = as_list(cursor) {
        diagnostic = diagnostic.help(format!("write `{list}`")).fix(replace_with(&list), whole, list);
    }
    Some(Rewrite { says_or: true, ..Rewrite::new(count, [replacement], diagnostic) })
}

/// The conditions around an `or` as a list, if all compare one register with constants.
fn as_list(cursor: &PhraseCursor<'_>) -> Option<(Span, String)> {
    const MOST: usize = 64;
    let start = (1..MOST.min(cursor.at + 1))
        .find(|back| cursor.code.get(cursor.at - back).is_some_and(|token| token.kind.starts_segment()))?;
    let head = PhraseCursor { at: cursor.at - start, ..*cursor };
    let left = head.str(1, head.place(1)?);
    let mut constants = Vec::new();
    let mut at = 1;
    loop {
        // `x[N] == A or B` omits the second comparison.
        let compared = match head.place(at) {
            Some(place) if head.str(at, place) == left && head.kind(at + place) == Some(Kind::Equal) => place + 1,
            None if !constants.is_empty() => 0,
            _ => return None,
        };
        if !head.constant(at + compared) || constants.len() == MOST {
            return None;
        }
        constants.push(head.word(at + compared));
        at += compared + 1;
        let next = head.word(at);
        let operator = head.operator(at);
        at += match next {
            "or" | "OR" | "Or" => 1,
            _ if operator.0 == "||" || operator.0 == "|" => operator.1,
            _ => break,
        };
    }
    let ends = head.kind(at).is_none_or(|kind| kind == Kind::Colon || kind.starts_segment());
    ends.then(|| (head.span(1, at - 1), format!("{left} in [{}]", constants.join(", "))))
}

/// `x[N] == [A, B]`, `x[N] != [A, B]` and `x[N] !in [A, B]`.
fn membership(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    if !cursor.tests() || !cursor.after_operand() {
        return None;
    }
    let list = cursor.kind(1) == Some(Kind::OpenBracket);
    let (right, count) = match cursor.kind(0)? {
        Kind::Equal if list => ("in", 1),
        Kind::NotEqual if list => ("not in", 1),
        Kind::Unknown if cursor.word(0) == "!" && cursor.word(1) == "in" => ("not in", 2),
        _ => return None,
    };
    let span = cursor.span(0, count);
    let help = if count == 2 { "write `not in`" } else { "write `in` or `not in` before a list" };
    let not = (right == "not in").then_some(Token { kind: Kind::Not, span });
    let replacement = not.into_iter().chain([Token { kind: Kind::In, span }]);
    let diagnostic = cursor.expected(right, span).help(help);
    Some(Rewrite::new(count, replacement, diagnostic))
}

/// `x[N] == y[N] == A`. The second comparison is left out.
fn chain(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let compares = |kind: Kind| matches!(kind, Kind::Equal | Kind::NotEqual);
    if !cursor.tests() || !cursor.after_operand() || !compares(cursor.kind(0)?) {
        return None;
    }
    let middle = [4, 1].into_iter().find(|back| {
        let Some(at) = cursor.at.checked_sub(back + 1) else { return false };
        let from = PhraseCursor { at, ..*cursor };
        compares(from.kind(0).unwrap_or(Kind::Unknown)) && from.operand(1) == Some(*back)
    })?;
    let operand = cursor.operand(1)?;
    let operator = cursor.span(0, 1);
    let from = PhraseCursor { at: cursor.at - middle, ..*cursor };
    let shared = from.str(0, middle);
    let second = format!("{shared} {} {}", cursor.word(0), cursor.str(1, operand));
    let diagnostic = syntax(operator, format!("unexpected `{}`: a condition has one comparison", cursor.word(0)));
    let diagnostic = if middle == 4 {
        let end = from.span(0, middle).end;
        diagnostic.help(format!("join two comparisons with `and`: `and {second}`")).fix(
            format!("Insert `and {shared}`"),
            Span::new(end, end),
            format!(" and {shared}"),
        )
    } else {
        diagnostic.help("join two comparisons with `and`, each with a register on its left")
    };
    Some(Rewrite::new(1 + operand, [], diagnostic))
}

/// Comparisons by size, and other spellings of `==` and `!=`.
fn comparison(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    if !cursor.tests() || !cursor.after_operand() {
        return None;
    }
    let (mut operator, mut count) = cursor.operator(0);
    if cursor.kind(0)? == Kind::Name {
        (operator, count) =
            if cursor.word(1) == "not" && cursor.word(0) == "is" { ("isnt", 2) } else { (cursor.word(0), 1) };
    }
    if cursor.kind(0)? == Kind::Name && cursor.operand(count).is_none() {
        return None;
    }
    let span = cursor.span(0, count);
    if let Some((_, right, kind)) = COMPARISONS.into_iter().find(|(other, ..)| *other == operator) {
        let meaning = if kind == Kind::Equal { "equal" } else { "not equal" };
        let diagnostic = cursor.expected(right, span).help(format!("write `{right}` for {meaning}"));
        return Some(Rewrite::new(count, [Token { kind, span }], diagnostic));
    }
    if !BY_SIZE.contains(&operator) {
        return None;
    }
    let position = cursor.at.checked_sub(4).and_then(|start| cursor.code.get(start));
    let position = position.is_some_and(|token| token.span.of(cursor.text) == "position");
    let help = if position && cursor.word(count) == "position" {
        "write `causal_attn: true` above, so that `N` attends to no cell on its right: values have no size"
    } else {
        "list the values, as in `x[N] in [1, 2]`: values have no size"
    };
    Some(Rewrite::new(count, [Token { kind: Kind::Equal, span }], cursor.unknown_operator(span).help(help)))
}

/// `not` or `!` before a condition.
fn negation(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let not = cursor.kind(0)? == Kind::Not || ["!", "NOT"].contains(&cursor.word(0));
    if !cursor.starts_condition() || !not {
        return None;
    }
    let span = cursor.span(0, 1);
    let word = cursor.word(0);
    let message =
        if word == "not" { "`not` cannot negate a condition".to_owned() } else { format!("unknown operator `{word}`") };
    let diagnostic = syntax(span, message);
    let general = "write `!=` for `==`, and `not in` for `in`: nothing negates a whole condition";
    let Some(place) = cursor.place(1) else {
        return Some(Rewrite::new(1, [], diagnostic.help(general)));
    };
    let left = cursor.str(1, place);
    let end = 1 + place;
    let opposite = match (cursor.kind(end), cursor.kind(end + 1)) {
        (Some(Kind::Equal), _) => Some(("!=", Kind::NotEqual, 1)),
        (Some(Kind::NotEqual), _) => Some(("==", Kind::Equal, 1)),
        (Some(Kind::In), _) => Some(("not in", Kind::In, 1)),
        (Some(Kind::Not), Some(Kind::In)) => Some(("in", Kind::In, 2)),
        _ => None,
    };
    let Some((operator, kind, count)) = opposite else {
        return Some(Rewrite::new(1, [], diagnostic.help(general)));
    };
    let whole = cursor.span(0, end + count);
    let written = format!("{left} {operator}");
    let mut replacement = cursor.tokens(1, place).to_vec();
    replacement.push(Token { kind, span: cursor.span(end, count) });
    let help = format!("write `{written} {}`", if kind == Kind::In { "[…]" } else { cursor.word(end + count) });
    let diagnostic = diagnostic.help(help).fix(replace_with(&written), whole, written);
    Some(Rewrite::new(end + count, replacement, diagnostic))
}

/// A constant on the left: `A == x[N]` and `A == B`.
fn swapped(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    if !cursor.starts_condition() || !cursor.constant(0) || cursor.registers.contains(&cursor.name(0)) {
        return None;
    }
    let (operator, count) = cursor.operator(1);
    let kind = cursor.kind(1)?;
    if !["==", "!=", "="].contains(&operator) {
        return None;
    }
    let right = 1 + count;
    if matches!(cursor.word(0), "n" | "N") && cursor.kind(0)? == Kind::Name {
        return Some(cell_alone(cursor));
    }
    if let Some(place) = cursor.place(right) {
        let operator = if operator == "=" { "==" } else { operator };
        let swapped = format!("{} {operator} {}", cursor.str(right, place), cursor.word(0));
        let span = cursor.span(0, 1);
        let whole = cursor.span(0, right + place);
        let diagnostic = syntax(span, format!("expected a register on the left, found `{}`", cursor.word(0)))
            .help(format!("write the register first: `{swapped}`"));
        // A function cannot move to the left.
        let diagnostic = if place == 4 { diagnostic.fix("Swap the two sides", whole, swapped) } else { diagnostic };
        let kind = if kind == Kind::Assign { Kind::Equal } else { kind };
        let replacement =
            [cursor.tokens(right, place), &[Token { kind, span: cursor.span(1, count) }], cursor.tokens(0, 1)].concat();
        return Some(Rewrite::new(right + place, replacement, diagnostic));
    }
    if !cursor.constant(right) {
        return None;
    }
    if cursor.registers.contains(&cursor.name(right)) {
        return None;
    }
    let span = cursor.span(0, right + 1);
    let help = if cursor.word(0) == cursor.word(right) && operator != "!=" {
        cursor.registers.write_every_cell()
    } else {
        format!("compare a register, as in `symbol[N] == {}`", cursor.word(0))
    };
    let diagnostic = syntax(span, "cannot compare two constants").help(help);
    Some(Rewrite::new(right + 1, [], diagnostic))
}

fn cell_alone(cursor: &PhraseCursor<'_>) -> Rewrite {
    let cell = cursor.word(0);
    let (_, count) = cursor.operator(1);
    let other = cursor.operand(1 + count).unwrap_or_default();
    let span = cursor.span(0, 1);
    let diagnostic = syntax(span, format!("`{cell}` is a cell, not a value"))
        .help(format!("compare a register of the cell, such as `position[{cell}]`"))
        .suggest(replace_with(&format!("position[{cell}]")), span, format!("position[{cell}]"));
    Rewrite::new(1 + count + other, [], diagnostic)
}

/// A register without its cell.
fn without_cell(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let name = cursor.word(0);
    let operator = cursor.operator(1);
    let compares = matches!(cursor.kind(1), Some(Kind::Equal | Kind::NotEqual | Kind::In | Kind::Not | Kind::Assign))
        || BY_SIZE.contains(&operator.0);
    if !cursor.starts_condition() || cursor.kind(0)? != Kind::Name || !compares {
        return None;
    }
    let end = cursor.span(0, 1).end;
    let after = Span::new(end, end);
    let diagnostic = missing_cell(name, cursor.span(0, 1))
        .help(format!("write `{name}[N]`, {CELL} `{name}[n]`, the one it attends to"))
        .suggest("Insert `[N]`", after, "[N]")
        .suggest("Insert `[n]`", after, "[n]");
    let cell = [Kind::OpenBracket, Kind::CellUpdated, Kind::CloseBracket].map(|kind| Token { kind, span: after });
    let replacement = cursor.token(0).into_iter().chain(cell);
    // A wrong operator is reported after the cell is added.
    let equal = cursor.as_kind(1, Kind::Equal).filter(|_| cursor.kind(1) == Some(Kind::Assign));
    Some(Rewrite::new(1 + equal.iter().len(), replacement.chain(equal), diagnostic))
}

/// A register or a constant where a comparison belongs.
fn without_comparison(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    if !cursor.starts_condition() {
        return None;
    }
    let count = cursor.operand(0)?;
    let ends = |kind: Option<Kind>| matches!(kind, Some(Kind::And | Kind::Colon));
    let or = |ahead: usize| matches!(cursor.word(ahead), "or" | "||");
    if !ends(cursor.kind(count)) && !or(count) && !cursor.operator(count).0.starts_with("&&") {
        return None;
    }
    let span = cursor.span(0, count);
    let found = span.of(cursor.text);
    let diagnostic = syntax(span, format!("expected a condition, found `{found}`"));
    let register = cursor.registers.contains(found.split('[').next().unwrap_or(found).trim());
    let diagnostic = if count > 1 || register {
        let place = if count > 1 { found.to_owned() } else { format!("{found}[N]") };
        let written = format!("{place} == {place}");
        diagnostic.help(format!("write `{written}` to test whether it has a value")).suggest(
            replace_with(&written),
            span,
            written,
        )
    } else {
        diagnostic.help(format!("compare a register with it, as in `symbol[N] == {found}`"))
    };
    // The phrase is removed. If it follows an `or`, that was reported.
    let rewrite = Rewrite::new(count, [], diagnostic);
    Some(if cursor.said_or { Rewrite { diagnostic: None, ..rewrite } } else { rewrite })
}

/// An `and` without a condition after it.
fn dangling(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let next = cursor.kind(1);
    let bare = next.is_none_or(|kind| matches!(kind, Kind::And | Kind::Colon) || kind.starts_segment());
    if !cursor.tests() || cursor.kind(0)? != Kind::And || !bare {
        return None;
    }
    let span = cursor.span(0, 1);
    let found = if next.is_some() { format!("`{}`", cursor.word(1)) } else { "the end of the file".to_owned() };
    let removed = Span::new(cursor.at.checked_sub(1).and_then(|at| cursor.code.get(at))?.span.end, span.end);
    let diagnostic = syntax(span, format!("expected a condition after `and`, found {found}"))
        .help("add a condition, or remove `and`")
        .suggest(remove("and"), removed, "");
    Some(Rewrite::new(1, [], diagnostic))
}
