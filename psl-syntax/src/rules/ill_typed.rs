//! `ill-typed-condition` and `always-true`: conditions that never or always hold.

use super::wording::Wording;
use crate::{
    codes::Code,
    diagnostic::Diagnostic,
    domains::{Domain, ProgramPoint, Proved, Right, Verdict, same_place},
    facts::Facts,
    program::{Comparison, Condition, RegisterId},
};

/// A warning for each such condition.
pub fn ill_typed_conditions(facts: &Facts<'_>) -> Vec<Diagnostic> {
    let reporter = Reporter { facts, wording: Wording::new(facts.program, facts.domains) };
    let mut found = Vec::new();
    for conjunction in &facts.conjunctions {
        let Some(Proved { conditions: verdicts, .. }) = facts.verdicts.at(conjunction.point) else { continue };
        for (condition, verdict) in conjunction.conditions.iter().zip(verdicts) {
            match verdict {
                // A value that is always null is reported by other rules.
                Verdict::Open | Verdict::Unset => {}
                Verdict::Never | Verdict::Always => {
                    found.extend(reporter.decided(conjunction.point, condition, *verdict));
                }
            }
        }
    }
    found
}

struct Reporter<'f> {
    facts: &'f Facts<'f>,
    wording: Wording<'f>,
}

impl<'f> Reporter<'f> {
    /// The report of a condition that never or always holds, or `None` if it is intended.
    fn decided(&self, point: ProgramPoint, condition: &Condition, verdict: Verdict) -> Option<Diagnostic> {
        let left = self.domain(point, condition.left.register);
        let right = self.wording.domains.right(point, &condition.comparison);
        if verdict == Verdict::Never {
            return Some(self.never(condition, left, &right));
        }
        // A right side that is always null is reported separately.
        let intended = self.is_idiom(condition) || right.domain.is_empty();
        (!intended).then(|| self.always(condition, left, &right))
    }

    /// Whether a condition is the idiom `x[N] == x[N]`, or a test of the parse register, which is a customary guard.
    fn is_idiom(&self, condition: &Condition) -> bool {
        same_place(condition)
            || condition.registers().any(|place| Some(place.register) == self.facts.program.roles.parse)
    }

    fn domain(&self, point: ProgramPoint, register: RegisterId) -> &'f Domain {
        self.wording.domains.at(point, register)
    }

    fn never(&self, condition: &Condition, left: &Domain, right: &Right) -> Diagnostic {
        let wording = &self.wording;
        let name = wording.register(condition.left.register);
        let only = wording.domain(left);
        let (message, help) = match (&condition.comparison, right.register) {
            (Comparison::Is(_) | Comparison::In(_), None) => {
                let message = format!("{name} cannot be {} here, only {only}", wording.domain(&right.domain));
                (message, "test for a value it can have, or assign this one in an earlier production")
            }
            (Comparison::IsNot(_) | Comparison::NotIn(_), None) if left.null => {
                let or_null = wording.domain_or_null(left);
                let operator = if matches!(condition.comparison, Comparison::IsNot(_)) { "!=" } else { "not in" };
                (
                    format!("{name} can only be {or_null} here, and `{operator}` also fails on null"),
                    "assign a value in the cells that this is intended for, and test for that value",
                )
            }
            (Comparison::IsNot(_) | Comparison::NotIn(_), None) => (
                format!("{name} can only be {only} here, which this condition rules out"),
                "test for a value it can have, or assign another one in an earlier production",
            ),
            _ if same_place(condition) => (
                format!("{name} never differs from itself"),
                "compare it with another register, or with the same register of another cell",
            ),
            (Comparison::Is(_) | Comparison::In(_), Some((other, function))) => (
                format!(
                    "{name} ({only}) and {} ({}) have no value in common",
                    wording.operand(other, function),
                    wording.domain(&right.domain)
                ),
                "compare registers that can hold the same values",
            ),
            (Comparison::IsNot(_) | Comparison::NotIn(_), Some((other, function))) => (
                format!(
                    "{name} and {} can only be {only} here, so they never differ",
                    wording.operand(other, function)
                ),
                "remove the production, or assign another value to one of the two",
            ),
        };
        let mut found = Diagnostic::new(Code::IllTypedCondition, condition.span, message).help(help);
        found = wording.origins(found, condition.left.register, left);
        match right.register {
            Some((other, _)) if other != condition.left.register => wording.origins(found, other, &right.domain),
            _ => found,
        }
    }

    fn always(&self, condition: &Condition, left: &Domain, right: &Right) -> Diagnostic {
        let wording = &self.wording;
        let name = wording.register(condition.left.register);
        let message = match (&condition.comparison, right.register) {
            (Comparison::Is(_) | Comparison::In(_), None) => {
                format!("{name} can only be {} here", wording.domain(left))
            }
            (Comparison::IsNot(_) | Comparison::NotIn(_), None) => {
                format!("{name} is never {} here", wording.domain(&right.domain))
            }
            (Comparison::Is(_) | Comparison::In(_), Some((other, function))) => {
                format!("{name} and {} can only be {} here", wording.operand(other, function), wording.domain(left))
            }
            (Comparison::IsNot(_) | Comparison::NotIn(_), Some((other, function))) => {
                format!("{name} and {} have no value in common", wording.operand(other, function))
            }
        };
        let found = Diagnostic::new(Code::AlwaysTrue, condition.span, format!("{message}, so this is always true"))
            .help("remove the condition, or test for what was intended");
        wording.origins(found, condition.left.register, left)
    }
}
