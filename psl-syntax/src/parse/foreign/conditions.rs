//! Conditions as other languages write them.

use super::here::{Here, Rewrite, Rule, missing_cell, remove, replace_with};
use crate::{
    lines::removal,
    parse::parser::syntax,
    span::Span,
    token::{Kind, Token},
};

pub const RULES: &[Rule] =
    &[conjunction, disjunction, comparison, negation, swapped, without_cell, without_comparison, dangling];

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
fn conjunction(here: &Here<'_>) -> Option<Rewrite> {
    if !here.tests() || !here.after_operand() {
        return None;
    }
    let (operator, count) = here.operator(0);
    let count = match (here.kind(0)?, here.word(0)) {
        (Kind::Name, "AND" | "And") => 1,
        (Kind::Comma, _) if condition_follows(here) && !here.in_list() => 1,
        _ if ["&&", "&", "∧"].contains(&operator) => count,
        _ => return None,
    };
    let span = here.span(0, count);
    let diagnostic = here.instead_of("and", span);
    let help = "join conditions with `and`";
    let diagnostic = if here.kind(0)? == Kind::Comma {
        let removed = removal(here.text, span);
        diagnostic.help(help).fix(replace_with("and"), Span::new(span.start, removed.end), " and ")
    } else {
        let word =
            |char: Option<char>| if char.is_some_and(|char| char.is_alphanumeric() || char == '_') { " " } else { "" };
        let before = word(here.text.get(..span.start as usize).and_then(|before| before.chars().next_back()));
        let after = word(here.text.get(span.end as usize..).and_then(|after| after.chars().next()));
        diagnostic.help(help).fix(replace_with("and"), span, format!("{before}and{after}"))
    };
    Some(Rewrite::new(count, [Token { kind: Kind::And, span }], diagnostic))
}

fn condition_follows(here: &Here<'_>) -> bool {
    matches!(here.kind(1), Some(Kind::OpenParen | Kind::Not)) || here.place(1).is_some()
}

/// `or`, `||` and `|`. Only the first one of the conditions is reported.
fn disjunction(here: &Here<'_>) -> Option<Rewrite> {
    if !here.tests() || !here.after_operand() {
        return None;
    }
    let (operator, count) = here.operator(0);
    let count = match here.word(0) {
        "or" | "OR" | "Or" | "xor" if here.kind(0)? == Kind::Name => 1,
        _ if ["||", "|", "∨"].contains(&operator) => count,
        _ => return None,
    };
    let span = here.span(0, count);
    let put = Token { kind: Kind::And, span };
    let mut diagnostic = here
        .unknown_operator(span)
        .help("write one production for each case, or a list of values, as in `x[N] in [A, B]`");
    if here.said_or {
        let silent = Rewrite::new(count, [put], diagnostic);
        return Some(Rewrite { diagnostic: None, ..silent });
    }
    if let Some((whole, list)) = as_list(here) {
        diagnostic = diagnostic.help(format!("write `{list}`")).fix(replace_with(&list), whole, list);
    }
    Some(Rewrite { says_or: true, ..Rewrite::new(count, [put], diagnostic) })
}

