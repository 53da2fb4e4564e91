//! Programs that differ at most in their spans and labels.

use crate::program::{Condition, Production, Program, Repeat, Statement, Until};

/// Whether two programs run the same: they have the same registers, constants, roles and statements, regardless of
/// spans and comments. Tests, watched registers and limits of runs do not matter.
pub fn run_alike(one: &Program, other: &Program) -> bool {
    one.roles == other.roles
        && one.input == other.input
        && one.answer == other.answer
        && all(one.registers.as_slice(), other.registers.as_slice(), |one, other| {
            one.name == other.name && one.short == other.short
        })
        && all(one.constants.as_slice(), other.constants.as_slice(), |one, other| {
            one.name == other.name && one.value == other.value
        })
        && all(&one.statements, &other.statements, statement)
}

/// Whether the names in two programs refer to the same registers and constants, and the position has the same register.
pub fn declare_alike(one: &Program, other: &Program) -> bool {
    one.roles.position == other.roles.position
        && all(one.registers.as_slice(), other.registers.as_slice(), |one, other| one.name == other.name)
        && all(one.constants.as_slice(), other.constants.as_slice(), |one, other| one.name == other.name)
}

fn all<T>(one: &[T], other: &[T], alike: impl Fn(&T, &T) -> bool) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike(one, other))
}

/// Recursion depth is the nesting of repeat blocks, which the parser limits.
fn statement(one: &Statement, other: &Statement) -> bool {
    match (one, other) {
        (Statement::Production(one), Statement::Production(other)) => production(one, other),
        (Statement::Repeat(one), Statement::Repeat(other)) => repeat(one, other),
        (Statement::Production(_), Statement::Repeat(_)) | (Statement::Repeat(_), Statement::Production(_)) => false,
    }
}

fn production(one: &Production, other: &Production) -> bool {
    one.causal_attn == other.causal_attn
        && one.select == other.select
        && one.shares_layer == other.shares_layer
        && one.sound == other.sound
        && all(&one.conditions, &other.conditions, condition)
        && all(&one.assignments, &other.assignments, |one, other| {
            one.target == other.target && one.source == other.source
        })
}

fn repeat(one: &Repeat, other: &Repeat) -> bool {
    let until = match (&one.until, &other.until) {
        (Until::NoChange, Until::NoChange) => true,
        (Until::Conditions(one), Until::Conditions(other)) => all(one, other, condition),
        (Until::NoChange, Until::Conditions(_)) | (Until::Conditions(_), Until::NoChange) => false,
    };
    until && all(&one.body, &other.body, statement)
}

fn condition(one: &Condition, other: &Condition) -> bool {
    one.left == other.left && one.comparison == other.comparison
}
