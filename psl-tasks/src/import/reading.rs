//! The parts of a program that the reference compiler reads differently.

use psl_program::File;
use psl_syntax::{
    Code, Diagnostic, Span, Tree, rule_diagnostics,
    token::{Kind, Token},
};

/// The parts of a program that compiles, with the reading of the reference compiler as the message, in no particular
/// order.
pub fn readings(program: &File) -> impl Iterator<Item = Diagnostic> {
    let checked = program.checked();
    rule_diagnostics(&checked.tree, &checked.analysis).into_iter().filter(|found| found.code == Code::NotPortable)
}

/// Adds the reading of the reference compiler to the errors that it does not report.
pub fn with_readings(program: &File, errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let tree = &program.checked().tree;
    errors
        .into_iter()
        .map(|error| match of_error(tree, &error) {
            Some(reading) => {
                let span = error.span;
                error.label(span, format!("the reference compiler {reading}"))
            }
            None => error,
        })
        .collect()
}

fn of_error(tree: &Tree, error: &Diagnostic) -> Option<&'static str> {
    match error.code {
        Code::FunctionOnLeft => Some("drops the function"),
        Code::SameCellComparison => Some("compares a register of `n` with one of `N`"),
        Code::AssignedTwice => Some("keeps only the last assignment"),
        Code::DuplicateRegister | Code::DuplicateConstant => Some("keeps only the last entry"),
        Code::DuplicateShortName => Some("treats the registers as one"),
        Code::Syntax if error.span.of(&tree.text) == "\\" => Some("skips this backslash"),
        Code::Syntax if is_not_before_equality(tree, error.span) => Some("ignores this `not`"),
        _ => None,
    }
}

fn is_not_before_equality(tree: &Tree, span: Span) -> bool {
    let tokens = &tree.tokens.code;
    let at = tokens.partition_point(|token| token.span.start < span.start);
    let kind = |at| tokens.get(at).map(|token: &Token| token.kind);
    kind(at) == Some(Kind::Not) && matches!(kind(at + 1), Some(Kind::Equal | Kind::NotEqual))
}