/// The conditions around an `or` as a list, if all compare one register with constants.
fn as_list(here: &Here<'_>) -> Option<(Span, String)> {
    const MOST: usize = 64;
    let start = (1..MOST.min(here.at + 1))
        .find(|back| here.code.get(here.at - back).is_some_and(|token| token.kind.starts_segment()))?;
    let head = Here { at: here.at - start, ..*here };
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

/// Comparisons by size, and other spellings of `==` and `!=`.
fn comparison(here: &Here<'_>) -> Option<Rewrite> {
    if !here.tests() || !here.after_operand() {
        return None;
    }
    let (mut operator, mut count) = here.operator(0);
    if here.kind(0)? == Kind::Name {
        (operator, count) = if here.word(1) == "not" && here.word(0) == "is" { ("isnt", 2) } else { (here.word(0), 1) };
    }
    if here.kind(0)? == Kind::Name && here.operand(count).is_none() {
        return None;
    }
    let span = here.span(0, count);
    if let Some((_, right, kind)) = COMPARISONS.into_iter().find(|(other, ..)| *other == operator) {
        let meaning = if kind == Kind::Equal { "equal" } else { "not equal" };
        let diagnostic = here.expected(right, span).help(format!("write `{right}` for {meaning}"));
        return Some(Rewrite::new(count, [Token { kind, span }], diagnostic));
    }
    if !BY_SIZE.contains(&operator) {
        return None;
    }
    let position = here.at.checked_sub(4).and_then(|start| here.code.get(start));
    let position = position.is_some_and(|token| token.span.of(here.text) == "position");
    let help = if position && here.word(count) == "position" {
        "write `causal_attn: true` above, so that `N` attends to no cell on its right: values have no size"
    } else {
        "list the values, as in `x[N] in [1, 2]`: values have no size"
    };
    Some(Rewrite::new(count, [Token { kind: Kind::Equal, span }], here.unknown_operator(span).help(help)))
}

/// `not` or `!` before a condition.
fn negation(here: &Here<'_>) -> Option<Rewrite> {
    let not = here.kind(0)? == Kind::Not || ["!", "NOT"].contains(&here.word(0));
    if !here.starts_condition() || !not {
        return None;
    }
    let span = here.span(0, 1);
    let word = here.word(0);
    let message =
        if word == "not" { "`not` cannot negate a condition".to_owned() } else { format!("unknown operator `{word}`") };
    let diagnostic = syntax(span, message);
    let general = "write `!=` for `==`, and `not in` for `in`: nothing negates a whole condition";
    let Some(place) = here.place(1) else {
        return Some(Rewrite::new(1, [], diagnostic.help(general)));
    };
    let left = here.str(1, place);
    let end = 1 + place;
    let opposite = match (here.kind(end), here.kind(end + 1)) {
        (Some(Kind::Equal), _) => Some(("!=", Kind::NotEqual, 1)),
        (Some(Kind::NotEqual), _) => Some(("==", Kind::Equal, 1)),
        (Some(Kind::In), _) => Some(("not in", Kind::In, 1)),
        (Some(Kind::Not), Some(Kind::In)) => Some(("in", Kind::In, 2)),
        _ => None,
    };
    let Some((operator, kind, count)) = opposite else {
        return Some(Rewrite::new(1, [], diagnostic.help(general)));
    };
    let whole = here.span(0, end + count);
    let written = format!("{left} {operator}");
    let mut put = here.tokens(1, place).to_vec();
    put.push(Token { kind, span: here.span(end, count) });
    let help = format!("write `{written} {}`", if kind == Kind::In { "[…]" } else { here.word(end + count) });
    let diagnostic = diagnostic.help(help).fix(replace_with(&written), whole, written);
    Some(Rewrite::new(end + count, put, diagnostic))
}

/// A constant on the left: `A == x[N]` and `A == B`.
fn swapped(here: &Here<'_>) -> Option<Rewrite> {
    if !here.starts_condition() || !here.constant(0) || here.registers.contains(&here.name(0)) {
        return None;
    }
    let (operator, count) = here.operator(1);
    let kind = here.kind(1)?;
    if !["==", "!=", "="].contains(&operator) {
        return None;
    }
    let right = 1 + count;
    if matches!(here.word(0), "n" | "N") && here.kind(0)? == Kind::Name {
        return Some(cell_alone(here));
    }
    if let Some(place) = here.place(right) {
        let operator = if operator == "=" { "==" } else { operator };
        let swapped = format!("{} {operator} {}", here.str(right, place), here.word(0));
        let span = here.span(0, 1);
        let whole = here.span(0, right + place);
        let diagnostic = syntax(span, format!("expected a register on the left, found `{}`", here.word(0)))
            .help(format!("write the register first: `{swapped}`"));
        // A function cannot move to the left.
        let diagnostic = if place == 4 { diagnostic.fix("Swap the two sides", whole, swapped) } else { diagnostic };
        let kind = if kind == Kind::Assign { Kind::Equal } else { kind };
        let put = [here.tokens(right, place), &[Token { kind, span: here.span(1, count) }], here.tokens(0, 1)].concat();
        return Some(Rewrite::new(right + place, put, diagnostic));
    }
    if !here.constant(right) {
        return None;
    }
    if here.registers.contains(&here.name(right)) {
        return None;
    }
    let span = here.span(0, right + 1);
    let help = if here.word(0) == here.word(right) && operator != "!=" {
        here.registers.write_every_cell()
    } else {
        format!("compare a register, as in `symbol[N] == {}`", here.word(0))
    };
    let diagnostic = syntax(span, "cannot compare two constants").help(help);
    Some(Rewrite::new(right + 1, [], diagnostic))
}

fn cell_alone(here: &Here<'_>) -> Rewrite {
    let cell = here.word(0);
    let (_, count) = here.operator(1);
    let other = here.operand(1 + count).unwrap_or_default();
    let span = here.span(0, 1);
    let diagnostic = syntax(span, format!("`{cell}` is a cell, not a value"))
        .help(format!("compare a register of the cell, such as `position[{cell}]`"))
        .suggest(replace_with(&format!("position[{cell}]")), span, format!("position[{cell}]"));
    Rewrite::new(1 + count + other, [], diagnostic)
}

/// A register without its cell.
fn without_cell(here: &Here<'_>) -> Option<Rewrite> {
    let name = here.word(0);
    let operator = here.operator(1);
    let compares = matches!(here.kind(1), Some(Kind::Equal | Kind::NotEqual | Kind::In | Kind::Not | Kind::Assign))
        || BY_SIZE.contains(&operator.0);
    if !here.starts_condition() || here.kind(0)? != Kind::Name || !compares {
        return None;
    }
    let end = here.span(0, 1).end;
    let after = Span::new(end, end);
    let diagnostic = missing_cell(name, here.span(0, 1))
        .help(format!("write `{name}[N]`, {CELL} `{name}[n]`, the one it attends to"))
        .suggest("Insert `[N]`", after, "[N]")
        .suggest("Insert `[n]`", after, "[n]");
    let cell = [Kind::OpenBracket, Kind::CellUpdated, Kind::CloseBracket].map(|kind| Token { kind, span: after });
    let put = here.token(0).into_iter().chain(cell);
    // A wrong operator is reported after the cell is added.
    let equal = here.as_kind(1, Kind::Equal).filter(|_| here.kind(1) == Some(Kind::Assign));
    Some(Rewrite::new(1 + equal.iter().len(), put.chain(equal), diagnostic))
}

/// A register or a constant where a comparison belongs.
fn without_comparison(here: &Here<'_>) -> Option<Rewrite> {
    if !here.starts_condition() {
        return None;
    }
    let count = here.operand(0)?;
    let ends = |kind: Option<Kind>| matches!(kind, Some(Kind::And | Kind::Colon));
    let or = |ahead: usize| matches!(here.word(ahead), "or" | "||");
    if !ends(here.kind(count)) && !or(count) && !here.operator(count).0.starts_with("&&") {
        return None;
    }
    let span = here.span(0, count);
    let found = span.of(here.text);
    let diagnostic = syntax(span, format!("expected a condition, found `{found}`"));
    let register = here.registers.contains(found.split('[').next().unwrap_or(found).trim());
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
    Some(if here.said_or { Rewrite { diagnostic: None, ..rewrite } } else { rewrite })
}

/// An `and` without a condition after it.
fn dangling(here: &Here<'_>) -> Option<Rewrite> {
    let next = here.kind(1);
    let bare = next.is_none_or(|kind| matches!(kind, Kind::And | Kind::Colon) || kind.starts_segment());
    if !here.tests() || here.kind(0)? != Kind::And || !bare {
        return None;
    }
    let span = here.span(0, 1);
    let found = if next.is_some() { format!("`{}`", here.word(1)) } else { "the end of the file".to_owned() };
    let removed = Span::new(here.at.checked_sub(1).and_then(|at| here.code.get(at))?.span.end, span.end);
    let diagnostic = syntax(span, format!("expected a condition after `and`, found {found}"))
        .help("add a condition, or remove `and`")
        .suggest(remove("and"), removed, "");
    Some(Rewrite::new(1, [], diagnostic))
}
