//! The grammar of the phrases that [`crate::parse`] splits a text into: one comparison, one assignment, one entry.
//!
//! A phrase is first parsed for its value, which is fast. Only if that fails is it parsed again, for the error.

use chumsky::{
    DefaultExpected,
    error::{EmptyErr, Error, LabelError, Rich, RichPattern, RichReason},
    prelude::*,
};

use crate::{
    program::Cell,
    span::Span,
    token::{Kind, Token},
    tree::{Assignment, Comparison, Condition, Name, Operand, RegisterAccess},
};

type Input<'t> = &'t [Token];

/// The requirements of the grammar on an error type.
pub trait Fault<'t>:
    Error<'t, Input<'t>> + LabelError<'t, Input<'t>, &'static str> + LabelError<'t, Input<'t>, DefaultExpected<'t, Token>>
{
}

impl<'t, E> Fault<'t> for E where
    E: Error<'t, Input<'t>>
        + LabelError<'t, Input<'t>, &'static str>
        + LabelError<'t, Input<'t>, DefaultExpected<'t, Token>>
{
}

/// A phrase of the grammar, for any error type.
pub trait Grammar<T> {
    /// Whether `?` can be part of it.
    const HAS_HOLES: bool = false;

    fn parser<'t, E: Fault<'t> + 't>(&self) -> impl Parser<'t, Input<'t>, T, extra::Err<E>> + Clone;
}

/// The reason why a phrase could not be parsed.
#[derive(Debug)]
pub struct Mistake {
    /// The token that does not fit, or `None` at the end of the phrase.
    pub found: Option<Token>,
    /// Descriptions of what was expected, except the end of the phrase.
    pub expected: Vec<String>,
    /// Whether the phrase could have ended here.
    pub could_end: bool,
}

/// Parses the whole input as one phrase. Returns `None` if it is not one.
pub fn whole<T>(grammar: &impl Grammar<T>, input: Input<'_>) -> Option<T> {
    grammar.parser::<EmptyErr>().parse(input).into_output()
}

/// Parses the longest phrase at the start of the input. Returns `None` if there is none.
pub fn prefix<T>(grammar: &impl Grammar<T>, input: Input<'_>) -> Option<T> {
    grammar.parser::<EmptyErr>().lazy().parse(input).into_output()
}

/// Returns why the input is not a phrase of the grammar, or `None` if it is one.
pub fn mistake<'t, T>(grammar: &impl Grammar<T>, input: Input<'t>) -> Option<Mistake> {
    let error = grammar.parser::<Rich<'t, Token>>().parse(input).into_errors().into_iter().next()?;
    let mut mistake = Mistake { found: error.found().copied(), expected: Vec::new(), could_end: false };
    if let RichReason::ExpectedFound { expected, .. } = error.reason() {
        for pattern in expected {
            match pattern {
                RichPattern::EndOfInput => mistake.could_end = true,
                RichPattern::Label(label) => mistake.expected.push(label.to_string()),
                RichPattern::Token(token) => mistake.expected.push(token.kind.describe().to_owned()),
                _ => {}
            }
        }
    }
    Some(mistake)
}

fn token<'t, E: Fault<'t> + 't>(kind: Kind) -> impl Parser<'t, Input<'t>, Span, extra::Err<E>> + Clone {
    accept(move |token| token.kind == kind, kind.describe()).map(|token| token.span)
}

fn one_of_kinds<'t, E: Fault<'t> + 't>(
    kinds: &'static [Kind],
    label: &'static str,
) -> impl Parser<'t, Input<'t>, Token, extra::Err<E>> + Clone {
    accept(|token| kinds.contains(&token.kind), label)
}

/// A token that satisfies the test, named `label` in errors. Composed of several combinators, it would take three times
/// as long.
fn accept<'t, E: Fault<'t> + 't>(
    test: impl Fn(&Token) -> bool + Clone,
    label: &'static str,
) -> impl Parser<'t, Input<'t>, Token, extra::Err<E>> + Clone {
    custom(move |input| {
        let before = input.cursor();
        let found = input.next();
        match found {
            Some(token) if test(&token) => Ok(token),
            _ => Err(E::expected_found([label], found.map(Into::into), input.span_since(&before))),
        }
    })
}

fn name<'t, E: Fault<'t> + 't>(
    kinds: &'static [Kind],
    label: &'static str,
) -> impl Parser<'t, Input<'t>, Name, extra::Err<E>> + Clone {
    one_of_kinds(kinds, label).map(name_from)
}

fn name_from(token: Token) -> Name {
    Name { span: token.span, quoted: token.kind == Kind::String }
}

/// A name or a hole, called `label` in errors.
fn name_of<'t, E: Fault<'t> + 't>(label: &'static str) -> impl Parser<'t, Input<'t>, Span, extra::Err<E>> + Clone {
    one_of_kinds(&[Kind::Name, Kind::Hole], label).map(|token| token.span)
}

/// The kinds of a cell.
const CELLS: &[Kind] = &[Kind::CellSource, Kind::CellUpdated, Kind::Hole];

/// Parses `[n]`, `[N]` or `[?]`, optionally with `@function`, into the cell, its span, the function, and the end.
fn cell<'t, E: Fault<'t> + 't>() -> impl Parser<'t, Input<'t>, (Token, Option<Span>, Span), extra::Err<E>> + Clone {
    token(Kind::OpenBracket)
        .ignore_then(one_of_kinds(CELLS, "`n` or `N`"))
        .then(token(Kind::CloseBracket))
        .then(token(Kind::At).ignore_then(name_of("a function")).or_not())
        .map(|((cell, bracket), function)| (cell, function, function.unwrap_or(bracket)))
}

fn place_of(register: Span, (cell, function, end): (Token, Option<Span>, Span)) -> RegisterAccess {
    RegisterAccess {
        span: register.join(end),
        register,
        cell: match cell.kind {
            Kind::CellSource => Some(Cell::Source),
            Kind::CellUpdated => Some(Cell::Updated),
            _ => None,
        },
        cell_span: cell.span,
        function,
    }
}

fn place<'t, E: Fault<'t> + 't>() -> impl Parser<'t, Input<'t>, RegisterAccess, extra::Err<E>> + Clone {
    name_of("a register").then(cell()).map(|(register, cell)| place_of(register, cell))
}

const EITHER: &str = "a constant or a register";

/// A name before a cell, valid or not, is not a constant.
fn operand<'t, E: Fault<'t> + 't>(label: &'static str) -> impl Parser<'t, Input<'t>, Operand, extra::Err<E>> + Clone {
    let one = one_of_kinds(CELLS, "`n` or `N`").ignored();
    let other = accept(|_| true, "a cell").then(token(Kind::CloseBracket)).ignored();
    let wrong_cell = token(Kind::OpenBracket).then(one.or(other));
    let cell = cell().map(Some).or(wrong_cell.not().to(None));
    let first = one_of_kinds(&[Kind::Name, Kind::String, Kind::Number, Kind::Hole], label);
    first.then(cell).try_map(|(first, cell), _| match cell {
        None if first.kind == Kind::Hole => Ok(Operand::Hole(first.span)),
        None => Ok(Operand::Constant(name_from(first))),
        Some(cell) => Ok(Operand::Register(place_of(first.span, cell))),
    })
}

/// A condition, or a hole in its place.
pub enum ConditionOrHole {
    Condition(Condition),
    Hole(Span),
}

/// One comparison or hole, including parentheses around it.
pub struct ConditionGrammar;

impl Grammar<ConditionOrHole> for ConditionGrammar {
    const HAS_HOLES: bool = true;

    fn parser<'t, E: Fault<'t> + 't>(&self) -> impl Parser<'t, Input<'t>, ConditionOrHole, extra::Err<E>> + Clone {
        let compare = token(Kind::Not)
            .or_not()
            .then(one_of_kinds(&[Kind::Equal, Kind::NotEqual, Kind::Hole], "`==`, `!=`"))
            .then(operand(EITHER))
            .map(|((not, operator), right)| {
                let negated = operator.kind == Kind::NotEqual;
                (Comparison::Equality { not, operator: operator.span, negated, right }, right.span())
            });
        let member = token(Kind::Not)
            .or_not()
            .then_ignore(token(Kind::In))
            .then_ignore(token(Kind::OpenBracket))
            .then(
                operand("a constant").separated_by(token(Kind::Comma)).at_least(1).allow_trailing().collect::<Vec<_>>(),
            )
            .then(token(Kind::CloseBracket))
            .map(|((not, list), end)| (Comparison::Membership { negated: not.is_some(), list }, end));
        let comparison = place().then(compare.or(member)).map(|(left, (comparison, end))| {
            ConditionOrHole::Condition(Condition { span: left.span.join(end), left, comparison })
        });
        let hole = one_of_kinds(&[Kind::Hole], "a register").map(|token| ConditionOrHole::Hole(token.span));
        let either = comparison.or(hole);
        token(Kind::OpenParen).repeated().ignore_then(either).then_ignore(token(Kind::CloseParen).repeated())
    }
}

/// `target[N] = source`.
pub struct AssignmentGrammar;

impl Grammar<Assignment> for AssignmentGrammar {
    const HAS_HOLES: bool = true;

    fn parser<'t, E: Fault<'t> + 't>(&self) -> impl Parser<'t, Input<'t>, Assignment, extra::Err<E>> + Clone {
        place().then_ignore(token(Kind::Assign)).then(operand(EITHER)).map(|(target, source)| Assignment {
            span: target.span.join(source.span()),
            target,
            source,
        })
    }
}

/// `long: 'short'`.
pub struct RegisterGrammar;

impl Grammar<(Name, Name)> for RegisterGrammar {
    fn parser<'t, E: Fault<'t> + 't>(&self) -> impl Parser<'t, Input<'t>, (Name, Name), extra::Err<E>> + Clone {
        name(&[Kind::Name, Kind::String], "a register")
            .then_ignore(token(Kind::Colon))
            .then(name(&[Kind::String, Kind::Name], "a short name"))
    }
}

/// `NAME` or `NAME: "value"`.
pub struct ConstantGrammar;

impl Grammar<(Name, Option<Name>)> for ConstantGrammar {
    fn parser<'t, E: Fault<'t> + 't>(&self) -> impl Parser<'t, Input<'t>, (Name, Option<Name>), extra::Err<E>> + Clone {
        name(&[Kind::Name, Kind::String, Kind::Number], "a constant")
            .then(token(Kind::Colon).ignore_then(name(&[Kind::String, Kind::Number], "a string or a number")).or_not())
    }
}

/// `role: register`.
pub struct RoleGrammar;

impl Grammar<(Name, Name)> for RoleGrammar {
    fn parser<'t, E: Fault<'t> + 't>(&self) -> impl Parser<'t, Input<'t>, (Name, Name), extra::Err<E>> + Clone {
        name(&[Kind::Name], "a role").then_ignore(token(Kind::Colon)).then(name(&[Kind::Name], "a register"))
    }
}

/// A register of the watch list.
pub struct WatchGrammar;

impl Grammar<Name> for WatchGrammar {
    fn parser<'t, E: Fault<'t> + 't>(&self) -> impl Parser<'t, Input<'t>, Name, extra::Err<E>> + Clone {
        name(&[Kind::Name], "a register")
    }
}
